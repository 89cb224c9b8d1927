package io.offheap.hbase.operator.it;

import static io.offheap.hbase.operator.Waits.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.offheap.hbase.operator.api.HBaseCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;

/** A namespace with an operator in which cases of {@code invalid/} are applied. */
final class InvalidInput implements AutoCloseable {
  private final Tool kubectl;
  private final WatchedNamespace namespace;

  /** The running cluster, as kubectl applied it; null before. */
  private HBaseCluster good;

  private InvalidInput(Tool kubectl, WatchedNamespace namespace) {
    this.kubectl = kubectl;
    this.namespace = namespace;
  }

  static InvalidInput start(ApiServer.Running server, String namespace) throws IOException {
    return new InvalidInput(Tool.kubectl(server), WatchedNamespace.start(server, namespace));
  }

  KubernetesClient client() {
    return namespace.client();
  }

  WatchedNamespace namespace() {
    return namespace;
  }

  Tool.Result apply(InvalidCase invalid) throws IOException {
    return apply(invalid.file());
  }

  private Tool.Result apply(Path file) throws IOException {
    return kubectl.run("apply", "--namespace", namespace.name(), "--filename", file.toString());
  }

  void awaitRefusal(InvalidCase invalid) {
    var name = invalid.clusterName();
    await("refusal of " + invalid)
        .pollDelay(Duration.ZERO)
        .atMost(LONG)
        .until(() -> isDecided(namespace.get(name), "False " + invalid.reason()));
    assertThat(namespace.condition(name, "Planned"))
        .hasValueSatisfying(it -> assertThat(it).contains(invalid.messages()));
  }

  /** Whether the operator has reported this for the current spec. */
  private static boolean isDecided(HBaseCluster cluster, String decision) {
    return cluster.getStatus() != null
        && cluster.getMetadata().getGeneration().equals(cluster.getStatus().observedGeneration())
        && Clusters.condition(cluster, "Planned").filter(it -> it.startsWith(decision)).isPresent();
  }

  /**
   * Restores the spec of the running cluster {@code hb}, or creates the cluster, and returns its
   * versions.
   *
   * @param folder for the applied file
   */
  Set<String> runningCluster(Path folder) throws IOException {
    if (good == null) {
      var yaml = Clusters.SMALLEST.replace("NAMESPACE", namespace.name()).replace("NAME", "hb");
      apply(Files.writeString(folder.resolve("good.yaml"), yaml)).orThrow();
      good = namespace.get("hb");
    } else if (!namespace.get("hb").getSpec().equals(good.getSpec())) {
      Clusters.change(
          client(),
          namespace.name(),
          "hb",
          it -> {
            it.setSpec(good.getSpec());
            // kubectl compares the next file with it.
            it.getMetadata().setAnnotations(good.getMetadata().getAnnotations());
          });
    }
    await("valid resource accepted")
        .pollDelay(Duration.ZERO)
        .atMost(LONG)
        .until(() -> isDecided(namespace.get("hb"), "True Planned"));
    namespace.awaitWritten("hb");
    return versions();
  }

  /** The generation, which grows only with changes of the spec. */
  long generation() {
    return namespace.get("hb").getMetadata().getGeneration();
  }

  /** Versions that change with any write to a running object. */
  Set<String> versions() {
    return Clusters.versions(client(), namespace.name());
  }

  /** Nothing was changed by the reconciliations so far nor by one more, which this triggers. */
  void assertNothingChanged(Set<String> before) {
    // The refusing reconciliation may be counted late; a second one has begun after it.
    wakeAPass();
    wakeAPass();
    assertThat(versions()).isEqualTo(before);
  }

  /**
   * Applies an impossible change to the running cluster: the operator reports it, and writes
   * nothing else.
   *
   * @param folder for applied files
   */
  void assertRefusedWithoutChange(InvalidCase invalid, Path folder) throws IOException {
    var before = runningCluster(folder);
    int writes = namespace.writes().size();

    apply(invalid).orThrow();

    awaitRefusal(invalid);
    assertNothingChanged(before);
    var since = namespace.writes();
    assertThat(since.subList(writes, since.size()))
        .allSatisfy(
            it ->
                assertThat(it)
                    .isEqualTo(
                        new AuditLog.Request(
                            "patch", "hbaseclusters", "status", namespace.name(), "hb")));
    assertThat(namespace.condition("hb", "Ready"))
        .as("the running cluster's readiness is unchanged")
        .hasValueSatisfying(it -> assertThat(it).startsWith("True"));
    assertThat(namespace.condition("hb", "Progressing"))
        .as("a column shows the refusal")
        .hasValueSatisfying(it -> assertThat(it).startsWith("False " + invalid.reason()));
  }

  private void wakeAPass() {
    double passes = namespace.operator().passes("success");
    client()
        .resources(HBaseCluster.class)
        .inNamespace(namespace.name())
        .withName("hb")
        .patch(
            PatchContext.of(PatchType.JSON_MERGE),
            "{\"metadata\":{\"annotations\":{\"example.com/woken\":\"" + passes + "\"}}}");
    await("a reconciliation")
        .pollInterval(Duration.ofMillis(20))
        .atMost(LONG)
        .until(() -> namespace.operator().passes("success") > passes);
  }

  @Override
  public void close() {
    namespace.close();
  }
}
