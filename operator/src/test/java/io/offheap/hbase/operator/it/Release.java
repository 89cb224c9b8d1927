package io.offheap.hbase.operator.it;

import static io.offheap.hbase.operator.Waits.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.authorization.v1.SubjectAccessReviewBuilder;
import java.io.IOException;
import java.util.List;

/**
 * A release of the chart.
 *
 * @param server where it is installed
 * @param account the operator's
 */
record Release(ApiServer.Running server, ServiceAccount account) {
  /** Asserts that an operator with its rights can create a cluster and restart a region server. */
  void assertClusterBecomesReady(String namespace, String... watchNamespaces) throws IOException {
    var client = server.client();
    try (var simulator = new StatefulSetSimulator(client, namespace);
        var operator = OperatorUnderTest.startAs(account, server, watchNamespaces)) {
      client.resource(Clusters.smallest(namespace, "hb")).serverSideApply();
      Clusters.awaitReady(client, namespace, "hb");
      assertThat(operator.probe("/readyz").statusCode()).isEqualTo(200);
      assertThat(server.auditLog(account).writesIn(namespace)).isNotEmpty();
      assertThat(forbidden(namespace)).isEmpty();

      // A restart of a region server needs the right to delete a pod.
      var before = simulator.planHashes("hb");
      var larger =
          Clusters.SMALLEST
              .replace("heap: 1Gi", "heap: 2Gi")
              .replace("spec:", "spec:\n  rollout: {canary: {enabled: false}}");
      client.resource(Clusters.parse(larger, namespace, "hb")).serverSideApply();
      await("all restarted")
          .atMost(LONG)
          .until(() -> simulator.planHashes("hb").stream().noneMatch(before::contains));
      assertThat(forbidden(namespace)).isEmpty();
    }
  }

  /** Without the right to create pods, only dry runs are refused. */
  private List<AuditLog.Request> forbidden(String namespace) {
    boolean mayCreatePods = isAllowed("create", "", "pods", namespace);
    return server.auditLog(account).forbidden().stream()
        .filter(
            it -> mayCreatePods || !(it.verb().equals("create") && it.resource().equals("pods")))
        .toList();
  }

  /** Whether the account has a right; without a namespace, in all of them. */
  boolean isAllowed(String verb, String group, String resource, String namespace) {
    int slash = resource.indexOf('/');
    return server
        .client()
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
