package io.offheap.hbase.operator.render;

import io.offheap.hbase.operator.plan.HBaseKeys;
import io.offheap.hbase.operator.plan.JvmKeys;
import io.offheap.hbase.operator.plan.Kind;
import io.offheap.hbase.operator.plan.MemoryPlan;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * The files in each role's configuration folder, name to content. Declared properties replace those
 * of the operator; properties that must not be replaced have been refused before.
 */
public final class ConfigFiles {
  /** With false, an image without the observer can be used. */
  private static final String OBSERVER_ENABLED = HBaseKeys.OBSERVER_ENABLED.name();

  private static final String COPROCESSORS = "hbase.coprocessor.regionserver.classes";
  private static final String USER_COPROCESSORS = HBaseKeys.USER_COPROCESSORS.name();
  private static final String OBSERVER = "io.offheap.hbase.observer.ObserverCoprocessor";

  /** {@code /prom} beside {@code /jmx}, for the alerts. */
  private static final String PROMETHEUS = "hadoop.prometheus.endpoint.enabled";

  /**
   * As HBase configures its ensemble; a client that leaks connections does not affect other
   * clients.
   */
  private static final int CONNECTIONS_OF_A_HOST = 300;

  private static final String JVM_OPTIONS = "jvm.options";
  private static final String HBASE_SITE = "hbase-site.xml";

  private ConfigFiles() {}

  /** A server of the ensemble that the operator runs. */
  public static Map<String, String> zookeeper(
      Topology topology, String heap, Map<String, String> config) {
    var properties = new LinkedHashMap<String, String>();
    properties.put("dataDir", "/data");
    properties.put("clientPort", Integer.toString(Ports.ZOOKEEPER_CLIENT));
    properties.put("tickTime", "2000");
    properties.put("initLimit", "10");
    properties.put("syncLimit", "5");
    properties.put("maxClientCnxns", Integer.toString(CONNECTIONS_OF_A_HOST));
    properties.put("autopurge.snapRetainCount", "3");
    properties.put("autopurge.purgeInterval", "1");
    properties.put("admin.enableServer", "false");
    properties.put("4lw.commands.whitelist", "ruok,srvr");
    properties.putAll(new TreeMap<>(config));
    var lines = new ArrayList<String>();
    properties.forEach((key, value) -> lines.add(key + "=" + value));
    var servers = topology.zookeeper().managedServers();
    if (servers.size() > 1) {
      // A pod's address changes with each start, so a server must not resolve its name to listen.
      lines.add("quorumListenOnAllIPs=true");
      for (int i = 0; i < servers.size(); i++) {
        lines.add(
            String.format(
                "server.%d=%s:%d:%d",
                i + 1, servers.get(i), Ports.ZOOKEEPER_PEER, Ports.ZOOKEEPER_ELECTION));
      }
    }
    return Map.of("zoo.cfg", String.join("\n", lines) + "\n", JVM_OPTIONS, jvm(heap));
  }

  /** The name node of the HDFS that the operator runs. */
  public static Map<String, String> nameNode(
      Topology.ManagedHdfs hdfs, String heap, Map<String, String> config) {
    var site = hdfsClient(hdfs);
    site.put("dfs.namenode.name.dir", "file:///data/name");
    site.put("dfs.namenode.checkpoint.dir", "file:///tmp/checkpoint");
    site.put("dfs.namenode.rpc-bind-host", "0.0.0.0");
    site.put("dfs.namenode.http-address", "0.0.0.0:" + Ports.NAMENODE_HTTP);
    // A pod's address has no reverse record that would name the pod.
    site.put("dfs.namenode.datanode.registration.ip-hostname-check", "false");
    // An extension serves clusters whose data nodes report over minutes; this one is small.
    site.put("dfs.namenode.safemode.extension", "1000");
    site.put(PROMETHEUS, "true");
    site.putAll(new TreeMap<>(config));
    return hdfsFiles(hdfs, site, heap);
  }

  /** A data node of the HDFS that the operator runs. */
  public static Map<String, String> dataNode(
      Topology.ManagedHdfs hdfs, String heap, Map<String, String> config) {
    var site = hdfsClient(hdfs);
    site.put("dfs.datanode.data.dir", "file:///data/data");
    site.put("dfs.datanode.address", "0.0.0.0:" + Ports.DATANODE_DATA);
    site.put("dfs.datanode.http.address", "0.0.0.0:" + Ports.DATANODE_HTTP);
    site.put("dfs.datanode.ipc.address", "0.0.0.0:" + Ports.DATANODE_IPC);
    site.put(PROMETHEUS, "true");
    site.putAll(new TreeMap<>(config));
    return hdfsFiles(hdfs, site, heap);
  }

  /** A master. */
  public static Map<String, String> master(
      Topology topology, String heap, Map<String, String> config) {
    var site = server(topology);
    // Up to that version, system tables may be on any server. Else a master keeps them on servers
    // of the highest version, and a rollback never drains the last of these.
    site.put("hbase.min.version.move.system.tables", "3.0.0");
    site.putAll(new TreeMap<>(config));
    return hbase(topology, HadoopXml.of(site), jvm(heap));
  }

  /**
   * A region server with its plan, and the image's observer among its coprocessors unless the
   * configuration has {@code hbase.offheap.observer.enabled=false}. Coprocessors of tables are
   * disabled unless it has {@code hbase.coprocessor.user.enabled=true}. Not for masters, which
   * would load the observer too. Online values are in the file of {@link #online}.
   */
  public static Map<String, String> regionServer(Topology topology, MemoryPlan plan) {
    var site = server(topology);
    // Else a user who may alter a table can run code in the server.
    site.put(USER_COPROCESSORS, "false");
    site.putAll(OnlineKeys.atStart(plan).hbaseSite());
    if (Kind.BOOLEAN.read(site.getOrDefault(OBSERVER_ENABLED, "")).orElse(true)) {
      site.merge(COPROCESSORS, OBSERVER, (theirs, observer) -> theirs + "," + observer);
    }
    return hbase(
        topology,
        HadoopXml.including(OnlineKeys.FILE, site),
        String.join("\n", plan.jvmOptions()) + "\n");
  }

  /**
   * The values that a running region server applies, and their hash under {@link
   * OnlineKeys#REVISION}: a file beside those of {@link #regionServer}, which exists even without
   * such values.
   */
  public static Map<String, String> online(MemoryPlan plan) {
    var online = OnlineKeys.online(plan);
    var site = online.hbaseSite();
    site.put(OnlineKeys.REVISION, online.hash());
    return Map.of(OnlineKeys.FILE, HadoopXml.of(site));
  }

  /** The files that a client needs to connect. */
  public static Map<String, String> client(Topology topology, Map<String, String> config) {
    var site = connection(topology);
    site.putAll(new TreeMap<>(config));
    return Map.of(HBASE_SITE, HadoopXml.of(site));
  }

  private static Map<String, String> connection(Topology topology) {
    var site = new LinkedHashMap<String, String>();
    site.put(HBaseKeys.QUORUM.name(), topology.zookeeper().quorum());
    site.put(HBaseKeys.ZNODE.name(), topology.zookeeper().znodeParent());
    return site;
  }

  private static Map<String, String> server(Topology topology) {
    var site = connection(topology);
    site.put(HBaseKeys.DISTRIBUTED.name(), "true");
    site.put(HBaseKeys.ROOT_DIR.name(), topology.rootDir());
    site.put(HBaseKeys.TMP_DIR.name(), "/tmp/hbase");
    // Else a client of the HTTP port can change log levels, and split and compact regions.
    site.put("hbase.master.ui.readonly", "true");
    // The host name of the pod, not the result of a reverse lookup: the records of a service appear
    // later than the pod.
    site.put(HBaseKeys.NO_REVERSE_DNS.name(), "true");
    return site;
  }

  private static Map<String, String> hbase(Topology topology, String site, String jvmOptions) {
    var files = new TreeMap<String, String>();
    files.put(HBASE_SITE, site);
    files.put(JVM_OPTIONS, jvmOptions);
    topology.hdfs().ifPresent(hdfs -> putHdfs(files, hdfs, hdfsClient(hdfs)));
    return files;
  }

  private static Map<String, String> hdfsFiles(
      Topology.ManagedHdfs hdfs, Map<String, String> site, String heap) {
    var files = new TreeMap<String, String>();
    putHdfs(files, hdfs, site);
    files.put(JVM_OPTIONS, jvm(heap));
    return files;
  }

  private static void putHdfs(
      Map<String, String> files, Topology.ManagedHdfs hdfs, Map<String, String> site) {
    files.put("core-site.xml", HadoopXml.of(Map.of("fs.defaultFS", hdfs.defaultFs())));
    files.put("hdfs-site.xml", HadoopXml.of(site));
  }

  private static Map<String, String> hdfsClient(Topology.ManagedHdfs hdfs) {
    var site = new LinkedHashMap<String, String>();
    site.put("dfs.replication", Integer.toString(hdfs.replication()));
    // A data node's address changes with each start of its pod, its name does not.
    site.put("dfs.client.use.datanode.hostname", "true");
    site.put("dfs.datanode.use.datanode.hostname", "true");
    return site;
  }

  private static String jvm(String heap) {
    return String.join(
        "\n", "-" + JvmKeys.HEAP + heap, "-XX:+" + JvmKeys.EXIT_ON_OUT_OF_MEMORY, "");
  }
}
