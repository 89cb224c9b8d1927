package io.offheap.hbase.operator.hbase;

import java.time.Duration;
import org.apache.hbase.thirdparty.io.netty.channel.EventLoopGroup;
import org.apache.hbase.thirdparty.io.netty.channel.nio.NioEventLoopGroup;
import org.apache.hbase.thirdparty.io.netty.util.concurrent.DefaultThreadFactory;

/**
 * The threads of all connections to all clusters, RPC and HTTP alike: their number does not depend
 * on the number of clusters. They live as long as the process, so that closing a connection stops
 * none of them.
 *
 * <p>Code on an event loop must not block, because it would delay all connections of the loop. Host
 * names are therefore looked up on separate threads ({@link HostLookups}), and connections are made
 * to addresses.
 */
final class ClientThreads {
  private static final int EVENT_LOOPS = 4;

  private static final HostLookups.Bounds LOOKUPS =
      new HostLookups.Bounds(8, 8, Duration.ofSeconds(1), Duration.ofSeconds(3));

  /** Each connection stays on one event loop. */
  static final EventLoopGroup LOOPS =
      new NioEventLoopGroup(EVENT_LOOPS, new DefaultThreadFactory("hbase-io", true));

  static final HostLookups HOSTS = new HostLookups(LOOKUPS, HostLookups::resolve, System::nanoTime);

  private ClientThreads() {}
}
