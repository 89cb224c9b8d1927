package io.offheap.hbase.operator.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.javaoperatorsdk.operator.processing.event.Event;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.offheap.hbase.operator.hbase.OnlineRevisions.Wanted;
import io.offheap.hbase.operator.plan.MemoryPlan;
import io.offheap.hbase.operator.plan.Setting;
import io.offheap.hbase.operator.plan.Target;
import io.offheap.hbase.operator.render.ConfigFiles;
import io.offheap.hbase.operator.render.OnlineKeys;
import io.offheap.hbase.operator.rollout.HBaseCommand.Reconfigure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Values that a region server of HBase itself takes over while it runs. */
class OnlineRevisionSourceTest {
  private static final String SMALL = "hbase.regionserver.thread.compaction.small";
  private static final String UID = "uid";

  @TempDir private Path folder;

  private final int zooKeeperPort = HBaseJvm.freePort();
  private final int port = HBaseJvm.freePort();
  private final int httpPort = HBaseJvm.freePort();
  private ResourceID id;

  @Test
  void aRegionServerTakesOverWhatItIsToldToRead() throws Exception {
    var two = write("2");
    try (var zookeeper = zookeeper();
        var master = master();
        var server = regionServer();
        var clusters = new ControlledClusters(1)) {
      id = clusters.add("hb", List.of("localhost:" + port));
      var source =
          new OnlineRevisionSource(
              clusters.context(), cluster -> Map.of("localhost", "localhost:" + httpPort));
      var woken = new CopyOnWriteArrayList<Event>();
      source.setEventHandler(woken::add);
      source.start();
      source.onResourceCreated(clusters.resource(id));
      await().atMost(Duration.ofMinutes(3)).until(() -> serverName(clusters).isPresent());

      awaitInForce(source, two);
      assertThat(woken).as("a pass that learns of it").isNotEmpty();

      var four = write("4");
      assertThat(inForce(source, four)).containsEntry(UID, two);
      reconfigure(clusters);
      awaitInForce(source, four);
      awaitLog("Changing the value of " + SMALL + " from 2 to 4");

      var none = write();
      reconfigure(clusters);
      awaitInForce(source, none);
      awaitLog("Changing the value of " + SMALL + " from 4 to 1");
      assertThat(Stream.of(zookeeper, master, server)).allMatch(HBaseJvm::isAlive);
      source.stop();
    }
  }

  private Map<String, String> inForce(OnlineRevisionSource source, String wanted) {
    return source.inForce(id, List.of(new Wanted("localhost", UID, wanted)));
  }

  private void awaitInForce(OnlineRevisionSource source, String revision) {
    await()
        .atMost(Duration.ofMinutes(2))
        .untilAsserted(
            () -> assertThat(inForce(source, revision)).isEqualTo(Map.of(UID, revision)));
  }

  private void awaitLog(String line) {
    await()
        .atMost(Duration.ofSeconds(20))
        .untilAsserted(() -> assertThat(folder.resolve("rs.log")).content().contains(line));
  }

  private Optional<String> serverName(ControlledClusters clusters) {
    return clusters.view(id).stream()
        .flatMap(view -> view.servers().stream())
        .map(it -> it.name())
        .findFirst();
  }

  private void reconfigure(ControlledClusters clusters) {
    clusters.control().send(id, List.of(new Reconfigure(serverName(clusters).orElseThrow())));
  }

  /** Gives the revision. */
  private String write(String... threads) throws IOException {
    var plan =
        new MemoryPlan(
            Stream.of(threads)
                .map(it -> new Setting(Target.HBASE_SITE, SMALL, it, "declared", Setting.USER))
                .toList(),
            List.of());
    var conf = Files.createDirectories(folder.resolve("rs"));
    Files.writeString(conf.resolve(OnlineKeys.FILE), ConfigFiles.online(plan).get(OnlineKeys.FILE));
    return OnlineKeys.online(plan).hash();
  }

  private HBaseJvm zookeeper() {
    return HBaseJvm.start(
        folder,
        "zookeeper",
        64,
        Map.of(),
        "org.apache.zookeeper.server.ZooKeeperServerMain",
        Integer.toString(zooKeeperPort),
        folder.resolve("zookeeper-data").toString(),
        "1000");
  }

  private HBaseJvm master() {
    return server(
        "master",
        Map.of("hbase.master.port", Integer.toString(HBaseJvm.freePort())),
        "org.apache.hadoop.hbase.master.HMaster");
  }

  private HBaseJvm regionServer() throws IOException {
    var conf = folder.resolve("rs");
    // Its HTTP server looks for pages, of which none is read.
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
    return server(
        "rs",
        Map.of(
            "hbase.unsafe.regionserver.hostname", "localhost",
            "hbase.regionserver.port", Integer.toString(port),
            "hbase.regionserver.info.port", Integer.toString(httpPort)),
        "org.apache.hadoop.hbase.regionserver.HRegionServer");
  }

  private HBaseJvm server(String name, Map<String, String> own, String main) {
    var site = new LinkedHashMap<>(RealHBase.site(folder));
    site.put("hbase.cluster.distributed", "true");
    site.put("hbase.zookeeper.quorum", "localhost");
    site.put("hbase.zookeeper.property.clientPort", Integer.toString(zooKeeperPort));
    site.putAll(own);
    return HBaseJvm.start(folder, name, 200, site, main, "start");
  }
}
