package io.offheap.hbase.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Runs the real tools, with the environment of the end-to-end cluster. */
public final class Shell {
  private final Path root;
  private final Map<String, String> environment;

  private Shell(Path root, Map<String, String> environment) {
    this.root = root;
    this.environment = environment;
  }

  /**
   * What a command printed.
   *
   * @param status exit status
   * @param output standard output
   */
  public record Result(int status, String output) {}

  /** A shell in the project's root folder, with the environment that {@code cluster env} gives. */
  public static Shell ofCluster() {
    var root = root();
    var plain = new Shell(root, Map.of());
    var variables = new HashMap<String, String>();
    var script = "eval \"$(e2e/cluster/cluster env)\" && env -0";
    for (String variable : plain.output("bash", "-c", script).split("\0", -1)) {
      int equals = variable.indexOf('=');
      if (equals > 0) {
        variables.put(variable.substring(0, equals), variable.substring(equals + 1));
      }
    }
    return new Shell(root, variables);
  }

  /** A shell in the project's root folder. */
  public static Shell plain() {
    return new Shell(root(), Map.of());
  }

  /** The project's root folder. */
  static Path root() {
    var here = Path.of("").toAbsolutePath();
    return Files.isDirectory(here.resolve("charts")) ? here : here.getParent();
  }

  /** Runs a command; what it writes to standard error is shown as it comes. */
  public Result run(String... command) {
    return run(List.of(command), true);
  }

  /** Runs a command and shows what it prints as it comes. */
  public int show(String... command) {
    return run(List.of(command), false).status();
  }

  /**
   * Standard output of a command.
   *
   * @throws IllegalStateException if it fails
   */
  public String output(String... command) {
    var result = run(command);
    if (result.status() != 0) {
      throw new IllegalStateException(
          String.join(" ", command) + " ended with " + result.status() + ":\n" + result.output());
    }
    return result.output();
  }

  private Result run(List<String> command, boolean capture) {
    var words = new ArrayList<>(command);
    words.set(0, located(command.get(0)));
    var builder =
        new ProcessBuilder(words).directory(root.toFile()).redirectError(Redirect.INHERIT);
    builder.environment().putAll(environment);
    if (!capture) {
      builder.redirectOutput(Redirect.INHERIT);
    }
    try {
      var process = builder.start();
      process.getOutputStream().close();
      var output = new String(process.getInputStream().readAllBytes(), UTF_8);
      return new Result(process.waitFor(), output);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted: " + String.join(" ", command), e);
    }
  }

  /** Java searches a program on its own path, not on the one that it passes on. */
  private String located(String program) {
    return Stream.of(environment.getOrDefault("PATH", "").split(":", -1))
        .filter(folder -> !folder.isEmpty())
        .map(folder -> Path.of(folder, program))
        .filter(Files::isExecutable)
        .map(Path::toString)
        .findFirst()
        .orElse(program);
  }
}
