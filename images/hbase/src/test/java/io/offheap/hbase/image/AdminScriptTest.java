package io.offheap.hbase.image;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * When the administration tools and HBase's shell are started in a server's container, and with
 * which options; and what else of their jar servers are started with. Java is a script that prints
 * its arguments. The control group is a folder.
 */
class AdminScriptTest {
  private static final Path IMAGE = Path.of("").toAbsolutePath();
  private static final long MIB = 1 << 20;
  private static final String TOOL = "io.offheap.hbase.admin.AdminTool";

  /** By name: an image without patches is built without the class. */
  private static final String DEFAULTS = "io.offheap.hbase.image.ImageDefaults";

  @TempDir private Path folder;
  private Path home;
  private Path configuration;
  private Path cgroup;
  private final Map<String, String> environment = new HashMap<>();

  private record Result(int status, List<String> arguments, String messages) {}

  @BeforeEach
  void image() throws IOException {
    home = Files.createDirectories(folder.resolve("home"));
    for (var file :
        List.of(
            "bin/entrypoint", "bin/admin", "bin/shell", "bin/java.sh", "conf/jvm-base.options")) {
      Files.createDirectories(home.resolve(file).getParent());
      Files.copy(IMAGE.resolve(file), home.resolve(file), StandardCopyOption.COPY_ATTRIBUTES);
    }
    Files.writeString(home.resolve("patches.txt"), "HBase 2\n");
    Files.createDirectories(home.resolve("hadoop/published"));
    Files.createDirectories(home.resolve("lib"));
    Files.writeString(home.resolve("lib/hbase-admin-tools-1.jar"), "");
    configuration = Files.createDirectory(folder.resolve("conf"));
    Files.writeString(configuration.resolve("hbase-site.xml"), "");
    Files.writeString(configuration.resolve("jvm.options"), "-Xms30g\n");
    cgroup = Files.createDirectory(folder.resolve("cgroup"));
    var java = Files.createDirectories(folder.resolve("jdk/bin")).resolve("java");
    Files.writeString(
        java, "#!/bin/sh\nprintf '%s\\n' \"$@\" \"JAVA_TOOL_OPTIONS=$JAVA_TOOL_OPTIONS\"\n");
    assertThat(java.toFile().setExecutable(true)).isTrue();
  }

  private void version2(String limit, long usage, long inactiveFile) throws IOException {
    Files.writeString(cgroup.resolve("memory.max"), limit + "\n");
    Files.writeString(cgroup.resolve("memory.current"), usage + "\n");
    Files.writeString(
        cgroup.resolve("memory.stat"), "anon 5\ninactive_file " + inactiveFile + "\nslab 7\n");
  }

  private void version1(long limit, long usage, long inactiveFile) throws IOException {
    var memory = Files.createDirectory(cgroup.resolve("memory"));
    Files.writeString(memory.resolve("memory.limit_in_bytes"), limit + "\n");
    Files.writeString(memory.resolve("memory.usage_in_bytes"), usage + "\n");
    Files.writeString(
        memory.resolve("memory.stat"),
        "inactive_file 1\ntotal_inactive_file " + inactiveFile + "\n");
  }

  @Test
  void refusesWhereTooLittleMemoryIsFree() throws Exception {
    version2("" + 4096 * MIB, 3900 * MIB, 0);

    var result = admin("tables", "list");

    assertThat(result.status()).isEqualTo(1);
    assertThat(result.arguments()).isEmpty();
    assertThat(result.messages())
        .matches(
            "admin: 196 MiB of this container's memory are free, [0-9]+ must be"
                + " \\(ADMIN_MEMORY\\); run it in a master's pod\n");
    assertThat(Files.readString(IMAGE.resolve("../../docs/admin-tools.md")))
        .as("the message in the manual")
        .contains("```\n" + result.messages() + "```\n");
  }

  @Test
  void pageCacheThatTheKernelDropsFirstIsFree() throws Exception {
    version2("" + 4096 * MIB, 3900 * MIB, 1024 * MIB);

    assertThat(admin("tables", "list").status()).isZero();
  }

  @Test
  void refusesInAControlGroupOfVersion1() throws Exception {
    version1(4096 * MIB, 3900 * MIB, 0);

    assertThat(admin("tables", "list").messages()).startsWith("admin: 196 MiB");
  }

  @Test
  void startsWhereThereIsNoLimit() throws Exception {
    assertThat(admin("tables", "list").status()).isZero();
    version2("max", 1L << 40, 0);
    assertThat(admin("tables", "list").status()).isZero();
    Files.delete(cgroup.resolve("memory.max"));
    version1(9_223_372_036_854_771_712L, 1L << 40, 0);
    assertThat(admin("tables", "list").status()).isZero();
  }

  @Test
  void neededMemoryCanBeSet() throws Exception {
    version2("" + 4096 * MIB, 3900 * MIB, 0);
    environment.put("ADMIN_MEMORY", "196");
    assertThat(admin("tables", "list").status()).isZero();

    environment.put("ADMIN_MEMORY", "1g");
    var result = admin("tables", "list");
    assertThat(result.status()).isEqualTo(2);
    assertThat(result.messages()).isEqualTo("admin: ADMIN_MEMORY: '1g' must be a number of MiB\n");
  }

  @Test
  void takesNoOptionOfTheServer() throws Exception {
    environment.put("JAVA_TOOL_OPTIONS", "-Xmx30g");

    var arguments = admin("scan", "a b", "--start", "\\x00").arguments();

    assertThat(arguments)
        .contains("-Djava.net.preferIPv4Stack=true", "JAVA_TOOL_OPTIONS=")
        .doesNotContain("-Xms30g")
        .containsSequence(TOOL, "scan", "a b", "--start", "\\x00")
        .filteredOn(argument -> argument.startsWith("-Xmx"))
        .hasSize(1);
  }

  @Test
  void entrypointStartsItToo() throws Exception {
    assertThat(run("bin/entrypoint", "admin", "tables", "list").arguments())
        .containsSequence(TOOL, "tables", "list");
  }

  @Test
  void imageWithoutTheToolsIsASentence() throws Exception {
    Files.delete(home.resolve("lib/hbase-admin-tools-1.jar"));

    var result = admin("tables", "list");

    assertThat(result.status()).isEqualTo(1);
    assertThat(result.messages()).isEqualTo("admin: this image has no administration tools\n");
  }

  @Test
  void imageWithoutTheShellNamesTheOptionThatPutsItIn() throws Exception {
    var result = run("bin/entrypoint", "shell");

    assertThat(result.status()).isEqualTo(1);
    assertThat(result.messages())
        .isEqualTo(
            "shell: this image has no HBase shell; use admin, or build the image with"
                + " -Dhbase.shell=true\n");
  }

  @Test
  void shellHasJarsThatNoServerHas() throws Exception {
    Files.createDirectories(home.resolve("lib/shell"));
    Files.writeString(home.resolve("lib/shell/hbase-shell-any.jar"), "");

    var shell = run("bin/entrypoint", "shell", "-n", "script.rb").arguments();

    assertThat(shell).containsSequence("org.jruby.JarBootstrapMain", "-n", "script.rb");
    assertThat(shell).anyMatch(it -> it.endsWith(home + "/lib/*:" + home + "/lib/shell/*"));
    assertThat(shell).doesNotContain("-Xms30g");
    for (var role : List.of("master", "regionserver")) {
      assertThat(String.join(" ", run("bin/entrypoint", role).arguments()))
          .contains("/lib/*")
          .doesNotContain("/lib/shell");
    }
  }

  @Test
  void shellIsNotStartedBesideAServer() throws Exception {
    Files.createDirectories(home.resolve("lib/shell"));
    Files.writeString(home.resolve("lib/shell/hbase-shell-any.jar"), "");
    version2("" + 4096 * MIB, 3900 * MIB, 0);

    assertThat(run("bin/shell").messages())
        .isEqualTo(
            "shell: 196 MiB of this container's memory are free, 768 must be (SHELL_MEMORY); run"
                + " it in a pod of its own\n");
  }

  @Test
  void missingConfigurationIsASentence() throws Exception {
    Files.delete(configuration.resolve("hbase-site.xml"));

    var result = admin("tables", "list");

    assertThat(result.status()).isEqualTo(1);
    assertThat(result.messages())
        .isEqualTo("admin: missing configuration file " + configuration + "/hbase-site.xml\n");
  }

  /** The name node's container, which runs while masters wait for HDFS, has no such file. */
  @Test
  void hdfsNeedsTheConfigurationOfHdfsAlone() throws Exception {
    Files.delete(configuration.resolve("hbase-site.xml"));
    Files.writeString(configuration.resolve("core-site.xml"), "");

    assertThat(admin("hdfs", "safe-mode", "get").arguments())
        .containsSequence(TOOL, "hdfs", "safe-mode", "get");
    assertThat(admin("tables", "list").status()).isEqualTo(1);
  }

  @Test
  void serversStartWithTheImagesDefaultsWhereTheirClassIsThere() throws Exception {
    Files.writeString(home.resolve("lib/hbase-observer-1.jar"), "");
    environment.put("HBASE_CLUSTER", "ns/demo");

    assertThat(run("bin/entrypoint", "master").arguments())
        .containsSequence(
            DEFAULTS,
            "io.offheap.hbase.observer.RootOwner",
            "ns/demo",
            "org.apache.hadoop.hbase.master.HMaster",
            "start");
    Files.delete(home.resolve("lib/hbase-admin-tools-1.jar"));
    assertThat(run("bin/entrypoint", "master").arguments()).doesNotContain(DEFAULTS);
  }

  @Test
  void codecsLibrariesAreThoseOfTheProcessor() throws Exception {
    var uname = new ProcessBuilder("uname", "-m").start();
    var processor = uname.inputReader().readLine();
    var libraries = Files.createDirectories(home.resolve("lib-native/" + processor));

    assertThat(run("bin/entrypoint", "regionserver").arguments())
        .contains(
            "-DZstdNativePath=" + libraries + "/libzstd-jni.so",
            "-Dorg.xerial.snappy.lib.path=" + libraries,
            "-Dorg.xerial.snappy.lib.name=libsnappyjava.so");
  }

  private Result admin(String... arguments) throws Exception {
    return run("bin/admin", arguments);
  }

  private Result run(String script, String... arguments) throws Exception {
    var out = folder.resolve("out");
    var messages = folder.resolve("messages");
    var command = new ArrayList<>(List.of(home.resolve(script).toString()));
    command.addAll(List.of(arguments));
    var builder =
        new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(messages.toFile());
    builder.environment().remove("WAIT_FOR");
    builder.environment().remove("HBASE_CLUSTER");
    builder.environment().put("HBASE_HOME", home.toString());
    builder.environment().put("HBASE_CONF_DIR", configuration.toString());
    builder.environment().put("CGROUP_DIR", cgroup.toString());
    builder.environment().put("JAVA_HOME", folder.resolve("jdk").toString());
    builder.environment().putAll(environment);
    var process = builder.start();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return new Result(process.exitValue(), Files.readAllLines(out), Files.readString(messages));
  }
}
