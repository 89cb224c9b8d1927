package io.offheap.hbase.image;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Which of Hadoop's jars each role is started with, and ZooKeeper with which file. Java is a script
 * that prints its arguments.
 */
class HadoopJarsTest {
  private static final Path IMAGE = Path.of("").toAbsolutePath();
  private static final int EX_CONFIG = 78;

  @TempDir private Path folder;
  private Path home;
  private Path configuration;

  private record Result(int status, List<String> arguments, String messages) {
    List<String> hadoop() {
      var classPath = arguments.get(arguments.indexOf("-cp") + 1);
      return Stream.of(classPath.split(":")).filter(part -> part.contains("/hadoop")).toList();
    }
  }

  @BeforeEach
  void image() throws IOException {
    home = Files.createDirectories(folder.resolve("home"));
    for (var file : List.of("bin/entrypoint", "bin/java.sh", "conf/jvm-base.options")) {
      Files.createDirectories(home.resolve(file).getParent());
      Files.copy(IMAGE.resolve(file), home.resolve(file), StandardCopyOption.COPY_ATTRIBUTES);
    }
    Files.writeString(home.resolve("patches.txt"), "HBase 2\npatch 0001 One\n");
    Files.createDirectories(home.resolve("hadoop/published"));
    Files.createDirectories(home.resolve("hadoop/patched"));
    // A name node with data is not formatted.
    Files.createDirectories(folder.resolve("data/name/current"));
    configuration = Files.createDirectory(folder.resolve("conf"));
    for (var file :
        List.of("zoo.cfg", "core-site.xml", "hdfs-site.xml", "hbase-site.xml", "jvm.options")) {
      Files.writeString(configuration.resolve(file), "");
    }
    var java = Files.createDirectories(folder.resolve("jdk/bin")).resolve("java");
    Files.writeString(java, "#!/bin/sh\nprintf '%s\\n' \"$@\"\n");
    assertThat(java.toFile().setExecutable(true)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"zookeeper", "namenode", "datanode", "master"})
  void publishedForOtherRoles(String role) throws Exception {
    assertThat(start(role).hadoop()).containsExactly(home + "/hadoop/published/*");
  }

  @Test
  void patchedForRegionServers() throws Exception {
    var result = start("regionserver");

    assertThat(result.hadoop()).containsExactly(home + "/hadoop/patched/*");
    assertThat(result.messages()).endsWith("entrypoint: Hadoop's jars: patched\n");
  }

  @Test
  void publishedForRegionServersByTheSwitch() throws Exception {
    options("-Xmx1g", "-Dhbase.offheap.hadoop=published");

    var result = start("regionserver");

    assertThat(result.hadoop()).containsExactly(home + "/hadoop/published/*");
    assertThat(result.messages()).endsWith("entrypoint: Hadoop's jars: published\n");
  }

  @Test
  void theSwitchPatchesNoOtherRole() throws Exception {
    options("-Dhbase.offheap.hadoop=patched");

    assertThat(start("master").hadoop()).containsExactly(home + "/hadoop/published/*");
  }

  @Test
  void theLastOfTwoOptionsCounts() throws Exception {
    options("-Dhbase.offheap.hadoop=published", "-Dhbase.offheap.hadoop=patched");

    assertThat(start("regionserver").hadoop()).containsExactly(home + "/hadoop/patched/*");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "Published", "true"})
  void refusesAnythingElse(String value) throws Exception {
    options("-Dhbase.offheap.hadoop=" + value);

    var result = start("regionserver");

    assertThat(result.status()).isEqualTo(EX_CONFIG);
    assertThat(result.messages())
        .contains("-Dhbase.offheap.hadoop=" + value + " must be patched or published");
  }

  @Test
  void publishedForRegionServersOfAnImageWithoutPatches() throws Exception {
    Files.delete(home.resolve("hadoop/patched"));

    assertThat(start("regionserver").hadoop()).containsExactly(home + "/hadoop/published/*");
  }

  /** As in the build: HBase's jars are replaced, Hadoop's are put beside the published ones. */
  @Test
  void aProcessGetsOneOfTwoJars() throws Exception {
    var patches = Files.createDirectories(folder.resolve("patches/jars")).getParent();
    Files.writeString(patches.resolve("patches.txt"), "0001 One\n");
    var lib = Files.createDirectories(folder.resolve("image/lib"));
    for (var jar : List.of("hbase-server-2.jar", "hadoop-common-3.jar")) {
      Files.writeString(lib.resolve(jar), "published");
      Files.writeString(patches.resolve("jars").resolve(jar), "patched");
    }
    Files.writeString(lib.resolve("hadoop-hdfs-3.jar"), "published");

    var result =
        run(IMAGE + "/replace-patched", patches.toString(), lib.getParent().toString(), "");

    assertThat(result.status()).isZero();
    assertThat(lib.resolve("hbase-server-2.jar")).hasContent("patched");
    assertThat(lib.resolve("hadoop-hdfs-3.jar")).hasContent("published");
    assertThat(lib.resolve("hadoop-common-3.jar")).doesNotExist();
    var hadoop = lib.resolveSibling("hadoop");
    assertThat(hadoop.resolve("published/hadoop-common-3.jar")).hasContent("published");
    assertThat(hadoop.resolve("patched/hadoop-common-3.jar")).hasContent("patched");
  }

  @Test
  void zooKeeperHasMetricsWhereTheImageHasTheirClass() throws Exception {
    Files.writeString(configuration.resolve("zoo.cfg"), "clientPort=1\n");
    Files.createDirectories(home.resolve("lib"));
    Files.writeString(home.resolve("lib/hbase-observer-1.jar"), "");

    var arguments = start("zookeeper").arguments();

    // Of two lines for a key the later one counts: what is mounted overrides.
    assertThat(Path.of(arguments.get(arguments.size() - 1)))
        .hasContent(
            "metricsProvider.className=io.offheap.hbase.observer.ZooKeeperMetrics\nclientPort=1\n");
    assertThat(arguments).contains("-Dsun.net.httpserver.maxReqTime=5");
  }

  @Test
  void zooKeeperStartsWithoutMetricsElsewhere() throws Exception {
    assertThat(start("zookeeper").arguments())
        .last()
        .isEqualTo(configuration.resolve("zoo.cfg").toString());
  }

  /** Its {@code /tmp} has a bound, and outlives the container. */
  @Test
  void startKeepsOfKilledProcessesTheLastRepositoryOfJfr() throws Exception {
    for (var name :
        List.of(
            "2026_11_24_23_59_59_1", "2026_11_25_00_00_01_1", "2025_01_01_00_00_00_1", "other_1")) {
      Files.writeString(Files.createDirectory(folder.resolve(name)).resolve("chunk.jfr"), "");
    }

    assertThat(start("regionserver").status()).isZero();
    assertThat(start("regionserver").status()).as("with nothing to delete").isZero();

    assertThat(folder.resolve("2026_11_25_00_00_01_1/chunk.jfr")).exists();
    assertThat(folder.resolve("other_1/chunk.jfr")).exists();
    assertThat(folder.resolve("2026_11_24_23_59_59_1")).doesNotExist();
    assertThat(folder.resolve("2025_01_01_00_00_00_1")).doesNotExist();
  }

  @Test
  void crashWritesNoCore() throws Exception {
    assertThat(start("regionserver").arguments()).contains("-XX:-CreateCoredumpOnCrash");
  }

  private void options(String... options) throws IOException {
    Files.write(configuration.resolve("jvm.options"), List.of(options));
  }

  private Result start(String role) throws Exception {
    return run(home + "/bin/entrypoint", role);
  }

  private Result run(String... command) throws Exception {
    var out = folder.resolve("out");
    var messages = folder.resolve("messages");
    var builder =
        new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(messages.toFile());
    builder.environment().remove("WAIT_FOR");
    builder.environment().put("HOSTNAME", "server-0");
    builder.environment().put("TMPDIR", folder.toString());
    builder.environment().put("DATA_DIR", folder.resolve("data").toString());
    builder.environment().put("HBASE_HOME", home.toString());
    builder.environment().put("HBASE_CONF_DIR", configuration.toString());
    builder.environment().put("JAVA_HOME", folder.resolve("jdk").toString());
    var process = builder.start();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return new Result(process.exitValue(), Files.readAllLines(out), Files.readString(messages));
  }
}
