package io.offheap.hbase.operator.hbase;

import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ipc.RpcClientFactory;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * Configuration of the operator's HBase client: every call has a short deadline, because the caller
 * polls again anyway. All clusters share the client threads ({@link ClientThreads}), which never
 * block.
 *
 * <p>The client requests the cluster's id, its active master and its meta table from region servers
 * instead of ZooKeeper (HBase 2.5 and later, HBASE-26150): ZooKeeper's client takes two threads for
 * each cluster, retries for ever and logs each attempt, and an external ensemble may refuse the
 * operator's connections.
 */
final class ClientSettings {
  /** HBase keeps a closed client until this time is over, because a cancelled task stays queued. */
  private static final int IDLE_MILLIS = 30_000;

  private static final int OPERATION_MILLIS = 10_000;
  private static final int SOCKET_MILLIS = 3_000;

  private ClientSettings() {}

  /**
   * The configuration for one cluster.
   *
   * @param cluster its name
   * @param servers {@code host:port} of some region servers
   */
  static Configuration of(ResourceID cluster, List<String> servers) {
    // No files: HBase's defaults are in its code too, and the class path must not matter.
    var conf = new Configuration(false);
    conf.set("hbase.client.registry.impl", BootstrapRegistry.class.getName());
    conf.set(OwnHostsRpcClient.BOOTSTRAP_SERVERS, String.join(",", servers));
    conf.set(RpcClientFactory.CUSTOM_RPC_CLIENT_IMPL_CONF_KEY, OwnHostsRpcClient.class.getName());
    conf.set(
        OwnHostsRpcClient.CLUSTER, cluster.getNamespace().orElse("") + "/" + cluster.getName());
    conf.setInt("hbase.ipc.client.socket.timeout.connect", SOCKET_MILLIS);
    conf.setInt("hbase.ipc.client.socket.timeout.read", SOCKET_MILLIS);
    conf.setInt("hbase.ipc.client.connection.minIdleTimeBeforeClose", IDLE_MILLIS);
    conf.setInt("hbase.rpc.timeout", OwnHostsRpcClient.RPC_MILLIS);
    conf.setInt("hbase.client.operation.timeout", OPERATION_MILLIS);
    conf.setInt("hbase.client.meta.operation.timeout", OPERATION_MILLIS);
    conf.setInt("hbase.client.scanner.timeout.period", OwnHostsRpcClient.RPC_MILLIS);
    conf.setInt("hbase.client.retries.number", 3);
    conf.setInt("hbase.client.pause", 200);
    return conf;
  }

  /** The user of HBase's own processes; the operator's user has no name in its container. */
  static User user() {
    return User.create(UserGroupInformation.createRemoteUser("hbase"));
  }
}
