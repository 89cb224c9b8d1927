package io.offheap.hbase.operator.hbase;

import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.offheap.hbase.operator.log.LogLine;
import java.io.IOException;
import java.net.InetAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.MetricsConnection;
import org.apache.hadoop.hbase.ipc.HBaseRpcController;
import org.apache.hadoop.hbase.ipc.NettyRpcClient;
import org.apache.hadoop.hbase.ipc.NettyRpcClientConfigHelper;
import org.apache.hadoop.hbase.ipc.RpcClient;
import org.apache.hadoop.hbase.security.User;
import org.apache.hbase.thirdparty.com.google.protobuf.BlockingRpcChannel;
import org.apache.hbase.thirdparty.com.google.protobuf.RpcChannel;
import org.apache.hbase.thirdparty.io.netty.channel.socket.nio.NioSocketChannel;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * HBase's client, which every connection to a server comes from, with bounds: it connects to the
 * cluster's own servers alone, whomever these name, takes no frame over {@link #MAX_FRAME} ({@link
 * FrameBound}) and reads no answer that takes more than its share of the heap ({@link
 * BoundedAnswer}). HBase makes it by its name in the configuration.
 */
public final class OwnHostsRpcClient implements RpcClient {
  /** {@code namespace/name} of the cluster. */
  static final String CLUSTER = "hbase.offheap.operator.cluster";

  /**
   * The largest legitimate answer is a cell of 10 MiB, HBase's own bound. Tables of 5,000 families
   * and the procedures of a server of ten thousand regions that crashed are under it.
   */
  static final int MAX_FRAME = 16 << 20;

  /** Less than a call may take: what is wrong is told to the call. */
  private static final Duration WHOLE = Duration.ofMillis(ClientSettings.RPC_MILLIS - 1_000);

  /** Parts of frames that all connections of the process hold; they are not on the heap. */
  private static final FrameBudget FRAMES = new FrameBudget(2L * MAX_FRAME, System::nanoTime);

  private static final Logger LOG = LoggerFactory.getLogger(OwnHostsRpcClient.class);

  /** So many are logged by their names. */
  private static final int FOREIGN = 8;

  /** No name in the DNS is longer. */
  private static final int LONGEST_HOST = 253;

  private final ResourceID cluster;
  private final OwnHosts own;

  /** {@code host:port} of servers that were chosen by the operator, not by a server. */
  private final Set<String> firstAsked;

  /** Hosts of those that are no pods of the cluster's services: whoever chose them knows them. */
  private final Set<String> chosen;

  private final Set<String> foreign = ConcurrentHashMap.newKeySet();

  private final HostLookups hosts;

  private final RpcClient client;

  /** A connection whose frames are bounded; netty makes it. */
  public static final class BoundedChannel extends NioSocketChannel {
    /** Before what HBase adds. */
    public BoundedChannel() {
      pipeline().addLast(new FrameBound(MAX_FRAME, WHOLE, FRAMES));
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
    firstAsked = Set.of(conf.getTrimmedStrings(ClientSettings.FIRST_ASKED));
    chosen =
        firstAsked.stream()
            .map(address -> address.substring(0, address.lastIndexOf(':')))
            .filter(host -> own.of(host).isEmpty())
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
        .map(
            it ->
                BoundedAnswer.channel(
                    lookedUp(it, at -> client.createRpcChannel(at, user, timeout)),
                    it.getHostname() + ":" + it.getPort(),
                    TableNames.OF_PROCESS.of(cluster),
                    AnswerBudget.OF_PROCESS))
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
    throw new UnsupportedOperationException("its answers would have no bounds");
  }

  private Optional<ServerName> own(ServerName server) {
    var host = server.getHostname();
    return chosen.contains(host) || firstAsked.contains(host + ":" + server.getPort())
        ? Optional.of(server)
        : own.of(host)
            .filter(it -> it.port() == server.getPort())
            .map(it -> ServerName.valueOf(it.host(), it.port(), server.getStartCode()));
  }

  private RefusedAnswerException refusal(ServerName server) {
    var own = this.own.of(server.getHostname());
    var host = shown(server.getHostname()) + (own.isPresent() ? ":" + server.getPort() : "");
    if (foreign.size() < FOREIGN && foreign.add(host)) {
      LOG.warn(
          "{}",
          LogLine.of("ForeignServerRefused")
              .cluster(cluster.getNamespace().orElse(""), cluster.getName())
              .with("host", host)
              .with("cause", "not a server of the cluster's own services"));
    }
    return RefusedAnswerException.saying(
        own.map(it -> "servers name the address " + host + "; port " + it.port() + " is right")
            .orElse(
                "servers name the host "
                    + host
                    + "; only hosts of the cluster's own services are connected to"));
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
