package io.offheap.hbase.operator.hbase;

import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.offheap.hbase.operator.log.LogLine;
import java.io.IOException;
import java.net.InetAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.MetricsConnection;
import org.apache.hadoop.hbase.ipc.HBaseRpcController;
import org.apache.hadoop.hbase.ipc.NettyRpcClient;
import org.apache.hadoop.hbase.ipc.NettyRpcClientConfigHelper;
import org.apache.hadoop.hbase.ipc.RpcClient;
import org.apache.hadoop.hbase.security.User;
import org.apache.hbase.thirdparty.com.google.protobuf.BlockingRpcChannel;
import org.apache.hbase.thirdparty.com.google.protobuf.RpcChannel;
import org.apache.hbase.thirdparty.com.google.protobuf.ServiceException;
import org.apache.hbase.thirdparty.io.netty.channel.socket.nio.NioSocketChannel;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * HBase's client, which every connection to a server comes from, with two bounds: it connects to
 * the cluster's own servers alone, whomever these name, and takes no frame over {@link #MAX_FRAME}.
 * HBase makes it by its name in the configuration.
 */
public final class OwnHostsRpcClient implements RpcClient {
  /** {@code namespace/name} of the cluster. */
  static final String CLUSTER = "hbase.offheap.operator.cluster";

  /** The largest legitimate answer has the loads of all regions, some 250 bytes each. */
  static final int MAX_FRAME = 32 << 20;

  private static final Logger LOG = LoggerFactory.getLogger(OwnHostsRpcClient.class);

  /** So many are logged by their names. */
  private static final int FOREIGN = 8;

  /** No name in the DNS is longer. */
  private static final int LONGEST_HOST = 253;

  private final ResourceID cluster;
  private final OwnHosts own;

  /** Chosen by the operator, not by a server. */
  private final Set<String> firstAsked;

  private final Set<String> foreign = ConcurrentHashMap.newKeySet();

  private final HostLookups hosts;

  private final RpcClient client;

  /** A connection whose frames are bounded; netty makes it. */
  public static final class BoundedChannel extends NioSocketChannel {
    /** Before what HBase adds. */
    public BoundedChannel() {
      pipeline().addLast(new FrameBound(MAX_FRAME));
    }
  }

  /** Made by HBase, which finds it by this constructor. */
  public OwnHostsRpcClient(
      Configuration conf,
      String clusterId,
      SocketAddress localAddress,
      MetricsConnection metrics,
      Map<String, byte[]> attributes) {
    this(conf, clusterId, localAddress, metrics, attributes, ClientThreads.HOSTS);
  }

  /** With other lookups of hosts. */
  OwnHostsRpcClient(
      Configuration conf,
      String clusterId,
      SocketAddress localAddress,
      MetricsConnection metrics,
      Map<String, byte[]> attributes,
      HostLookups hosts) {
    this.hosts = hosts;
    var id = conf.get(CLUSTER).split("/", 2);
    cluster = new ResourceID(id[1], id[0]);
    own = new OwnHosts(cluster);
    firstAsked =
        Arrays.stream(conf.getTrimmedStrings(ClientSettings.FIRST_ASKED))
            .map(address -> address.substring(0, address.lastIndexOf(':')))
            .collect(Collectors.toUnmodifiableSet());
    client = make(conf, clusterId, localAddress, metrics, attributes);
  }

  private RpcClient make(
      Configuration conf,
      String clusterId,
      SocketAddress localAddress,
      MetricsConnection metrics,
      Map<String, byte[]> attributes) {
    // HBase hands the loops over in a static field, and reads it in the constructor. A client that
    // was given loops does not stop them when it is closed.
    synchronized (OwnHostsRpcClient.class) {
      NettyRpcClientConfigHelper.setEventLoopConfig(
          conf, ClientThreads.LOOPS, BoundedChannel.class);
      return new NettyRpcClient(conf, clusterId, localAddress, metrics, attributes);
    }
  }

  @Override
  public RpcChannel createRpcChannel(ServerName server, User user, int timeout) {
    return own(server)
        .map(it -> lookedUp(it, at -> client.createRpcChannel(at, user, timeout)))
        .orElseGet(
            () ->
                (method, controller, request, answer, done) -> {
                  ((HBaseRpcController) controller).setFailed(refusal(server));
                  done.run(null);
                });
  }

  /**
   * A channel to the address that a server has by the time of a call. HBase connects to a name's
   * address too, but looks it up on an event loop.
   */
  private RpcChannel lookedUp(ServerName server, Function<ServerName, RpcChannel> channel) {
    return (method, controller, request, answer, done) -> {
      var unused =
          hosts
              .address(server.getHostname())
              .whenComplete(
                  (address, failed) -> {
                    if (failed == null) {
                      channel
                          .apply(at(server, address))
                          .callMethod(method, controller, request, answer, done);
                    } else {
                      ((HBaseRpcController) controller).setFailed(unknown(server, failed));
                      done.run(null);
                    }
                  });
    };
  }

  private BlockingRpcChannel blocking(
      ServerName server, Function<ServerName, BlockingRpcChannel> channel) {
    return (method, controller, request, answer) -> {
      try {
        var address = hosts.address(server.getHostname()).join();
        return channel
            .apply(at(server, address))
            .callBlockingMethod(method, controller, request, answer);
      } catch (CompletionException e) {
        throw new ServiceException(unknown(server, e));
      }
    };
  }

  private static ServerName at(ServerName server, InetAddress address) {
    return ServerName.valueOf(address.getHostAddress(), server.getPort(), server.getStartCode());
  }

  private static IOException unknown(ServerName server, Throwable failed) {
    var failure = new UnknownHostException(server.getHostname() + " has no address");
    failure.initCause(failed);
    return failure;
  }

  @Override
  public BlockingRpcChannel createBlockingRpcChannel(ServerName server, User user, int timeout) {
    return own(server)
        .map(it -> blocking(it, at -> client.createBlockingRpcChannel(at, user, timeout)))
        .orElseGet(
            () ->
                (method, controller, request, answer) -> {
                  throw new ServiceException(refusal(server));
                });
  }

  private Optional<ServerName> own(ServerName server) {
    return firstAsked.contains(server.getHostname())
        ? Optional.of(server)
        : own.canonical(server.getHostname())
            .map(host -> ServerName.valueOf(host, server.getPort(), server.getStartCode()));
  }

  private DoNotRetryIOException refusal(ServerName server) {
    var host = shown(server.getHostname());
    if (foreign.size() < FOREIGN && foreign.add(host)) {
      LOG.warn(
          "{}",
          LogLine.of("ForeignServerRefused")
              .cluster(cluster.getNamespace().orElse(""), cluster.getName())
              .with("host", host)
              .with("cause", "not a host of the cluster's own services"));
    }
    return new DoNotRetryIOException(
        "servers name the host "
            + host
            + "; only hosts of the cluster's own services are connected to");
  }

  /**
   * A host as far as it may be kept and shown. A tenant's server chooses it, and HBase's client
   * logs the exception that has it.
   */
  private static String shown(String host) {
    return host.substring(0, Math.min(LONGEST_HOST, host.length())).replaceAll("[^!-~]", "?");
  }

  @Override
  public void cancelConnections(ServerName server) {
    // HBase keeps them by address.
    own(server)
        .flatMap(it -> hosts.last(it.getHostname()).map(address -> at(it, address)))
        .ifPresent(client::cancelConnections);
  }

  @Override
  public boolean hasCellBlockSupport() {
    return client.hasCellBlockSupport();
  }

  @Override
  public void close() {
    client.close();
  }
}
