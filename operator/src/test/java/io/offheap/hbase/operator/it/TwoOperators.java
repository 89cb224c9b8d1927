package io.offheap.hbase.operator.it;

import static io.offheap.hbase.operator.Waits.LONG;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.coordination.v1.LeaseSpec;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import io.fabric8.kubernetes.api.model.rbac.RoleBindingBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.offheap.hbase.operator.api.HBaseCluster;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.TestInfo;

/**
 * Two operators with one lease, each in a process of its own; the first one leads. They have two
 * service accounts, so that the audit log distinguishes their writes.
 */
final class TwoOperators implements AutoCloseable {
  private final ScheduledExecutorService changing = Executors.newSingleThreadScheduledExecutor();

  private final ApiServer.Running server;
  private final KubernetesClient client;
  private final String namespace;
  private final String accounts;
  private final ServiceAccount one;
  private final ServiceAccount other;
  private final String lease;
  private final StatefulSetSimulator simulator;
  private OperatorChild first;
  private OperatorChild second;

  private TwoOperators(ApiServer.Running server, String namespace) {
    this.server = server;
    this.client = server.client();
    this.namespace = namespace;
    accounts = namespace + "-accounts";
    one = new ServiceAccount(accounts, namespace + "-one");
    other = new ServiceAccount(accounts, namespace + "-other");
    lease = one.name();
    simulator = new StatefulSetSimulator(client, namespace);
  }

  /** Returns when the first leads and the second stands by. */
  static TwoOperators start(ApiServer.Running server, TestInfo test) throws IOException {
    var operators = new TwoOperators(server, server.createNamespace(test));
    try {
      operators.startOneThenTheOther();
      return operators;
    } catch (IOException | RuntimeException | Error e) {
      operators.close();
      throw e;
    }
  }

  private void startOneThenTheOther() throws IOException {
    server.createNamespace(accounts);
    grant(one);
    grant(other);
    client.resource(bindingOfTheOther()).serverSideApply();
    first = start(one);
    await("the first leads").atMost(LONG).until(() -> first.leader().endsWith(" 1.0"));
    second = start(other);
    await("the second is ready").atMost(LONG).until(() -> second.isReady());
    var standsBy =
        await("the metrics of the second").atMost(LONG).until(second::leader, it -> !it.isEmpty());
    assertThat(standsBy).endsWith(" 0.0");
  }

  /** A release's rights, with the same lease for both operators. */
  private void grant(ServiceAccount account) throws IOException {
    var rights = Chart.render(server, account, "--show-only", "templates/rbac.yaml");
    client.load(new ByteArrayInputStream(rights.getBytes(UTF_8))).serverSideApply();
  }

  private RoleBinding bindingOfTheOther() {
    return new RoleBindingBuilder()
        .withNewMetadata()
        .withName(other.name() + "-to-the-same-lease")
        .withNamespace(accounts)
        .endMetadata()
        .withNewRoleRef()
        .withApiGroup("rbac.authorization.k8s.io")
        .withKind("Role")
        .withName(one.name() + "-lease")
        .endRoleRef()
        .addNewSubject()
        .withKind("ServiceAccount")
        .withNamespace(other.namespace())
        .withName(other.name())
        .endSubject()
        .build();
  }

  private OperatorChild start(ServiceAccount account) throws IOException {
    return OperatorChild.start(
        server,
        account,
        Map.of(
            "WATCH_NAMESPACES", namespace,
            "LEADER_ELECTION", "true",
            "LEASE_NAME", lease,
            "POD_NAMESPACE", accounts,
            "POD_NAME", account.name()));
  }

  ServiceAccount one() {
    return one;
  }

  ServiceAccount other() {
    return other;
  }

  OperatorChild first() {
    return first;
  }

  OperatorChild second() {
    return second;
  }

  /** What the account did. */
  AuditLog auditLog(ServiceAccount account) {
    return server.auditLog(account);
  }

  /** Makes a cluster of the smallest resource. */
  void create(String cluster) {
    client.resource(Clusters.smallest(namespace, cluster)).create();
  }

  void awaitReady(String cluster) {
    Clusters.awaitReady(client, namespace, cluster);
  }

  /** Waits until the first has nothing more to write. */
  void awaitQuiet() {
    server.auditLog(one).awaitQuiet(namespace);
  }

  /** Removes the leader's right to its own lease. */
  void forbidLeaseToOne() {
    client.rbac().roleBindings().inNamespace(accounts).withName(one.name() + "-lease").delete();
  }

  /** Gives the leader something to write at any time, in the cluster {@code busy}. */
  void changeAgainAndAgain(ServiceAccount leader) {
    var turn = new AtomicInteger();
    var unused =
        changing.scheduleWithFixedDelay(
            () -> change(turn.incrementAndGet()), 0, 50, TimeUnit.MILLISECONDS);
    int before = writesIn(leader).size();
    await("the leader writes").atMost(LONG).until(() -> writesIn(leader).size() > before + 20);
  }

  private void change(int turn) {
    client
        .resources(HBaseCluster.class)
        .inNamespace(namespace)
        .withName("busy")
        .patch(
            PatchContext.of(PatchType.JSON_MERGE),
            "{\"spec\":{\"regionServers\":{\"config\":{\"turn\":\"" + turn + "\"}}}}");
  }

  LeaseSpec lease() {
    return client.leases().inNamespace(accounts).withName(lease).get().getSpec();
  }

  void awaitTheOther() {
    await("the other leads")
        .atMost(LONG)
        .until(
            () ->
                lease().getHolderIdentity().startsWith(other.name())
                    && second.leader().endsWith(" 1.0"));
  }

  void assertNothingWrittenSinceTheOtherLeads() {
    var since = lease().getAcquireTime().toInstant();
    await("the other acts").atMost(LONG).until(() -> !writesIn(other).isEmpty());
    assertThat(server.auditLog(one).writesAfter(since))
        // A write of the lease that was under way has an old version and is refused.
        .filteredOn(it -> !it.resource().equals("leases"))
        .isEmpty();
    assertThat(lease().getHolderIdentity()).startsWith(other.name());
  }

  /** Writes of the account to the clusters' namespace. */
  List<AuditLog.Request> writesIn(ServiceAccount account) {
    return server.auditLog(account).writesIn(namespace);
  }

  @Override
  public void close() throws IOException {
    changing.shutdownNow();
    for (OperatorChild started : new OperatorChild[] {first, second}) {
      if (started != null) {
        started.close();
      }
    }
    simulator.close();
  }
}
