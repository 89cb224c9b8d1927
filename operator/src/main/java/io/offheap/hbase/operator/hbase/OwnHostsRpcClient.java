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
 * HBase's RPC client, through which every connection to a server is made, with limits: it connects
 * only to the cluster's own servers, whatever hosts these send, accepts no frame over {@link
 * #MAX_FRAME} ({@link FrameBound}) and parses no response that takes more than its share of the
 * heap ({@link BoundedResponse}). HBase instantiates it by its name in the configuration.
 */
public final class OwnHostsRpcClient implements RpcClient {
  /** Property: {@code namespace/name} of the cluster. */
  static final String CLUSTER = "hbase.offheap.operator.cluster";

  /** Property: {@code host:port} of the bootstrap servers. */
  static final String BOOTSTRAP_SERVERS = "hbase.client.bootstrap.servers";

  /** Deadline of a call. */
  static final int RPC_MILLIS = 5_000;

  /**
   * The largest legitimate response is a cell of 10 MiB, HBase's own limit. Tables of 5,000
   * families and the procedures of a crashed server with ten thousand regions are smaller.
   */
  static final int MAX_FRAME = 16 << 20;

  /** Less than the deadline of a call, so that the call fails with this cause. */
  private static final Duration WHOLE = Duration.ofMillis(RPC_MILLIS - 1_000);

  /** Partial frames of all connections of the process; they are not on the heap. */
  private static final FrameBudget FRAMES = new FrameBudget(2L * MAX_FRAME, System::nanoTime);

  private static final Logger LOG = LoggerFactory.getLogger(OwnHostsRpcClient.class);

  /** How many foreign hosts are logged by name. */
  private static final int FOREIGN = 8;

  /** The longest name in the DNS. */
  private static final int LONGEST_HOST = 253;

  private final ResourceID cluster;
  private final OwnHosts own;

  /** {@code host:port} of servers that were chosen by the operator, not by a server. */
  private final Set<String> bootstrapServers;

  /** Hosts of bootstrap servers that are no pods of the cluster's services. */
  private final Set<String> chosen;

  private final Set<String> foreign = ConcurrentHashMap.newKeySet();

  private final HostLookups hosts;

  private final RpcClient client;

  /** A connection with limited frames; netty instantiates it. */
  public static final class BoundedChannel extends NioSocketChannel {
    /** Adds the handler before HBase adds its own. */
    public BoundedChannel() {
      pipeline().addLast(new FrameBound(MAX_FRAME, WHOLE, FRAMES));
    }
  }

  /** The constructor that HBase calls. */
  public OwnHostsRpcClient(
      Configuration conf,
      String clusterId,
      SocketAddress localAddress,
      MetricsConnection metrics,
      Map<String, byte[]> attributes) {
    this(conf, clusterId, localAddress, metrics, attributes, ClientThreads.HOSTS);
  }

  /** For tests: with other lookups of hosts. */
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
    bootstrapServers = Set.of(conf.getTrimmedStrings(BOOTSTRAP_SERVERS));
    chosen =
        bootstrapServers.stream()
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
    // HBase passes the event loops in a static field, which the constructor reads. A client that
    // got its loops from outside does not stop them when it is closed.
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
                BoundedResponse.channel(
                    lookedUp(it, at -> client.createRpcChannel(at, user, timeout)),
                    it.getHostname() + ":" + it.getPort(),
                    TableNames.OF_PROCESS.of(cluster),
                    ResponseBudget.OF_PROCESS))
        .orElseGet(
            () ->
                (method, controller, request, response, done) -> {
                  ((HBaseRpcController) controller).setFailed(refusal(server));
                  done.run(null);
                });
  }

  /**
   * A channel to the address that a server has at the time of a call. HBase connects to the address
   * of a name too, but looks the name up on an event loop.
   */
  private RpcChannel lookedUp(ServerName server, Function<ServerName, RpcChannel> channel) {
    return (method, controller, request, response, done) -> {
      var unused =
          hosts
              .address(server.getHostname())
              .whenComplete(
                  (address, failed) -> {
                    if (failed == null) {
                      channel
                          .apply(at(server, address))
                          .callMethod(method, controller, request, response, done);
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
    throw new UnsupportedOperationException("the size of its responses would not be limited");
  }

  private Optional<ServerName> own(ServerName server) {
    var host = server.getHostname();
    return chosen.contains(host) || bootstrapServers.contains(host + ":" + server.getPort())
        ? Optional.of(server)
        : own.of(host)
            .filter(it -> it.port() == server.getPort())
            .map(it -> ServerName.valueOf(it.host(), it.port(), server.getStartCode()));
  }

  private RefusedResponseException refusal(ServerName server) {
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
    return RefusedResponseException.withMessage(
        own.map(it -> "servers name the address " + host + "; its port must be " + it.port())
            .orElse(
                "servers name the host "
                    + host
                    + "; must be a host of the cluster's own services"));
  }

  /**
   * The host, shortened for storing and printing. A tenant's server chooses it, and HBase's client
   * logs the exception that has it.
   */
  private static String shown(String host) {
    return host.substring(0, Math.min(LONGEST_HOST, host.length())).replaceAll("[^!-~]", "?");
  }

  @Override
  public void cancelConnections(ServerName server) {
    // HBase keys connections by address.
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
