package io.offheap.hbase.operator.it;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A real command against the test's API server, with an administrator's rights. */
final class Tool {
  private final Path program;
  private final List<Path> folders;
  private final ApiServer.Running server;

  private Tool(Path program, List<Path> folders, ApiServer.Running server) {
    this.program = program;
    this.folders = folders;
    this.server = server;
  }

  static Tool kubectl(ApiServer.Running server) throws IOException {
    return of("kubectl", server);
  }

  static Tool helm(ApiServer.Running server) throws IOException {
    return of("helm", server);
  }

  /** A program that calls helm and kubectl itself. */
  static Tool script(Path program, ApiServer.Running server) throws IOException {
    return new Tool(program.toAbsolutePath(), List.of(Path.of(ClusterScript.run("tools"))), server);
  }

  /** The same, with a further folder on its PATH. */
  Tool with(Path further) {
    return new Tool(program, Stream.concat(Stream.of(further), folders.stream()).toList(), server);
  }

  private static Tool of(String name, ApiServer.Running server) throws IOException {
    var folder = Path.of(ClusterScript.run("tools"));
    return new Tool(folder.resolve(name), List.of(folder), server);
  }

  /**
   * How it ended.
   *
   * @param status exit status
   * @param output standard output
   * @param errors standard error
   */
  record Result(int status, String output, String errors) {
    /** The output of a command that must not fail. */
    String orThrow() {
      if (status != 0) {
        throw new AssertionError("exit status " + status + "\n" + output + errors);
      }
      return output;
    }
  }

  Result run(String... arguments) throws IOException {
    return run(List.of(arguments));
  }

  Result run(List<String> arguments) throws IOException {
    var errors = Files.createTempFile(program.getFileName().toString(), ".err");
    var command = new ArrayList<>(List.of(program.toString()));
    command.addAll(arguments);
    var builder = new ProcessBuilder(command).redirectError(errors.toFile());
    builder.environment().put("KUBECONFIG", server.kubeConfigFile().toString());
    var path = folders.stream().map(Path::toString).collect(Collectors.joining(":"));
    builder.environment().merge("PATH", path, (before, own) -> own + ":" + before);
    var process = builder.start();
    try {
      process.getOutputStream().close();
      var output = new String(process.getInputStream().readAllBytes(), UTF_8);
      return new Result(process.waitFor(), output, Files.readString(errors));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(command + " was interrupted", e);
    } finally {
      Files.delete(errors);
    }
  }
}
