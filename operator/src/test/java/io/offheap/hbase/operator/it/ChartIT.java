package io.offheap.hbase.operator.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.authorization.v1.SubjectAccessReviewBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The chart, by the real helm, and the operator with the rights that a release grants. */
@ExtendWith(ApiServer.class)
@Isolated("a release for all namespaces is an operator of every other test's clusters too")
class ChartIT {
  private ApiServer.Running server;
  private KubernetesClient client;

  @BeforeEach
  void use(ApiServer.Running running) {
    server = running;
    client = running.client();
  }

  @Test
  void takesWhatIsRightAndRefusesWhatIsNot() throws IOException {
    var check = Tool.script(Chart.FOLDER.resolve("ci").resolve("check"), server).run();

    assertThat(check.orThrow()).contains(" passed, 0 failed");
  }

  @Test
  void lintFindsNothing() throws IOException {
    var lint = Tool.helm(server).run("lint", "--strict", Chart.FOLDER.toString());

    assertThat(lint.orThrow()).contains("0 chart(s) failed");
  }

  @Test
  void releaseForAllNamespacesHasTheRightsThatAClusterNeeds() throws IOException {
    var account = new ServiceAccount("chart-all", "operator-all");
    server.createNamespace(account.namespace());
    server.createNamespace("chart-all-clusters");
    Chart.install(server, account);

    assertClusterBecomesReady(account, "chart-all-clusters");

    assertThat(isAllowed(account, "list", "", "pods", null)).isTrue();
    assertThat(isAllowed(account, "list", "hbase.offheap.io", "hbaseclusters", null)).isTrue();
    Chart.uninstall(server, account);
    await("rights are gone")
        .atMost(Duration.ofSeconds(30))
        .until(() -> !isAllowed(account, "list", "", "pods", null));
  }

  @Test
  void releaseForOneNamespaceHasRightsThereAndNowhereElse() throws IOException {
    var account = new ServiceAccount("chart-one", "operator-one");
    server.createNamespace(account.namespace());
    server.createNamespace("chart-one-clusters");
    Chart.install(server, account, "--set-json", "watchNamespaces=[\"chart-one-clusters\"]");

    assertClusterBecomesReady(account, "chart-one-clusters", "chart-one-clusters");

    assertThat(isAllowed(account, "list", "", "pods", "chart-one-clusters")).isTrue();
    assertThat(isAllowed(account, "list", "", "pods", "default")).isFalse();
    assertThat(isAllowed(account, "list", "", "pods", account.namespace())).isFalse();
    assertThat(isAllowed(account, "create", "coordination.k8s.io", "leases", account.namespace()))
        .isTrue();
    assertThat(isAllowed(account, "update", "coordination.k8s.io", "leases", account.namespace()))
        .as("any lease")
        .isFalse();
    assertThat(isAllowed(account, "list", "", "pods", null)).isFalse();
    Chart.uninstall(server, account);
  }

  @ParameterizedTest
  @CsvSource({
    "get,    ,                          secrets",
    "list,   ,                          secrets",
    "create, ,                          pods",
    "patch,  ,                          pods",
    "create, ,                          pods/exec",
    "create, ,                          pods/eviction",
    "list,   ,                          events",
    "delete, ,                          events",
    "create, coordination.k8s.io,       leases",
    "update, coordination.k8s.io,       leases",
    "create, ,                          serviceaccounts/token",
    "delete, ,                          namespaces",
    "delete, ,                          persistentvolumeclaims",
    "get,    ,                          nodes",
    "list,   apiextensions.k8s.io,      customresourcedefinitions",
    "create, rbac.authorization.k8s.io, clusterrolebindings",
    "update, hbase.offheap.io,          hbaseclusters",
    "delete, hbase.offheap.io,          hbaseclusters",
    "delete, apps,                      deployments",
  })
  void rightIsNotGranted(String verb, String group, String resource) {
    assertThat(isAllowed(ApiServer.OPERATOR, verb, group, resource, "default")).isFalse();
  }

  private void assertClusterBecomesReady(
      ServiceAccount account, String namespace, String... watchNamespaces) throws IOException {
    try (var simulator = new StatefulSetSimulator(client, namespace);
        var operator = OperatorUnderTest.startAs(account, server, watchNamespaces)) {
      client.resource(Clusters.smallest(namespace, "hb")).serverSideApply();
      Clusters.awaitReady(client, namespace, "hb");
      assertThat(operator.get("/readyz").statusCode()).isEqualTo(200);
      assertThat(server.auditLog(account).writesIn(namespace)).isNotEmpty();
      assertThat(server.auditLog(account).forbidden()).isEmpty();

      // A restart of a region server takes the right to delete a pod.
      var before = simulator.planHashes("hb");
      var larger =
          Clusters.SMALLEST
              .replace("heap: 1Gi", "heap: 2Gi")
              .replace("spec:", "spec:\n  rollout: {canary: {enabled: false}}");
      client.resource(Clusters.parse(larger, namespace, "hb")).serverSideApply();
      await("all restarted")
          .atMost(Duration.ofSeconds(90))
          .until(() -> simulator.planHashes("hb").stream().noneMatch(before::contains));
      assertThat(server.auditLog(account).forbidden()).isEmpty();
    }
  }

  private boolean isAllowed(
      ServiceAccount account, String verb, String group, String resource, String namespace) {
    int slash = resource.indexOf('/');
    return client
        .authorization()
        .v1()
        .subjectAccessReview()
        .create(
            new SubjectAccessReviewBuilder()
                .withNewSpec()
                .withUser(account.user())
                .withGroups(account.groups())
                .withNewResourceAttributes()
                .withVerb(verb)
                .withGroup(group == null ? "" : group)
                .withResource(slash < 0 ? resource : resource.substring(0, slash))
                .withSubresource(slash < 0 ? null : resource.substring(slash + 1))
                .withNamespace(namespace)
                .endResourceAttributes()
                .endSpec()
                .build())
        .getStatus()
        .getAllowed();
  }
}
