package io.offheap.hbase.operator.it;

import io.offheap.hbase.operator.FreePort;
import io.offheap.hbase.operator.boot.Main;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** An operator in a process of its own, as in its pod: it can be killed, and can end itself. */
final class OperatorChild implements AutoCloseable {
  private final Process process;
  private final int port;
  private final int probePort;
  private final int pagePort;
  private final Path log;

  private OperatorChild(Process process, int port, int probePort, int pagePort, Path log) {
    this.process = process;
    this.port = port;
    this.probePort = probePort;
    this.pagePort = pagePort;
    this.log = log;
  }

  /** Starts an operator with a service account's rights and more environment variables. */
  static OperatorChild start(
      ApiServer.Running server, ServiceAccount account, Map<String, String> variables)
      throws IOException {
    return start(
        server, account, variables, Main.class, List.of("-Xmx256m", "-XX:TieredStopAtLevel=1"));
  }

  /** The same with another main class and other JVM options. */
  static OperatorChild start(
      ApiServer.Running server,
      ServiceAccount account,
      Map<String, String> variables,
      Class<?> main,
      List<String> jvmOptions)
      throws IOException {
    int port = FreePort.next();
    int probePort = FreePort.next();
    int pagePort = FreePort.next();
    var log = Files.createTempFile(account.name(), ".log");
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(jvmOptions);
    command.addAll(
        List.of("-cp", System.getProperty("java.class.path"), main.getName(), "operator"));
    var builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
    var environment = builder.environment();
    environment.put("KUBECONFIG", server.kubeConfigFile().toString());
    environment.put("KUBERNETES_IMPERSONATE_USERNAME", account.user());
    environment.put("KUBERNETES_IMPERSONATE_GROUP", String.join(",", account.groups()));
    environment.put("HTTP_PORT", Integer.toString(port));
    environment.put("PROBE_PORT", Integer.toString(probePort));
    environment.put("PAGE_PORT", Integer.toString(pagePort));
    environment.putAll(variables);
    return new OperatorChild(builder.start(), port, probePort, pagePort, log);
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** Its peak resident memory; 0 after its end. */
  long peakBytes() throws IOException {
    return Files.readAllLines(Path.of("/proc", Long.toString(process.pid()), "status")).stream()
        .filter(it -> it.startsWith("VmHWM:"))
        .mapToLong(it -> Long.parseLong(it.replaceAll("[^0-9]", "")) << 10)
        .sum();
  }

  /** Whether it is ready. */
  boolean isReady() {
    return get(probePort, "/readyz").equals("ok\n");
  }

  /** The leader by its metrics; empty while they cannot be read. */
  String leader() {
    return get(port, "/metrics")
        .lines()
        .filter(it -> it.startsWith("hbase_offheap_leader "))
        .findFirst()
        .orElse("");
  }

  /** The page's list of clusters, as JSON; empty while it cannot be read. */
  String page() {
    return get(pagePort, "/api/clusters");
  }

  private static String get(int port, String path) {
    var uri = URI.create("http://127.0.0.1:" + port + path);
    try {
      return HttpClient.newHttpClient()
          .send(
              HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(10)).build(),
              BodyHandlers.ofString())
          .body();
    } catch (IOException e) {
      return "";
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** Sends it a signal, such as STOP. */
  void signal(String signal) throws IOException, InterruptedException {
    var kill =
        new ProcessBuilder(List.of("kill", "-" + signal, Long.toString(process.pid())))
            .inheritIO()
            .start();
    if (kill.waitFor() != 0) {
      throw new IOException("kill -" + signal + " failed");
    }
  }

  /** Its exit status; it must end within this time. */
  int awaitEnd(Duration atMost) throws InterruptedException {
    if (!process.waitFor(atMost.toMillis(), TimeUnit.MILLISECONDS)) {
      throw new AssertionError("still runs after " + atMost + "\n" + log());
    }
    return process.exitValue();
  }

  /** Its log. */
  String log() {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      return e.toString();
    }
  }

  @Override
  public void close() throws IOException {
    process.destroyForcibly();
    Files.deleteIfExists(log);
  }
}
