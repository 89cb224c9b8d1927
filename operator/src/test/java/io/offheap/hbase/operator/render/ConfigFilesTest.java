package io.offheap.hbase.operator.render;

import static org.assertj.core.api.Assertions.assertThat;

import io.offheap.hbase.operator.plan.MemoryPlan;
import io.offheap.hbase.operator.plan.Provenance;
import io.offheap.hbase.operator.plan.Setting;
import io.offheap.hbase.operator.plan.Target;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hbase.util.VersionInfo;
import org.junit.jupiter.api.Test;

class ConfigFilesTest {
  private static final String COPROCESSORS = "hbase.coprocessor.regionserver.classes";
  private static final String OBSERVER = "io.offheap.hbase.observer.ObserverCoprocessor";
  private static final Topology TOPOLOGY =
      new Topology(
          new Topology.ZooKeeper("zk:2181", "/hbase", List.of()),
          "hdfs://ns/hbase",
          Optional.empty());

  @Test
  void regionServerLoadsObserver() {
    assertThat(regionServer()).contains(property(COPROCESSORS, OBSERVER));
  }

  @Test
  void observerFollowsDeclaredCoprocessors() {
    assertThat(regionServer(setting(COPROCESSORS, "org.example.Guard")))
        .contains(property(COPROCESSORS, "org.example.Guard," + OBSERVER));
  }

  @Test
  void serverStartsWithoutObserverInImage() {
    assertThat(regionServer(setting("hbase.offheap.observer.enabled", "false")))
        .doesNotContain(OBSERVER);
  }

  /** Else a user who may alter a table can run code in the server. */
  @Test
  void disablesTableCoprocessorsUnlessDeclared() {
    var key = "hbase.coprocessor.user.enabled";

    assertThat(regionServer()).contains(property(key, "false"));
    assertThat(regionServer(setting(key, "true")))
        .contains(property(key, "true"))
        .doesNotContain(property(key, "false"));
  }

  /** A master runs a region server's coprocessors too. */
  @Test
  void masterLoadsNoObserver() {
    assertThat(master()).doesNotContain(OBSERVER);
  }

  /** The alerts on HDFS need these metrics. */
  @Test
  void hdfsServersExposeMetricsToPrometheus() {
    var hdfs = new Topology.ManagedHdfs("namenode", 1);
    var endpoint = property("hadoop.prometheus.endpoint.enabled", "true");

    assertThat(ConfigFiles.nameNode(hdfs, "1m", Map.of()).get("hdfs-site.xml")).contains(endpoint);
    assertThat(ConfigFiles.dataNode(hdfs, "1m", Map.of()).get("hdfs-site.xml")).contains(endpoint);
  }

  /** Else the last server of the newer version keeps hbase:meta during a rollback. */
  @Test
  void masterPermitsSystemTablesOnOlderServers() {
    assertThat(master()).contains(property("hbase.min.version.move.system.tables", "3.0.0"));
    assertThat(VersionInfo.compareVersion("3.0.0", VersionInfo.getVersion())).isPositive();
  }

  private static String master() {
    return ConfigFiles.master(TOPOLOGY, "1g", Map.of())
        .get("hbase-site.xml")
        .replaceAll(">\\s+<", "><");
  }

  private static String regionServer(Setting... settings) {
    var plan = new MemoryPlan(List.of(settings), List.of());
    return ConfigFiles.regionServer(TOPOLOGY, plan)
        .get("hbase-site.xml")
        .replaceAll(">\\s+<", "><");
  }

  private static Setting setting(String key, String value) {
    return Setting.stored(Target.HBASE_SITE, key, value, Provenance.DERIVED, "declared", "test");
  }

  private static String property(String name, String value) {
    return "<name>" + name + "</name><value>" + value + "</value>";
  }
}
