package io.offheap.hbase.operator.declare;

import static java.util.Map.entry;

import io.fabric8.kubernetes.api.model.Quantity;
import io.offheap.hbase.operator.api.HBaseClusterSpec;
import io.offheap.hbase.operator.api.HdfsServerSpec;
import io.offheap.hbase.operator.plan.HBaseKeys;
import io.offheap.hbase.operator.plan.Keys;
import io.offheap.hbase.operator.plan.PlanProblem;
import io.offheap.hbase.operator.plan.PropertyTexts;
import io.offheap.hbase.operator.plan.Target;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Checks heaps and declared properties of masters, clients, ZooKeeper and HDFS. A property that the
 * operator depends on is refused with the reason; a known property must have a value of its type.
 * The planner checks those of region servers.
 */
final class RoleConfigs {
  private static final String POD_NAME = "a pod keeps the name of its StatefulSet";
  private static final String PORTS = "services, policies and probes depend on the port";
  private static final String VOLUME = "the volume is mounted at /data";
  private static final String ENSEMBLE = "spec.zookeeper.managed.replicas decides the ensemble";
  private static final String NAME_NODE = "there is one name node, at the name of its pod";

  private static final Map<String, String> OF_CLIENTS =
      Map.of(
          HBaseKeys.QUORUM.name(), "spec.zookeeper decides it",
          HBaseKeys.ZNODE.name(), "spec.zookeeper.external.znodeParent decides it");

  private static final Map<String, String> OF_MASTERS =
      with(
          OF_CLIENTS,
          Map.ofEntries(
              entry(HBaseKeys.DISTRIBUTED.name(), "the operator runs distributed clusters only"),
              entry(HBaseKeys.ROOT_DIR.name(), "spec.storage decides it"),
              entry(HBaseKeys.TMP_DIR.name(), "only /tmp can be written to"),
              entry(HBaseKeys.NO_REVERSE_DNS.name(), POD_NAME),
              entry(HBaseKeys.HOST_NAME.name(), POD_NAME),
              entry("hbase.master.hostname", POD_NAME),
              entry("hbase.master.port", PORTS),
              entry("hbase.master.info.port", PORTS),
              entry(
                  "hbase.min.version.move.system.tables",
                  "a rollout to another version and back moves system tables by it")));

  private static final Map<String, String> OF_ZOOKEEPER =
      Map.ofEntries(
          entry("dataDir", VOLUME),
          entry("dataLogDir", VOLUME),
          entry("clientPort", PORTS),
          entry("clientPortAddress", PORTS),
          entry("secureClientPort", PORTS),
          entry("quorumListenOnAllIPs", "a pod's address changes with each start"),
          entry("dynamicConfigFile", ENSEMBLE),
          entry("reconfigEnabled", ENSEMBLE),
          entry("standaloneEnabled", ENSEMBLE),
          entry("admin.enableServer", "its port has neither authentication nor a NetworkPolicy"),
          entry("4lw.commands.whitelist", "the probe needs ruok and srvr"));

  private static final Pattern ZOOKEEPER_FAMILIES =
      Pattern.compile("(server|group|weight|metricsProvider)\\..*");

  private static final Map<String, String> OF_HDFS =
      Map.ofEntries(
          entry("dfs.replication", "spec.storage.managed.replication decides it"),
          entry("dfs.client.use.datanode.hostname", POD_NAME),
          entry("dfs.datanode.use.datanode.hostname", POD_NAME),
          entry("dfs.datanode.hostname", POD_NAME),
          entry("dfs.nameservices", NAME_NODE),
          entry("fs.defaultFS", NAME_NODE),
          entry("dfs.namenode.rpc-address", NAME_NODE),
          entry("dfs.namenode.servicerpc-address", NAME_NODE),
          entry("dfs.namenode.rpc-bind-host", NAME_NODE),
          entry("dfs.namenode.shared.edits.dir", NAME_NODE),
          entry("dfs.namenode.name.dir", VOLUME),
          entry("dfs.namenode.edits.dir", VOLUME),
          entry("dfs.namenode.checkpoint.dir", VOLUME),
          entry("dfs.namenode.checkpoint.edits.dir", VOLUME),
          entry("dfs.datanode.data.dir", VOLUME),
          entry("dfs.namenode.http-address", PORTS),
          entry("dfs.namenode.https-address", PORTS),
          entry("dfs.datanode.address", PORTS),
          entry("dfs.datanode.http.address", PORTS),
          entry("dfs.datanode.https.address", PORTS),
          entry("dfs.datanode.ipc.address", PORTS),
          entry("dfs.http.policy", PORTS),
          entry(
              "dfs.namenode.datanode.registration.ip-hostname-check",
              "a pod's address has no reverse record"),
          entry("hadoop.prometheus.endpoint.enabled", "the alerts read /prom"));

  private static final Pattern HDFS_FAMILIES =
      Pattern.compile("dfs\\.(ha\\.|namenode\\.(rpc-address|http-address|shared)\\.).*");

  private static final Pattern NO_FAMILY = Pattern.compile("(?!)");

  /** A line of zoo.cfg ends with its value, and a backslash would join the next one. */
  private static final Pattern ZOOKEEPER_NAME = Pattern.compile("[A-Za-z0-9._-]+");

  private static final Pattern ZOOKEEPER_VALUE = Pattern.compile("[\\x20-\\x7e&&[^\\\\]]+");

  private static final long MIB = 1L << 20;
  private static final long LARGEST_HEAP = 4L << 40;

  private final List<PlanProblem> problems = new ArrayList<>();

  private RoleConfigs() {}

  static List<PlanProblem> problems(HBaseClusterSpec spec) {
    var checks = new RoleConfigs();
    checks.check("spec.masters.config", spec.masters().config(), OF_MASTERS, NO_FAMILY);
    checks.hbaseTypes("spec.masters.config", spec.masters().config());
    if (spec.clients() != null) {
      checks.check("spec.clients.config", spec.clients().config(), OF_CLIENTS, NO_FAMILY);
      checks.hbaseTypes("spec.clients.config", spec.clients().config());
    }
    var zookeeper = spec.zookeeper() == null ? null : spec.zookeeper().managed();
    if (zookeeper != null) {
      var path = "spec.zookeeper.managed";
      checks.heap(path + ".heap", zookeeper.effectiveHeap(), 64);
      checks.check(path + ".config", zookeeper.config(), OF_ZOOKEEPER, ZOOKEEPER_FAMILIES);
      checks.zookeeperTexts(path + ".config", zookeeper.config());
    }
    var hdfs = spec.storage() == null ? null : spec.storage().managed();
    if (hdfs != null) {
      checks.hdfs("spec.storage.managed.nameNode", hdfs.nameNode());
      checks.hdfs("spec.storage.managed.dataNode", hdfs.dataNode());
    }
    return checks.problems;
  }

  private void hdfs(String path, HdfsServerSpec server) {
    heap(path + ".heap", HdfsServerSpec.heapOf(server), 128);
    if (server != null) {
      check(path + ".config", server.config(), OF_HDFS, HDFS_FAMILIES);
    }
  }

  private void heap(String field, Quantity heap, long leastMebibytes) {
    var bytes = Quantities.bytes(heap);
    if (bytes.isEmpty()
        || bytes.getAsLong() < leastMebibytes * MIB
        || bytes.getAsLong() > LARGEST_HEAP) {
      problems.add(
          new PlanProblem(
              field, "'" + heap + "' must be a size from " + leastMebibytes + "Mi to 4Ti"));
    }
  }

  private void check(
      String path, Map<String, String> config, Map<String, String> refused, Pattern families) {
    sorted(config)
        .forEach(
            (key, value) -> {
              PropertyTexts.problem(key, value)
                  .ifPresent(
                      it ->
                          problems.add(
                              new PlanProblem(
                                  PropertyTexts.isName(key) ? path + "[" + key + "]" : path, it)));
              var why =
                  families.matcher(key).matches()
                      ? "the operator decides how the servers find each other"
                      : refused.get(key);
              if (why != null) {
                problems.add(
                    new PlanProblem(
                        path + "[" + key + "]",
                        key + "=" + value + " is refused: " + why + "; must be left out"));
              }
            });
  }

  private void hbaseTypes(String path, Map<String, String> config) {
    sorted(config)
        .forEach(
            (key, value) ->
                Keys.find(Target.HBASE_SITE, key)
                    .filter(it -> !value.isEmpty() && it.kind().read(value).isEmpty())
                    .ifPresent(
                        it ->
                            problems.add(
                                new PlanProblem(
                                    path + "[" + key + "]",
                                    "'" + value + "' must be " + it.kind().name()))));
  }

  private void zookeeperTexts(String path, Map<String, String> config) {
    sorted(config)
        .forEach(
            (key, value) -> {
              if (!ZOOKEEPER_NAME.matcher(key).matches()
                  || !ZOOKEEPER_VALUE.matcher(value).matches()) {
                problems.add(
                    new PlanProblem(
                        path + "[" + key + "]",
                        "'"
                            + key
                            + "="
                            + value
                            + "' is not a line of zoo.cfg; must be a name of letters, digits, dots,"
                            + " dashes and underscores, and a value of printable ASCII without a"
                            + " backslash"));
              }
            });
  }

  private static Map<String, String> sorted(Map<String, String> config) {
    return config == null ? Map.of() : new TreeMap<>(config);
  }

  private static Map<String, String> with(Map<String, String> one, Map<String, String> other) {
    var all = new HashMap<>(one);
    all.putAll(other);
    return Map.copyOf(all);
  }
}
