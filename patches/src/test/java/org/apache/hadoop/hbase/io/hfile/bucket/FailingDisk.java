package org.apache.hadoop.hbase.io.hfile.bucket;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A real file on a file system of its own, by FUSE, whose reads fail or hang on request: {@code
 * failing-disk.py}. It wants {@code /dev/fuse}, Debian's python3-fusepy, and root or user name
 * spaces.
 */
final class FailingDisk implements AutoCloseable {
  /** Reads so far, those that failed, and those that hang. */
  record Count(int reads, int failed, int hanging) {}

  private final Process server;
  private final BufferedReader responses;
  private final PrintWriter commands;
  private final Path file;

  /**
   * Mounts it, for as long as this process runs at most.
   *
   * @param mountPoint an empty folder, which stays empty for everybody else
   */
  FailingDisk(Path mountPoint) throws IOException {
    assertThat(Path.of("/dev/fuse"))
        .as("this test needs FUSE: modprobe fuse; in a container --device /dev/fuse")
        .exists();
    var program = Path.of("src", "test", "resources", "failing-disk.py").toAbsolutePath();
    // In a name space of its own, the mount goes with the process, whatever ends it.
    List<String> command = new ArrayList<>(List.of("unshare", "--mount"));
    if (!System.getProperty("user.name").equals("root")) {
      command.addAll(List.of("--user", "--map-root-user"));
    }
    command.addAll(
        List.of("/usr/bin/python3", program.toString(), mountPoint.toRealPath().toString()));
    server = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    responses = server.inputReader(StandardCharsets.UTF_8);
    commands = new PrintWriter(server.outputWriter(StandardCharsets.UTF_8), true);
    var response = responses.readLine();
    if (!"mounted".equals(response)) {
      close();
      throw new AssertionError(
          "no file system, for the reason above; it needs python3-fusepy"
              + " (e2e/bin/toolchain python3-fusepy) and the right to mount");
    }
    file =
        Path.of("/proc", Long.toString(server.pid()), "root")
            .resolve(Path.of("/").relativize(mountPoint.toRealPath()));
  }

  /** As other processes see it. */
  Path file() {
    return file.resolve("cache");
  }

  void works() throws IOException {
    send("pass");
  }

  void fails() throws IOException {
    send("fail");
  }

  /** Those that come from now on, which stay blocked whatever others do. */
  void readsHang() throws IOException {
    send("hang");
  }

  void letGo() throws IOException {
    send("let-go");
  }

  Count count() throws IOException {
    int[] numbers = Arrays.stream(send("count").split(" ")).mapToInt(Integer::parseInt).toArray();
    return new Count(numbers[0], numbers[1], numbers[2]);
  }

  private synchronized String send(String command) throws IOException {
    commands.println(command);
    var response = responses.readLine();
    if (response == null) {
      throw new IOException("the file system's process has ended");
    }
    return response;
  }

  /** Ends the file system; reads that hang fail. */
  @Override
  public void close() throws IOException {
    commands.close();
    try {
      if (!server.waitFor(10, TimeUnit.SECONDS)) {
        server.destroyForcibly().waitFor();
      }
    } catch (InterruptedException e) {
      server.destroyForcibly();
      Thread.currentThread().interrupt();
    }
    responses.close();
  }
}
