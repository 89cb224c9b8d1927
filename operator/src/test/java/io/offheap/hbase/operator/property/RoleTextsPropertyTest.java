package io.offheap.hbase.operator.property;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.offheap.hbase.operator.Slow;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.declare.ClusterChecks;
import io.offheap.hbase.operator.render.ConfigFiles;
import io.offheap.hbase.operator.render.Topology;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.statistics.Statistics;

/**
 * For any declared property of a role without a plan there are files that contain it, or a refusal
 * that names the field; never an exception, which would end the reconciliation.
 */
class RoleTextsPropertyTest {
  private static final Topology.ManagedHdfs HDFS = new Topology.ManagedHdfs("hb-namenode-0", 3);

  private static final Topology TOPOLOGY =
      new Topology(
          new Topology.ZooKeeper("zk:2181", "/hbase", List.of("zk-0", "zk-1", "zk-2")),
          "hdfs://ns/hbase",
          Optional.of(HDFS));

  private static final List<String> KEYS =
      List.of(
          "hbase.balancer.period",
          "hbase.regionserver.handler.count",
          "hbase.rootdir",
          "hbase.rpc.timeout",
          "dfs.namenode.handler.count",
          "dfs.replication",
          "dfs.ha.automatic-failover.enabled",
          "tickTime",
          "autopurge.purgeInterval",
          "4lw.commands.whitelist",
          "server.9");

  /** Who has a field {@code config}, and where its texts are to be. */
  enum Configured {
    MASTERS("masters") {
      @Override
      Map<String, String> files(Map<String, String> config) {
        return ConfigFiles.master(TOPOLOGY, "1g", config);
      }
    },
    CLIENTS("clients") {
      @Override
      Map<String, String> files(Map<String, String> config) {
        return ConfigFiles.client(TOPOLOGY, config);
      }
    },
    ZOOKEEPER("zookeeper.managed") {
      @Override
      Map<String, String> files(Map<String, String> config) {
        return ConfigFiles.zookeeper(TOPOLOGY, "256m", config);
      }

      @Override
      String read(Map<String, String> files, String key) {
        var properties = new Properties();
        try {
          properties.load(new StringReader(files.get("zoo.cfg")));
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
        return properties.getProperty(key);
      }
    },
    NAME_NODE("storage.managed.nameNode") {
      @Override
      Map<String, String> files(Map<String, String> config) {
        return ConfigFiles.nameNode(HDFS, "512m", config);
      }
    },
    DATA_NODE("storage.managed.dataNode") {
      @Override
      Map<String, String> files(Map<String, String> config) {
        return ConfigFiles.dataNode(HDFS, "512m", config);
      }
    };

    private final String path;

    Configured(String path) {
      this.path = path;
    }

    abstract Map<String, String> files(Map<String, String> config);

    /** The value that the role's process reads. */
    String read(Map<String, String> files, String key) {
      var file = files.getOrDefault("hbase-site.xml", files.get("hdfs-site.xml"));
      return HadoopFile.read(file).getRaw(key);
    }

    HBaseCluster declaring(String key, String value) {
      var mapper = new ObjectMapper();
      var cluster = mapper.createObjectNode();
      cluster.putObject("metadata").put("name", "hb").put("namespace", "ns");
      var spec = cluster.putObject("spec");
      spec.putObject("zookeeper").putObject("managed");
      spec.putObject("storage").putObject("managed");
      spec.putObject("regionServers")
          .putObject("memory")
          .put("heap", "1Gi")
          .put("offHeap", "512Mi");
      ObjectNode role = spec;
      for (String name : path.split("\\.", -1)) {
        role = role.withObjectProperty(name);
      }
      role.putObject("config").put(key, value);
      return mapper.convertValue(cluster, HBaseCluster.class);
    }
  }

  @Provide
  Arbitrary<String> keys() {
    return Arbitraries.oneOf(
        Arbitraries.of(Stream.concat(KEYS.stream(), OddTexts.unknownKeys().stream()).toList()),
        OddTexts.any());
  }

  @Provide
  Arbitrary<String> texts() {
    return OddTexts.any();
  }

  @Property
  @Slow
  void rendersFileOrRefuses(
      @ForAll Configured role, @ForAll("keys") String key, @ForAll("texts") String value) {
    var problems = ClusterChecks.problems(role.declaring(key, value));

    assertThat(problems)
        .allSatisfy(
            problem -> {
              assertThat(problem.field()).startsWith("spec." + role.path + ".config");
              assertThat(problem.message()).hasSizeBetween(5, 10_000);
              assertThat(StandardCharsets.UTF_8.newEncoder().canEncode(problem.toString()))
                  .isTrue();
            });
    if (problems.isEmpty()) {
      // ZooKeeper reads a value without the blanks around it.
      var expected = role == Configured.ZOOKEEPER ? value.strip() : value;
      var read = role.read(role.files(Map.of(key, value)), key);
      assertThat(role == Configured.ZOOKEEPER ? read.strip() : read).isEqualTo(expected);
    }
    Statistics.collect(problems.isEmpty());
    Statistics.coverage(it -> it.check(true).percentage(share -> share > 5 && share < 95));
  }
}
