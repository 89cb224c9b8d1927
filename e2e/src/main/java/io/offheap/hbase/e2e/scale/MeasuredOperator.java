package io.offheap.hbase.e2e.scale;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/** The operator as a process, and what the kernel and its JVM report of it. */
final class MeasuredOperator implements AutoCloseable {
  /** Of {@code /proc/PID/stat}, on every Linux. */
  private static final double TICKS_PER_SECOND = 100;

  private static final int PROBE_PORT = 8082;
  private static final long MIB = 1 << 20;

  private final Process process;
  private final Instant started;

  private MeasuredOperator(Process process, Instant started) {
    this.process = process;
    this.started = started;
  }

  /**
   * Starts it.
   *
   * @param script becomes the operator's process
   */
  static MeasuredOperator start(Path script, Path log) throws IOException {
    return new MeasuredOperator(
        new ProcessBuilder(script.toString())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
            .start(),
        Instant.now());
  }

  long pid() {
    return process.pid();
  }

  Instant started() {
    return started;
  }

  /** Whether it leads and reconciles. */
  boolean isReady() throws InterruptedException {
    if (!process.isAlive()) {
      throw new IllegalStateException("the operator has ended with " + process.exitValue());
    }
    try {
      return HttpClient.newHttpClient()
              .send(
                  HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + PROBE_PORT + "/readyz"))
                      .timeout(Duration.ofSeconds(10))
                      .build(),
                  BodyHandlers.discarding())
              .statusCode()
          == 200;
    } catch (IOException e) {
      return false;
    }
  }

  /** Seconds of CPU so far. */
  double cpuSeconds() throws IOException {
    var stat = Files.readString(proc("stat"));
    // The name, which may have spaces, ends with the last bracket.
    var fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) / TICKS_PER_SECOND;
  }

  int threads() throws IOException {
    return Math.toIntExact(status("Threads:"));
  }

  /** Resident, in MiB. */
  long residentMib() throws IOException {
    return status("VmRSS:") / 1024;
  }

  /** The most that ever was resident, in MiB. */
  long peakResidentMib() throws IOException {
    return status("VmHWM:") / 1024;
  }

  /** Bytes of live objects in MiB; makes the JVM collect the whole heap. */
  double liveHeapMib(Path histogram) throws IOException, InterruptedException {
    jcmd(histogram, "GC.class_histogram");
    return Files.readAllLines(histogram).stream()
        .filter(line -> line.startsWith("Total"))
        .mapToDouble(line -> Long.parseLong(line.strip().split("\\s+", -1)[2]) / (double) MIB)
        .findFirst()
        .orElseThrow();
  }

  /** What the JVM prints. */
  void jcmd(Path output, String... command) throws IOException, InterruptedException {
    var words = new java.util.ArrayList<String>();
    words.add(Path.of(System.getProperty("java.home"), "bin", "jcmd").toString());
    words.add(Long.toString(process.pid()));
    words.addAll(Arrays.asList(command));
    var jcmd =
        new ProcessBuilder(words).redirectErrorStream(true).redirectOutput(output.toFile()).start();
    if (jcmd.waitFor() != 0) {
      throw new IOException(String.join(" ", words) + ": " + Files.readString(output));
    }
  }

  private long status(String field) throws IOException {
    return Files.readAllLines(proc("status")).stream()
        .filter(line -> line.startsWith(field))
        .mapToLong(line -> Long.parseLong(line.split("\\s+", -1)[1]))
        .findFirst()
        .orElseThrow();
  }

  private Path proc(String file) {
    return Path.of("/proc", Long.toString(process.pid()), file);
  }

  /** Ends it as a kubelet does. */
  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(120, TimeUnit.SECONDS)) {
        throw new IllegalStateException("the operator has not ended within 120 s");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
