package io.offheap.hbase.image;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whether HBase's own pages are on the class path of what java.sh starts. */
class WebRootTest {
  private static final Path IMAGE = Path.of("").toAbsolutePath();
  private static final String SHOW_CLASS_PATH =
      "source \"$1/bin/java.sh\"; java_options=(); set_class_path published; echo \"$class_path\"";
  private static final int EX_CONFIG = 78;

  @TempDir private Path home;

  private record Result(int status, String output, String messages) {}

  @BeforeEach
  void image() throws IOException {
    for (var folder : List.of("bin", "lib", "hadoop/published")) {
      Files.createDirectories(home.resolve(folder));
    }
    Files.copy(IMAGE.resolve("bin/java.sh"), home.resolve("bin/java.sh"));
    Files.writeString(home.resolve("lib/hbase-observer-1.jar"), "");
  }

  @Test
  void hasThePagesWhereTheVariableIsTrue() throws Exception {
    var classPath = run(Map.of("WEB_PAGES", "true")).output();

    assertThat(classPath).contains(":" + home + "/pages:" + home + "/webroot:");
  }

  @Test
  void hasNoPagesOtherwise() throws Exception {
    for (var environment : List.of(Map.<String, String>of(), Map.of("WEB_PAGES", "false"))) {
      assertThat(run(environment).output())
          .contains(":" + home + "/webroot:")
          .doesNotContain("/pages");
    }
  }

  @Test
  void anImageOfAnotherHBaseHasNone() throws Exception {
    Files.delete(home.resolve("lib/hbase-observer-1.jar"));

    var result = run(Map.of("WEB_PAGES", "true"));

    assertThat(result.output()).contains("/webroot:").doesNotContain("/pages");
    assertThat(result.messages()).contains("this image has no pages");
  }

  @ParameterizedTest
  @ValueSource(strings = {"TRUE", "1", "yes"})
  void refusesAnythingElse(String value) throws Exception {
    var result = run(Map.of("WEB_PAGES", value));

    assertThat(result.status()).isEqualTo(EX_CONFIG);
    assertThat(result.messages()).contains("WEB_PAGES=" + value + " must be true or false");
  }

  private Result run(Map<String, String> environment) throws Exception {
    var out = home.resolve("out");
    var messages = home.resolve("messages");
    var builder =
        new ProcessBuilder(
                "bash", "-euo", "pipefail", "-c", SHOW_CLASS_PATH, "test", home.toString())
            .redirectOutput(out.toFile())
            .redirectError(messages.toFile());
    builder.environment().remove("WEB_PAGES");
    builder.environment().put("HBASE_HOME", home.toString());
    builder.environment().putAll(environment);
    var process = builder.start();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return new Result(process.exitValue(), Files.readString(out), Files.readString(messages));
  }
}
