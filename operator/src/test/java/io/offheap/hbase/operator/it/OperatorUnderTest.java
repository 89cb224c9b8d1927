package io.offheap.hbase.operator.it;

import io.offheap.hbase.operator.OperatorProcess;
import io.offheap.hbase.operator.OperatorSettings;
import java.io.IOException;
import java.util.Map;

/** The whole operator, as its image runs it, against the test's API server. */
final class OperatorUnderTest implements AutoCloseable {
  private final OperatorProcess process;

  private OperatorUnderTest(OperatorProcess process) {
    this.process = process;
  }

  static OperatorUnderTest start(ApiServer.Running server, String... namespaces)
      throws IOException {
    var settings =
        OperatorSettings.of(
            Map.of("WATCH_NAMESPACES", String.join(",", namespaces), "HTTP_PORT", "0"));
    return new OperatorUnderTest(OperatorProcess.start(settings, server.operatorClient()));
  }

  int httpPort() {
    return process.httpPort();
  }

  @Override
  public void close() {
    process.close();
  }
}
