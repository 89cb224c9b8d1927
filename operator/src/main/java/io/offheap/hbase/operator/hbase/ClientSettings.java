package io.offheap.hbase.operator.hbase;

import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ipc.RpcClientFactory;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * How the operator's HBase client is set: everything has a short deadline, since whoever waits asks
 * again anyway. All clusters share their threads ({@link ClientThreads}), on which nothing waits.
 *
 * <p>Region servers are asked for the cluster's id, its active master and its meta table, instead
 * of ZooKeeper (HBase 2.5 and later, HBASE-26150): ZooKeeper's client takes two threads for each
 * cluster, tries again for ever and logs each time, and an ensemble of others may not let it in.
 */
final class ClientSettings {
  /** {@code host:port} of whom a client asks first. */
  static final String FIRST_ASKED = "hbase.client.bootstrap.servers";

  static final int RPC_MILLIS = 5_000;

  /** HBase keeps a closed client until this time is over: a task that it cancels stays queued. */
  private static final int IDLE_MILLIS = 30_000;

  private static final int OPERATION_MILLIS = 10_000;
  private static final int SOCKET_MILLIS = 3_000;

  private ClientSettings() {}

  /**
   * For one cluster.
   *
   * @param cluster its name
   * @param servers {@code host:port} of some of its servers
   */
  static Configuration of(ResourceID cluster, List<String> servers) {
    // No files: neither HBase's defaults, which its code has too, nor what lies on the class path.
    var conf = new Configuration(false);
    conf.set("hbase.client.registry.impl", FirstAskedRegistry.class.getName());
    conf.set(FIRST_ASKED, String.join(",", servers));
    conf.set(RpcClientFactory.CUSTOM_RPC_CLIENT_IMPL_CONF_KEY, OwnHostsRpcClient.class.getName());
    conf.set(
        OwnHostsRpcClient.CLUSTER, cluster.getNamespace().orElse("") + "/" + cluster.getName());
    conf.setInt("hbase.ipc.client.socket.timeout.connect", SOCKET_MILLIS);
    conf.setInt("hbase.ipc.client.socket.timeout.read", SOCKET_MILLIS);
    conf.setInt("hbase.ipc.client.connection.minIdleTimeBeforeClose", IDLE_MILLIS);
    conf.setInt("hbase.rpc.timeout", RPC_MILLIS);
    conf.setInt("hbase.client.operation.timeout", OPERATION_MILLIS);
    conf.setInt("hbase.client.meta.operation.timeout", OPERATION_MILLIS);
    conf.setInt("hbase.client.scanner.timeout.period", RPC_MILLIS);
    conf.setInt("hbase.client.retries.number", 3);
    conf.setInt("hbase.client.pause", 200);
    return conf;
  }

  /** The user that HBase's own processes run as; the operator's has no name in its container. */
  static User user() {
    return User.create(UserGroupInformation.createRemoteUser("hbase"));
  }
}
