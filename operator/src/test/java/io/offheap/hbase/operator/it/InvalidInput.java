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

/** A namespace of its own in which cases of {@code invalid/} are applied, with an operator. */
final class InvalidInput implements AutoCloseable {
  private final Tool kubectl;
  private final WatchedNamespace namespace;

  /** The cluster that runs, as kubectl applied it; null until then. */
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

  /** Whether the operator has said this of the spec as it is now. */
  private static boolean isDecided(HBaseCluster cluster, String decision) {
    return cluster.getStatus() != null
        && cluster.getMetadata().getGeneration().equals(cluster.getStatus().observedGeneration())
        && Clusters.condition(cluster, "Planned").filter(it -> it.startsWith(decision)).isPresent();
  }

  /**
   * Brings the cluster {@code hb} back to what runs, or makes it, and returns its versions.
   *
   * @param folder for the file that is applied
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
            // What kubectl compares the next file with.
            it.getMetadata().setAnnotations(good.getMetadata().getAnnotations());
          });
    }
    await("good resource taken")
        .pollDelay(Duration.ZERO)
        .atMost(LONG)
        .until(() -> isDecided(namespace.get("hb"), "True Planned"));
    namespace.awaitReady("hb");
    return versions();
  }

  /** Grows with each change of the cluster's spec, and nothing else. */
  long generation() {
    return namespace.get("hb").getMetadata().getGeneration();
  }

  /** What would tell of a touch on anything that runs. */
  Set<String> versions() {
    return Clusters.versions(client(), namespace.name());
  }

  /** Neither by the passes so far nor by one more, which is woken for this. */
  void assertNothingTouched(Set<String> before) {
    // The pass that has refused may be counted only now: the second one began after it.
    wakeAPass();
    wakeAPass();
    assertThat(versions()).isEqualTo(before);
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
    await("a pass")
        .pollInterval(Duration.ofMillis(20))
        .atMost(LONG)
        .until(() -> namespace.operator().passes("success") > passes);
  }

  @Override
  public void close() {
    namespace.close();
  }
}
