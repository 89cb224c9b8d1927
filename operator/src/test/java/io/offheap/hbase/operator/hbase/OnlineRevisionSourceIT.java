package io.offheap.hbase.operator.hbase;

import static io.offheap.hbase.operator.Waits.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.javaoperatorsdk.operator.processing.event.Event;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.offheap.hbase.operator.FreePort;
import io.offheap.hbase.operator.hbase.OnlineRevisions.Wanted;
import io.offheap.hbase.operator.plan.MemoryPlan;
import io.offheap.hbase.operator.plan.Provenance;
import io.offheap.hbase.operator.plan.Setting;
import io.offheap.hbase.operator.plan.Target;
import io.offheap.hbase.operator.render.ConfigFiles;
import io.offheap.hbase.operator.render.OnlineKeys;
import io.offheap.hbase.operator.rollout.HBaseCommand.Reconfigure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Values that a region server of HBase itself applies while it runs. */
@ResourceLock(value = HBaseJvm.CLIENT_THREADS, mode = ResourceAccessMode.READ)
@Tag("verify")
class OnlineRevisionSourceIT {
  private static final String SMALL = "hbase.regionserver.thread.compaction.small";
  private static final String UID = "uid";
  private static final String POD = RealServers.pod(0);

  @TempDir private Path folder;

  private final int httpPort = FreePort.next();
  private Path conf;
  private ResourceID id;

  @BeforeEach
  void makeFolder() throws IOException {
    conf = Files.createDirectories(folder.resolve(RealServers.name(0)));
  }

  @Test
  void regionServerAppliesReconfiguredValues() throws Exception {
    var two = write("2");
    try (var servers = start();
        var clusters = new ControlledClusters(1, CommandSender.MOVE_DEADLINE)) {
      id = clusters.add("hb", servers.regionServers());
      var source =
          new OnlineRevisionSource(
              clusters.context(),
              cluster -> Map.of(POD, "localhost:" + httpPort),
              Duration.ofSeconds(30));
      var reconciliations = new CopyOnWriteArrayList<Event>();
      source.setEventHandler(reconciliations::add);
      source.start();
      source.onResourceCreated(clusters.resource(id));
      clusters.awaitStart(id, it -> !it.servers().isEmpty());

      awaitInForce(source, two);
      await("a reconciliation that reads it").atMost(LONG).until(() -> !reconciliations.isEmpty());

      var four = write("4");
      assertThat(inForce(source, four)).containsEntry(UID, two);
      reconfigure(clusters);
      awaitInForce(source, four);
      awaitLog("Changing the value of " + SMALL + " from 2 to 4");

      var none = write();
      reconfigure(clusters);
      awaitInForce(source, none);
      awaitLog("Changing the value of " + SMALL + " from 4 to 1");
      assertThat(servers.areAlive()).isTrue();
      source.stop();
    }
  }

  private Map<String, String> inForce(OnlineRevisionSource source, String wanted) {
    return source.inForce(id, List.of(new Wanted(POD, UID, wanted)));
  }

  private void awaitInForce(OnlineRevisionSource source, String revision) {
    await()
        .atMost(LONG)
        .untilAsserted(
            () -> assertThat(inForce(source, revision)).isEqualTo(Map.of(UID, revision)));
  }

  private void awaitLog(String line) {
    await()
        .atMost(LONG)
        .untilAsserted(
            () ->
                assertThat(folder.resolve(RealServers.name(0) + ".log")).content().contains(line));
  }

  private Optional<String> serverName(ControlledClusters clusters) {
    return clusters.view(id).stream()
        .flatMap(view -> view.servers().stream())
        .map(it -> it.name())
        .findFirst();
  }

  /** A running command is not sent again, so it must have ended. */
  private void reconfigure(ControlledClusters clusters) {
    await().atMost(LONG).until(() -> clusters.control().running(id), running -> running == 0);
    clusters.control().send(id, List.of(new Reconfigure(serverName(clusters).orElseThrow())));
  }

  /** Returns the revision. */
  private String write(String... threads) throws IOException {
    var plan =
        new MemoryPlan(
            Stream.of(threads)
                .map(
                    it ->
                        Setting.stored(
                            Target.HBASE_SITE, SMALL, it, Provenance.DECLARED, "declared", ""))
                .toList(),
            List.of());
    Files.writeString(conf.resolve(OnlineKeys.FILE), ConfigFiles.online(plan).get(OnlineKeys.FILE));
    return OnlineKeys.online(plan).hash();
  }

  /** Its HTTP server needs a directory of pages, none of which is read. */
  private RealServers start() throws IOException {
    Files.createDirectories(conf.resolve("hbase-webapps").resolve("regionserver"));
    Files.createDirectories(conf.resolve("hbase-webapps").resolve("static"));
    Files.writeString(
        conf.resolve("log4j2.properties"),
        """
        appender.console.type = Console
        appender.console.name = console
        rootLogger.level = info
        rootLogger.appenderRef.console.ref = console
        """);
    return RealServers.start(
        folder, 1, 1, Map.of("hbase.regionserver.info.port", Integer.toString(httpPort)));
  }
}
