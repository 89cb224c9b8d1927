package io.offheap.hbase.operator.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The chart with the real helm, and the operator with the rights of a release. */
@ExtendWith(ApiServer.class)
class ChartIT {
  private ApiServer.Running server;

  @BeforeEach
  void use(ApiServer.Running running) {
    server = running;
  }

  @Test
  void acceptsValidAndRefusesInvalidValues() throws IOException {
    var check = Tool.script(Chart.FOLDER.resolve("ci").resolve("check"), server).run();

    assertThat(check.orThrow()).contains(" passed, 0 failed");
  }

  @Test
  void lintFindsNothing() throws IOException {
    var lint = Tool.helm(server).run("lint", "--strict", Chart.FOLDER.toString());

    assertThat(lint.orThrow()).contains("0 chart(s) failed");
  }

  @Test
  void notesWarnOfWebhookWithoutTlsAndOfAllNamespaces() throws IOException {
    var account = new ServiceAccount("chart-notes", "operator-notes");
    var webhook = "webhook={\"enabled\":true,\"tokenSecret\":\"t\"%s}";

    assertThat(Chart.notes(server, account, "--set-json", webhook.formatted("")))
        .contains("The webhook has no TLS (webhook.tlsSecret is empty)");
    assertThat(
            Chart.notes(server, account, "--set-json", webhook.formatted(",\"tlsSecret\":\"c\"")))
        .doesNotContain("TLS");
    assertThat(Chart.notes(server, account))
        .contains("WARNING: with all namespaces")
        .doesNotContain("TLS");
    assertThat(Chart.notes(server, account, "--set-json", "watchNamespaces=[\"a\"]"))
        .contains("manages HBaseClusters in a.")
        .doesNotContain("WARNING");
  }

  @Test
  void releaseForOneNamespaceHasRightsThereOnly() throws IOException {
    var account = new ServiceAccount("chart-one", "operator-one");
    var release = new Release(server, account);
    server.createNamespace(account.namespace());
    server.createNamespace("chart-one-clusters");
    Chart.install(
        server,
        account,
        "--set-json",
        "watchNamespaces=[\"chart-one-clusters\"]",
        "--set",
        "rbac.podDryRun=false");

    release.assertClusterBecomesReady("chart-one-clusters", "chart-one-clusters");

    assertThat(release.isAllowed("list", "", "pods", "chart-one-clusters")).isTrue();
    assertThat(release.isAllowed("create", "", "pods", "chart-one-clusters"))
        .as("it is optional")
        .isFalse();
    assertThat(new Release(server, ApiServer.OPERATOR).isAllowed("create", "", "pods", "default"))
        .as("by default it checks the next pod before a drain")
        .isTrue();
    assertThat(release.isAllowed("list", "", "pods", "default")).isFalse();
    assertThat(release.isAllowed("list", "", "pods", account.namespace())).isFalse();
    assertThat(release.isAllowed("create", "coordination.k8s.io", "leases", account.namespace()))
        .isTrue();
    assertThat(release.isAllowed("update", "coordination.k8s.io", "leases", account.namespace()))
        .as("any lease")
        .isFalse();
    assertThat(release.isAllowed("list", "", "pods", null)).isFalse();
    Chart.uninstall(server, account);
  }

  @ParameterizedTest
  @CsvSource({
    "get,    ,                          secrets",
    "list,   ,                          secrets",
    "update, ,                          pods",
    "patch,  ,                          pods",
    "create, ,                          pods/exec",
    "create, ,                          pods/eviction",
    "list,   ,                          events",
    "delete, ,                          events",
    "create, coordination.k8s.io,       leases",
    "update, coordination.k8s.io,       leases",
    "create, ,                          serviceaccounts/token",
    "delete, ,                          namespaces",
    "list,   ,                          persistentvolumeclaims",
    "delete, ,                          persistentvolumeclaims",
    "get,    ,                          nodes",
    "list,   apiextensions.k8s.io,      customresourcedefinitions",
    "create, rbac.authorization.k8s.io, clusterrolebindings",
    "update, hbase.offheap.io,          hbaseclusters",
    "delete, hbase.offheap.io,          hbaseclusters",
    "delete, apps,                      deployments",
  })
  void rightIsNotGranted(String verb, String group, String resource) {
    assertThat(new Release(server, ApiServer.OPERATOR).isAllowed(verb, group, resource, "default"))
        .isFalse();
  }
}
