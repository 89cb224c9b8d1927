package io.offheap.hbase.e2e;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * An HBaseCluster in whose pods runs {@code HostilePod} of the operator's tests in the place of
 * HBase: it responds without end, slowly, packed, with a million regions, with what is no JSON.
 */
record HostileCluster(Kubectl kubectl) {
  private static final String NAME = "hostile";

  private static final String RESOURCE =
      """
      apiVersion: hbase.offheap.io/v1alpha1
      kind: HBaseCluster
      metadata: {name: hostile}
      spec:
        image: {tag: hostile}
        zookeeper: {external: {quorum: "hostile-zk:2181"}}
        storage: {external: {rootDir: "hdfs://hostile/hbase"}}
        masters: {replicas: 1, heap: 512Mi}
        regionServers:
          replicas: 2
          memory: {heap: 768Mi, offHeap: 256Mi}
          resources: {requests: {cpu: 50m}, limits: {cpu: "0.3"}}
      """;

  /** Makes its image, over one of HBase, and the resource. */
  void start(String hbaseImage) throws IOException {
    try (var image = ImageOver.of(kubectl.shell(), hbaseImage)) {
      copyClasses(Shell.root().resolve("operator/target/test-classes"), image.folder());
      image.load(
          NAME,
          """
          COPY io /opt/hostile/io
          ENTRYPOINT ["java", "-Xmx256m", "-cp", "/opt/hostile:/opt/hbase/lib/*", \
          "io.offheap.hbase.operator.hbase.HostilePod"]
          """);
    }
    var file = Files.createTempFile(NAME, ".yaml");
    Files.writeString(file, RESOURCE);
    kubectl.output("apply", "-f", file.toString());
    Files.delete(file);
  }

  private static void copyClasses(Path from, Path to) throws IOException {
    var inPackage = Path.of("io/offheap/hbase/operator/hbase");
    Files.createDirectories(to.resolve(inPackage));
    try (var classes = Files.newDirectoryStream(from.resolve(inPackage), "Hostile*.class")) {
      for (Path file : classes) {
        Files.copy(file, to.resolve(inPackage).resolve(file.getFileName()));
      }
    }
  }

  /** {@code HostileServerIT} of the operator has each fault; here the condition has one. */
  void awaitReported() {
    var condition =
        await("a fault")
            .atMost(Duration.ofMinutes(5))
            .pollInterval(Duration.ofSeconds(1))
            .ignoreException(IllegalStateException.class)
            .until(
                () -> kubectl.condition(NAME, "ResponsesRefused"),
                it -> it.startsWith("True ServersOutOfBounds"));
    System.out.println(condition);
  }

  void remove() {
    kubectl.output("delete", "hbc", NAME, "--timeout=120s");
  }
}
