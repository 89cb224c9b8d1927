package io.offheap.hbase.operator.declare;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.utils.Serialization;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.plan.PlanProblem;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Heaps and properties of masters, clients, ZooKeeper and HDFS. */
class RoleConfigsTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{masters: {config: {hbase.balancer.period: '60000', hbase.regionserver.handler.count:"
            + " '40'}}}",
        "{clients: {config: {hbase.client.retries.number: '5', hbase.rpc.timeout: 10s}}}",
        "{zookeeper: {managed: {heap: 1Gi, config: {tickTime: '3000', autopurge.purgeInterval:"
            + " '24'}}}}",
        "{zookeeper: {managed: {heap: 64Mi}}}",
        "{storage: {managed: {nameNode: {heap: 4Gi, config: {dfs.namenode.handler.count:"
            + " '20'}}}}}",
        "{storage: {managed: {dataNode: {heap: 128Mi, config:"
            + " {dfs.datanode.max.transfer.threads: '8192'}}}}}",
      })
  void permits(String spec) {
    assertThat(problems(spec)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{masters: {config: {hbase.rootdir: 'hdfs://a/b'}}} | spec.masters.config[hbase.rootdir] |"
            + " hbase.rootdir=hdfs://a/b is refused: spec.storage decides it",
        "{masters: {config: {hbase.zookeeper.quorum: a}}} |"
            + " spec.masters.config[hbase.zookeeper.quorum] | spec.zookeeper decides it",
        "{masters: {config: {hbase.master.info.port: '1'}}} |"
            + " spec.masters.config[hbase.master.info.port] | services, policies and probes",
        "{masters: {config: {hbase.regionserver.handler.count: many}}} |"
            + " spec.masters.config[hbase.regionserver.handler.count] | 'many' must be a whole"
            + " number",
        "{masters: {config: {a: ''}}} | spec.masters.config[a] | is empty",
        "{masters: {config: {'a b': c}}} | spec.masters.config | is not a property",
        "{clients: {config: {zookeeper.znode.parent: /a}}} |"
            + " spec.clients.config[zookeeper.znode.parent] | znodeParent decides it",
        "{zookeeper: {managed: {config: {dataDir: /a}}}} | spec.zookeeper.managed.config[dataDir] |"
            + " the volume is mounted at /data",
        "{zookeeper: {managed: {config: {server.9: 'a:1:2'}}}} |"
            + " spec.zookeeper.managed.config[server.9] | how the servers find each other",
        "{zookeeper: {managed: {config: {4lw.commands.whitelist: '*'}}}} |"
            + " spec.zookeeper.managed.config[4lw.commands.whitelist] | the probe needs",
        "{zookeeper: {managed: {config: {tickTime: \"1\\n"
            + "server.9=a\"}}}} | spec.zookeeper.managed.config[tickTime] | is not a line of"
            + " zoo.cfg",
        "{zookeeper: {managed: {config: {tickTime: '1\\'}}}} |"
            + " spec.zookeeper.managed.config[tickTime] | is not a line of zoo.cfg",
        "{zookeeper: {managed: {heap: 32Mi}}} | spec.zookeeper.managed.heap | '32Mi' must be a size"
            + " from 64Mi to 4Ti",
        "{zookeeper: {managed: {heap: much}}} | spec.zookeeper.managed.heap | must be a size from",
        "{storage: {managed: {dataNode: {heap: much}}}} |"
            + " spec.storage.managed.dataNode.heap | must be a size from",
        "{storage: {managed: {nameNode: {heap: 8Ti}}}} | spec.storage.managed.nameNode.heap"
            + " | must be a size from 128Mi to 4Ti",
        "{storage: {managed: {nameNode: {config: {dfs.replication: '2'}}}}} |"
            + " spec.storage.managed.nameNode.config[dfs.replication] | managed.replication"
            + " decides it",
        "{storage: {managed: {nameNode: {config: {dfs.ha.automatic-failover.enabled:"
            + " 'true'}}}}} |"
            + " spec.storage.managed.nameNode.config[dfs.ha.automatic-failover.enabled] | how"
            + " the servers find each other",
        "{storage: {managed: {dataNode: {config: {dfs.datanode.data.dir: /a}}}}} |"
            + " spec.storage.managed.dataNode.config[dfs.datanode.data.dir] | mounted at /data",
      })
  void refuses(String spec, String field, String words) {
    assertThat(problems(spec))
        .singleElement()
        .satisfies(
            it -> {
              assertThat(it.field()).isEqualTo(field);
              assertThat(it.message()).contains(words);
            });
  }

  private static List<PlanProblem> problems(String spec) {
    var cluster =
        Serialization.unmarshal(
            "---\nmetadata: {name: hb, namespace: ns}\nspec: " + spec, HBaseCluster.class);
    return RoleConfigs.problems(cluster.getSpec());
  }
}
