package io.offheap.hbase.operator.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.offheap.hbase.operator.Slow;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;

@ResourceLock(value = HBaseJvm.CLIENT_THREADS, mode = ResourceAccessMode.READ)
class BootstrapRegistryTest {
  /** Longer than one request to each server of a test, one after the other. */
  private static final long SECONDS = 60;

  private final List<HostileServer> servers = new ArrayList<>();

  private BootstrapRegistry registry(HostileServer.Rpc... ways) {
    Stream.of(ways)
        .map(way -> HostileServer.start(InetAddress.getLoopbackAddress(), 0, way))
        .forEach(servers::add);
    var addresses = servers.stream().map(server -> "localhost:" + server.port()).toList();
    return new BootstrapRegistry(
        ClientSettings.of(new ResourceID("hb", "ns"), addresses), ClientSettings.user());
  }

  @AfterEach
  void stop() {
    servers.forEach(HostileServer::close);
  }

  private static Throwable failure(BootstrapRegistry registry) {
    return catchThrowableOfType(
            ExecutionException.class,
            () -> registry.getActiveMaster().get(SECONDS, TimeUnit.SECONDS))
        .getCause();
  }

  /** In whatever order the servers are tried. */
  @Test
  void oneServerThatRespondsIsEnough() throws Exception {
    try (var registry =
        registry(
            HostileServer.Rpc.SILENT,
            HostileServer.Rpc.MALFORMED,
            HostileServer.Rpc.LARGE_FRAME,
            HostileServer.Rpc.OTHER_HOSTS)) {
      for (int i = 0; i < 5; i++) {
        assertThat(registry.getActiveMaster().get(SECONDS, TimeUnit.SECONDS).getHostname())
            .isEqualTo("rs-0.others.svc");
      }
    }
  }

  @Test
  @Slow
  void refusedResponseIsTheCause() {
    try (var registry = registry(HostileServer.Rpc.SILENT, HostileServer.Rpc.MALFORMED)) {
      var failure = failure(registry);
      assertThat(failure).hasMessageContaining("none of localhost:");
      assertThat(RefusedResponseException.in(failure).map(Throwable::getMessage).orElseThrow())
          .startsWith("localhost:" + servers.get(1).port() + " sent a malformed Get");
      assertThat(failure.getSuppressed()).as("the silent server's").hasSize(1);
    }
  }

  @Test
  @Slow
  void requestEndsIfNoServerResponds() {
    try (var registry = registry(HostileServer.Rpc.SILENT)) {
      assertThat(failure(registry)).hasMessageContaining("none of localhost:").hasNoCause();
    }
  }
}
