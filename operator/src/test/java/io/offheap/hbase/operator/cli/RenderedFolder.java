package io.offheap.hbase.operator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** A resource in a folder, and the files that {@code render} writes for it. */
final class RenderedFolder {
  static final String CLUSTER =
      """
      apiVersion: hbase.offheap.io/v1alpha1
      kind: HBaseCluster
      metadata: {name: test}
      spec:
        zookeeper: {external: {quorum: "zk:2181"}}
        storage: {external: {rootDir: "hdfs://ns/hbase"}}
        regionServers:
          memory: {heap: 256Mi, offHeap: 256Mi}
          config: {test.expression: "a < b && c > 'd'"}
          jvmOptions: ['-Dtest.price="$5`\\\\', '-Dtest.star=/*']
      """;

  private final Path folder;

  RenderedFolder(Path folder) {
    this.folder = folder;
  }

  /** Writes the resource, and returns its file's name. */
  String cluster() throws IOException {
    return Files.writeString(folder.resolve("file.yaml"), CLUSTER).toString();
  }

  /** Renders the resource in this file. */
  void render(String cluster) {
    var run = CommandLineRun.of("render", cluster, "--out", conf(".").toString());
    assertThat(run.err()).isEmpty();
    assertThat(run.status()).isZero();
  }

  /** A rendered file. */
  Path conf(String name) {
    return folder.resolve("conf").resolve(name).normalize();
  }

  /** The output of a shell command in the folder of the rendered files. */
  String bash(String script) throws IOException, InterruptedException {
    var builder = new ProcessBuilder("bash", "-c", script).directory(conf(".").toFile());
    builder.environment().remove("HBASE_REGIONSERVER_OPTS");
    var process = builder.redirectErrorStream(true).start();
    var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return output;
  }
}
