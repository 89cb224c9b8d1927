package io.offheap.hbase.operator.http;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;

import io.offheap.hbase.operator.log.LogLine;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens for a server that is bound to the loopback address, and forwards the bytes of
 * connections, TLS or not. A connection is opened to the server with its first byte. The number of
 * open connections is limited; for one more, the peer with the most connections loses one: the
 * oldest that has sent nothing where many have sent nothing, otherwise the one that has been idle
 * for the longest. So a peer with many connections takes none from other peers. Several clients can
 * have one address (a node's, behind which pods and the kubelet may be); so a connection that is
 * new is not closed: its first byte is under way.
 *
 * <p>The JDK's server has no such limit. It keeps a connection that sends nothing for 30 s, however
 * many there are, and with {@code jdk.httpserver.maxConnections} it closes the next connection,
 * which may be the kubelet's.
 */
public final class ConnectionGate implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ConnectionGate.class);

  /** Kubelet, Prometheus and Alertmanager need a few; each takes three file descriptors. */
  static final int MOST = 256;

  private static final Duration FIRST_BYTE = Duration.ofSeconds(5);

  /** Longer than the servers' own limits of an exchange and of an idle connection. */
  private static final Duration IDLE = Duration.ofMinutes(1);

  /** Connections of a peer without a byte. Fewer may be new, with their first byte under way. */
  private static final int MANY_SILENT = 32;

  /** Without it, a client that still sends would get a connection reset, not the response. */
  private static final Duration LINGER = Duration.ofSeconds(2);

  private static final Duration TICK = Duration.ofSeconds(1);
  private static final Duration LOG_PERIOD = Duration.ofMinutes(1);

  /** At most this number a round, so that open connections are served in between. */
  private static final int ACCEPTED_AT_ONCE = 64;

  private final String name;
  private final InetSocketAddress server;
  private final Duration firstByte;
  private final ServerSocketChannel listener;
  private final Selector selector;
  private final SelectionKey accepting;

  /** Oldest first; used by the gate's own thread. */
  private final Set<GateLink> links = new LinkedHashSet<>();

  private long logged = System.nanoTime() - LOG_PERIOD.toNanos();

  /**
   * Starts to listen.
   *
   * @param name for its thread and its log
   * @param port TCP port; 0 for any that is free
   * @param server where the server listens
   * @throws IOException if the port cannot be bound
   */
  public ConnectionGate(String name, int port, InetSocketAddress server) throws IOException {
    this(name, new InetSocketAddress(port), server, FIRST_BYTE);
  }

  /**
   * Starts to listen on one address of this host only.
   *
   * @param listen address and port
   * @throws IOException if the port cannot be bound
   */
  public ConnectionGate(String name, InetSocketAddress listen, InetSocketAddress server)
      throws IOException {
    this(name, listen, server, FIRST_BYTE);
  }

  /** With another limit for the first byte. */
  ConnectionGate(String name, int port, InetSocketAddress server, Duration firstByte)
      throws IOException {
    this(name, new InetSocketAddress(port), server, firstByte);
  }

  private ConnectionGate(
      String name, InetSocketAddress listen, InetSocketAddress server, Duration firstByte)
      throws IOException {
    this.name = name;
    this.server = server;
    this.firstByte = firstByte;
    selector = Selector.open();
    listener = ServerSocketChannel.open();
    try {
      listener.bind(listen);
      listener.configureBlocking(false);
      accepting = listener.register(selector, SelectionKey.OP_ACCEPT);
    } catch (IOException e) {
      close();
      throw e;
    }
    var thread = new Thread(this::run, name + "-gate");
    thread.setDaemon(true);
    thread.start();
  }

  /** The port that it listens on. */
  public int port() {
    return listener.socket().getLocalPort();
  }

  private void run() {
    long swept = System.nanoTime();
    try {
      while (selector.isOpen()) {
        selector.select(TICK.toMillis());
        long now = System.nanoTime();
        var selected = List.copyOf(selector.selectedKeys());
        selector.selectedKeys().clear();
        selected.forEach(key -> handle(key, now));
        if (now - swept >= TICK.toNanos()) {
          swept = now;
          accepting.interestOps(SelectionKey.OP_ACCEPT);
          sweep(now);
        }
      }
    } catch (ClosedSelectorException | CancelledKeyException e) {
      LOG.debug("{} was closed", name, e);
    } catch (IOException e) {
      LOG.error("{} has stopped listening", name, e);
    } finally {
      links.forEach(GateLink::close);
    }
  }

  private void handle(SelectionKey key, long now) {
    if (key == accepting) {
      accept(now);
      return;
    }
    var link = (GateLink) key.attachment();
    if (key.isValid()) {
      pass(link, now);
    } else {
      end(link);
    }
  }

  private void pass(GateLink link, long now) {
    try {
      if (link.pass(now)) {
        return;
      }
    } catch (IOException | CancelledKeyException e) {
      // A cancelled key: the gate has closed this connection to accept another one.
      LOG.debug("{} lost a connection", name, e);
    }
    end(link);
  }

  private void accept(long now) {
    try {
      for (int i = 0; i < ACCEPTED_AT_ONCE; i++) {
        var client = listener.accept();
        if (client == null) {
          return;
        }
        if (links.size() >= MOST) {
          makeRoom(now);
        }
        var link = new GateLink(client, server, selector, now);
        links.add(link);
        // A request that came with the connection counts at once.
        pass(link, now);
      }
    } catch (IOException e) {
      // The process has no file descriptors left: some are freed, and new connections wait.
      LOG.warn("{} cannot accept a connection", name, e);
      makeRoom(now);
      accepting.interestOps(0);
    }
  }

  private void makeRoom(long now) {
    var counts = links.stream().collect(groupingBy(GateLink::peer, counting()));
    long most = counts.values().stream().max(Comparator.naturalOrder()).orElse(0L);
    var candidates = links.stream().filter(it -> counts.get(it.peer()) == most).toList();
    boolean areManySilent = candidates.stream().filter(GateLink::isSilent).count() >= MANY_SILENT;
    candidates.stream()
        .filter(it -> it.isSilent() || !areManySilent)
        .min(Comparator.comparing(GateLink::active))
        .ifPresent(
            it -> {
              log(it.peer(), most, now);
              end(it);
            });
  }

  /** Any client can open connections, so the log is limited. */
  private void log(InetAddress peer, long count, long now) {
    if (now - logged >= LOG_PERIOD.toNanos()) {
      logged = now;
      LOG.warn(
          "{}",
          LogLine.of("TooManyConnections")
              .with("server", name)
              .with("most", MOST)
              .with("peer", peer.getHostAddress())
              .with("connections", count));
    }
  }

  private void sweep(long now) {
    new ArrayList<>(links)
        .stream()
            .filter(
                it -> {
                  long idle = now - it.active();
                  return it.isSilent()
                      ? idle >= firstByte.toNanos()
                      : idle >= (it.isComplete() ? LINGER : IDLE).toNanos();
                })
            .forEach(this::end);
  }

  private void end(GateLink link) {
    links.remove(link);
    link.close();
  }

  @Override
  public void close() {
    try (listener;
        selector) {
      LOG.debug("{} closes", name);
    } catch (IOException e) {
      LOG.debug("{} was closed", name, e);
    }
  }
}
