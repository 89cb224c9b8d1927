package io.offheap.hbase.operator.it;

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
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Two operators of one lease, each a process of its own: one acts, and the other only after it.
 * They have two service accounts, so that the audit log tells whose a write was.
 */
@ExtendWith(ApiServer.class)
@Execution(ExecutionMode.CONCURRENT)
class LeaderElectionIT {
  private static final Duration LEASE_DURATION = Duration.ofSeconds(15);

  /** To start a JVM on a busy machine, or for a lease to be over. */
  private static final Duration LONG = Duration.ofSeconds(60);

  private final ScheduledExecutorService changing = Executors.newSingleThreadScheduledExecutor();

  private ApiServer.Running server;
  private KubernetesClient client;
  private String namespace;
  private String accounts;
  private ServiceAccount one;
  private ServiceAccount other;
  private String lease;
  private StatefulSetSimulator simulator;
  private OperatorChild first;
  private OperatorChild second;

  @BeforeEach
  void startOneThenTheOther(ApiServer.Running running, TestInfo test) throws Exception {
    server = running;
    client = server.client();
    namespace = "leader-" + test.getTestMethod().orElseThrow().getName().toLowerCase(Locale.ROOT);
    accounts = namespace + "-accounts";
    one = new ServiceAccount(accounts, namespace + "-one");
    other = new ServiceAccount(accounts, namespace + "-other");
    lease = one.name();
    server.createNamespace(namespace);
    server.createNamespace(accounts);
    grant(one);
    grant(other);
    client.resource(bindingOfTheOther()).serverSideApply();
    simulator = new StatefulSetSimulator(client, namespace);

    first = start(one);
    await("the first leads").atMost(LONG).until(() -> first.leader().endsWith(" 1.0"));
    second = start(other);
    await("the second is ready").atMost(LONG).until(() -> second.isReady());
    var standsBy = await("it answers").atMost(LONG).until(second::leader, it -> !it.isEmpty());
    assertThat(standsBy).endsWith(" 0.0");
  }

  /** A release's rights, the one lease among them for the other of the two as well. */
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

  @AfterEach
  void stop() throws Exception {
    changing.shutdownNow();
    first.close();
    second.close();
    simulator.close();
  }

  @Test
  void killed() throws Exception {
    client.resource(Clusters.smallest(namespace, "before")).create();
    Clusters.awaitReady(client, namespace, "before");
    assertThat(server.auditLog(other).writes()).noneMatch(it -> it.namespace().equals(namespace));

    first.signal("KILL");
    var renewed = lease().getRenewTime().toInstant();
    client.resource(Clusters.smallest(namespace, "after")).create();

    awaitTheOther();
    assertThat(lease().getAcquireTime().toInstant())
        .isBetween(renewed.plus(LEASE_DURATION), renewed.plus(LEASE_DURATION).plusSeconds(10));
    Clusters.awaitReady(client, namespace, "after");
    await("ready").atMost(LONG).until(second::isReady);
    assertThat(server.auditLog(other).forbidden()).isEmpty();
  }

  /**
   * What is halted does not know it, and all of its threads go on where they were. It is halted
   * between two writes, as one that is on its way cannot be called back, and has something to write
   * as soon as it runs again.
   */
  @Test
  void halted() throws Exception {
    client.resource(Clusters.smallest(namespace, "busy")).create();
    Clusters.awaitReady(client, namespace, "busy");
    server.auditLog(one).awaitQuiet(namespace);

    first.signal("STOP");
    awaitTheOther();
    changeAgainAndAgain(other);
    first.signal("CONT");

    assertThat(first.awaitEnd(Duration.ofSeconds(5))).isEqualTo(1);
    assertNothingWrittenSinceTheOtherLeads();
  }

  @Test
  void cutOffFromItsLease() throws Exception {
    client.resource(Clusters.smallest(namespace, "busy")).create();
    changeAgainAndAgain(one);

    client.rbac().roleBindings().inNamespace(accounts).withName(one.name() + "-lease").delete();

    assertThat(first.awaitEnd(Duration.ofSeconds(13))).isEqualTo(1);
    assertThat(lease().getHolderIdentity()).startsWith(one.name());
    awaitTheOther();
    assertNothingWrittenSinceTheOtherLeads();
  }

  @Test
  void toldToStop() throws Exception {
    client.resource(Clusters.smallest(namespace, "busy")).create();
    changeAgainAndAgain(one);

    first.signal("TERM");

    assertThat(first.awaitEnd(Duration.ofSeconds(20))).isEqualTo(128 + 15);
    var ended = Instant.now();
    awaitTheOther();
    assertThat(lease().getAcquireTime().toInstant()).isBefore(ended.plusSeconds(10));
    assertNothingWrittenSinceTheOtherLeads();
  }

  /** Gives the leader something to write at any time. */
  private void changeAgainAndAgain(ServiceAccount leader) {
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

  private LeaseSpec lease() {
    return client.leases().inNamespace(accounts).withName(lease).get().getSpec();
  }

  private void awaitTheOther() {
    await("the other leads")
        .atMost(LONG)
        .until(
            () ->
                lease().getHolderIdentity().startsWith(other.name())
                    && second.leader().endsWith(" 1.0"));
  }

  private void assertNothingWrittenSinceTheOtherLeads() {
    var since = lease().getAcquireTime().toInstant();
    await("the other acts").atMost(LONG).until(() -> !writesIn(other).isEmpty());
    assertThat(server.auditLog(one).writesAfter(since))
        // One of the lease that was on its way names the version that it saw, and is refused.
        .filteredOn(it -> !it.resource().equals("leases"))
        .isEmpty();
    assertThat(lease().getHolderIdentity()).startsWith(other.name());
  }

  private List<AuditLog.Request> writesIn(ServiceAccount account) {
    return server.auditLog(account).writesIn(namespace);
  }
}
