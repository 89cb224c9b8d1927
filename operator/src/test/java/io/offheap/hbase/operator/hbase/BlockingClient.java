package io.offheap.hbase.operator.hbase;

import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.ipc.RpcClientFactory;

/** HBase's blocking client with the operator's configuration, for comparison. */
final class BlockingClient implements AutoCloseable {
  private final Connection connection;

  BlockingClient(RealHBase hbase) {
    var conf = ClientSettings.of(new ResourceID("real", "test"), List.of(hbase.regionServer()));
    // The operator's registry has no blocking calls.
    conf.unset(RpcClientFactory.CUSTOM_RPC_CLIENT_IMPL_CONF_KEY);
    try {
      connection = ConnectionFactory.createConnection(conf, ClientSettings.user());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Sends the requests of {@link ViewReader}; returns when all responses have come, or on a
   * failure.
   */
  void readView() {
    try (Admin admin = connection.getAdmin()) {
      admin.isBalancerEnabled();
      admin.isNormalizerEnabled();
      admin.listDecommissionedRegionServers();
      admin.getClusterMetrics(ViewReader.options());
      admin.getProcedures();
    } catch (IOException unanswered) {
      // The master does not respond.
    }
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
