package io.offheap.hbase.loadgen;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The entry script with the HBase image's own scripts and a java that prints its arguments. */
class LoadgenScriptTest {
  private static final int EX_USAGE = 64;
  private static final int EX_CONFIG = 78;
  private static final Path HBASE_HOME = Path.of("../hbase").toAbsolutePath().normalize();
  private static final Path SCRIPT = Path.of("bin/loadgen").toAbsolutePath();
  private static final String TIERED_STOP = "-XX:TieredStopAtLevel=1";

  @TempDir private Path folder;
  private Path configuration;

  private record Result(int status, List<String> arguments, String messages) {
    String classPath() {
      return arguments.get(arguments.indexOf("-cp") + 1);
    }

    List<String> classAndArguments() {
      return arguments.subList(arguments.indexOf("-cp") + 2, arguments.size());
    }
  }

  @BeforeEach
  void configuration() throws IOException {
    configuration = Files.createDirectory(folder.resolve("conf"));
    Files.writeString(configuration.resolve("hbase-site.xml"), "<configuration/>");
    var java = Files.createDirectories(folder.resolve("jdk/bin")).resolve("java");
    Files.writeString(java, "#!/bin/sh\nprintf '%s\\n' \"LOG_LEVEL=$LOG_LEVEL\" \"$@\"\n");
    assertThat(java.toFile().setExecutable(true)).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "verify, io.offheap.hbase.loadgen.ClusterVerification",
    "load,   io.offheap.hbase.loadgen.ClusterLoad"
  })
  void passesOptionsToTheClassOfTheCommand(String command, String name) throws Exception {
    var result = loadgen(command, "--rows", "5", "two words");

    assertThat(result.status()).isZero();
    assertThat(result.classAndArguments()).containsExactly(name, "--rows", "5", "two words");
    assertThat(Class.forName(name)).hasDeclaredMethods("main");
  }

  @Test
  void runsStateOnlyWithoutArguments() throws Exception {
    assertThat(loadgen("state").classAndArguments()).containsExactly(ClusterState.class.getName());
    assertThat(loadgen("state", "of", "what").status()).isEqualTo(EX_USAGE);
  }

  @Test
  void runsAnyClass() throws Exception {
    assertThat(loadgen("run", MemoryLoad.class.getName(), "--rows", "5").classAndArguments())
        .containsExactly(MemoryLoad.class.getName(), "--rows", "5");
  }

  @Test
  void usesTheFirstCompilerOnlyForShortCommands() throws Exception {
    assertThat(loadgen("verify").arguments()).contains(TIERED_STOP);
    assertThat(loadgen("state").arguments()).contains(TIERED_STOP);
    assertThat(loadgen("load").arguments()).doesNotContain(TIERED_STOP);
  }

  @Test
  void ordersTheClassPath() throws Exception {
    assertThat(loadgen("load").classPath())
        .startsWith(configuration + ":")
        .contains(":" + HBASE_HOME + "/hadoop/published/*:" + HBASE_HOME + "/lib/*:")
        .endsWith(":" + SCRIPT.getParent().resolveSibling("lib") + "/*");
  }

  @Test
  void putsMountedOptionsAfterTheImages() throws Exception {
    Files.writeString(configuration.resolve("jvm.options"), "# a heap\n\n  -Xmx1g  \n");

    var arguments = loadgen("load").arguments();

    assertThat(arguments).contains("-Xmx1g").doesNotContain("# a heap", "");
    assertThat(arguments.indexOf("-Xmx1g"))
        .isGreaterThan(arguments.indexOf("-Djava.net.preferIPv4Stack=true"))
        .isLessThan(arguments.indexOf("-cp"));
  }

  @Test
  void logsWarningsByDefault() throws Exception {
    assertThat(loadgen("load").arguments().get(0)).isEqualTo("LOG_LEVEL=WARN");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "client", "regionserver", "run"})
  void refusesAnUnknownCommand(String command) throws Exception {
    var result = loadgen(command);

    assertThat(result.status()).isEqualTo(EX_USAGE);
    assertThat(result.arguments()).isEmpty();
    assertThat(result.messages()).contains("loadgen: ");
  }

  @Test
  void refusesToStartWithoutConfiguration() throws Exception {
    Files.delete(configuration.resolve("hbase-site.xml"));

    var result = loadgen("verify");

    assertThat(result.status()).isEqualTo(EX_CONFIG);
    assertThat(result.messages())
        .isEqualTo("loadgen: missing configuration file " + configuration + "/hbase-site.xml\n");
  }

  private Result loadgen(String... arguments) throws Exception {
    var out = folder.resolve("out");
    var messages = folder.resolve("messages");
    var builder =
        new ProcessBuilder(SCRIPT.toString())
            .redirectOutput(out.toFile())
            .redirectError(messages.toFile());
    builder.command().addAll(List.of(arguments));
    builder.environment().remove("LOG_LEVEL");
    builder.environment().remove("WAIT_FOR");
    builder.environment().put("HBASE_HOME", HBASE_HOME.toString());
    builder.environment().put("HBASE_CONF_DIR", configuration.toString());
    builder.environment().put("JAVA_HOME", folder.resolve("jdk").toString());
    var process = builder.start();
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    return new Result(
        process.exitValue(), Files.readAllLines(out), Files.readString(messages, UTF_8));
  }
}
