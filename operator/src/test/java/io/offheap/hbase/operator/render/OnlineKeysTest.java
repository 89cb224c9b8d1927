package io.offheap.hbase.operator.render;

import static org.assertj.core.api.Assertions.assertThat;

import io.offheap.hbase.operator.plan.MemoryPlan;
import io.offheap.hbase.operator.plan.Provenance;
import io.offheap.hbase.operator.plan.Setting;
import io.offheap.hbase.operator.plan.Target;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Online values, parsed by Hadoop's class from the rendered files. */
class OnlineKeysTest {
  private static final String LARGE = "hbase.regionserver.thread.compaction.large";
  private static final Topology TOPOLOGY =
      new Topology(
          new Topology.ZooKeeper("zk:2181", "/hbase", List.of()),
          "hdfs://ns/hbase",
          Optional.empty());

  @TempDir private Path folder;
  private Configuration conf;

  @BeforeEach
  void mergesFilesAsRegionServerDoes() throws IOException {
    conf = new Configuration(false);
    conf.setClassLoader(new URLClassLoader(new URL[] {folder.toUri().toURL()}, null));
    conf.addResource("hbase-site.xml");
  }

  @ParameterizedTest
  @CsvSource({
    "HBASE_SITE, hbase.regionserver.thread.compaction.large,         4,                   true",
    "HBASE_SITE, hbase.regionserver.thread.compaction.large,         0,                   false",
    "HBASE_SITE, hbase.regionserver.thread.compaction.large,         many,                false",
    "HBASE_SITE, hbase.hstore.compaction.max.size,                   9223372036854775807, true",
    "HBASE_SITE, hbase.hstore.compaction.max.size,                   9223372036854775808, false",
    "HBASE_SITE, hbase.hstore.compaction.ratio,                      1.2F,                true",
    "HBASE_SITE, hbase.hstore.compaction.ratio,                      ${ratio},            false",
    "HBASE_SITE, hbase.hregion.majorcompaction.jitter,               0.5,                 true",
    "HBASE_SITE, hbase.hregion.majorcompaction.jitter,               5,                   false",
    "HBASE_SITE, hbase.offpeak.start.hour,                           -1,                  true",
    "HBASE_SITE, hbase.offpeak.start.hour,                           24,                  false",
    "HBASE_SITE, hbase.rs.cacheblocksonwrite,                        true,                true",
    "HBASE_SITE, hbase.hstore.compaction.throughput.lower.bound,     1048576,             true",
    // HBase parses these too, but an earlier operator restarted servers for them, and the hashes
    // must stay equal.
    "HBASE_SITE, hbase.rs.cacheblocksonwrite,                        True,                false",
    "HBASE_SITE, hbase.regionserver.thread.compaction.large,         0x4,                 false",
    "HBASE_SITE, hbase.regionserver.thread.compaction.large,         +4,                  false",
    "HBASE_SITE, hbase.hstore.compaction.ratio,                      1.2e0,               false",
    "HBASE_SITE, hbase.hstore.compaction.ratio,                      +1.2,                false",
    "HBASE_SITE, hbase.hstore.compaction.ratio,                      1.2d,                false",
    "HBASE_SITE, hbase.hstore.compaction.kv.max,                     10,                  false",
    "HBASE_SITE, hbase.hstore.blockingStoreFiles,                    16,                  false",
    "HBASE_SITE, hbase.ipc.server.max.callqueue.length,              100,                 false",
    "HBASE_SITE, hbase.bucketcache.acceptfactor,                     0.9,                 false",
    "HBASE_SITE, hbase.regionserver.handler.count,                   30,                  false",
    "JVM,        hbase.regionserver.thread.compaction.large,         4,                   false",
  })
  void splitsOnlineValues(Target target, String key, String value, boolean online) {
    assertThat(OnlineKeys.contains(target, key, value)).isEqualTo(online);
  }

  @Test
  void reloadTakesValuesOfOnlineFile() throws IOException {
    var site = write(setting("hbase.other", "1"));
    assertThat(conf.get(LARGE)).isNull();
    var none = conf.get(OnlineKeys.REVISION);
    assertThat(none).isNotEmpty();

    assertThat(write(setting("hbase.other", "1"), setting(LARGE, "3"))).isEqualTo(site);
    assertThat(conf.get(LARGE)).as("before the reload").isNull();
    conf.reloadConfiguration();
    assertThat(conf.get(LARGE)).isEqualTo("3");
    var three = conf.get(OnlineKeys.REVISION);
    assertThat(three).isNotEqualTo(none);

    assertThat(write(setting("hbase.other", "1"), setting(LARGE, "4"))).isEqualTo(site);
    conf.reloadConfiguration();
    assertThat(conf.get(LARGE)).isEqualTo("4");
    assertThat(conf.get(OnlineKeys.REVISION)).isNotEqualTo(three);

    assertThat(write(setting("hbase.other", "1"))).isEqualTo(site);
    conf.reloadConfiguration();
    assertThat(conf.get(LARGE)).isNull();
    assertThat(conf.get("hbase.other")).isEqualTo("1");
    assertThat(conf.get(OnlineKeys.REVISION)).isEqualTo(none);
  }

  @Test
  void onlineFileHasOnlineValuesOnly() throws IOException {
    var site = write(setting("hbase.other", "1"));

    assertThat(write(setting("hbase.other", "2"))).isNotEqualTo(site);
    assertThat(write(setting("hbase.other", "1"), setting(LARGE, "many")))
        .as("what HBase could not start with")
        .isNotEqualTo(site)
        .contains("many");
  }

  @Test
  void missingOnlineFileLeavesOtherValues() throws IOException {
    write(setting("hbase.other", "1"));
    Files.delete(folder.resolve(OnlineKeys.FILE));

    assertThat(conf.get("hbase.other")).isEqualTo("1");
    assertThat(conf.get(OnlineKeys.REVISION)).isNull();
  }

  /** The file whose change restarts pods. */
  private String write(Setting... settings) throws IOException {
    var plan = new MemoryPlan(List.of(settings), List.of());
    var site = ConfigFiles.regionServer(TOPOLOGY, plan).get("hbase-site.xml");
    Files.writeString(folder.resolve("hbase-site.xml"), site);
    Files.writeString(
        folder.resolve(OnlineKeys.FILE), ConfigFiles.online(plan).get(OnlineKeys.FILE));
    return site;
  }

  private static Setting setting(String key, String value) {
    return Setting.stored(Target.HBASE_SITE, key, value, Provenance.DECLARED, "declared", "");
  }
}
