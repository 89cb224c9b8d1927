package io.offheap.hbase.operator.hbase;

import java.time.Duration;
import org.apache.hbase.thirdparty.io.netty.channel.EventLoopGroup;
import org.apache.hbase.thirdparty.io.netty.channel.nio.NioEventLoopGroup;
import org.apache.hbase.thirdparty.io.netty.util.concurrent.DefaultThreadFactory;

/**
 * The threads of all connections to all clusters, RPC and HTTP alike: their number does not depend
 * on the number of clusters. They live as long as the process and belong to no cluster, so that a
 * connection that is closed stops none of them.
 *
 * <p>Nothing on an event loop may wait, as it would hold up all connections of that loop. Host
 * names are therefore looked up on threads of their own ({@link HostLookups}), and connections are
 * made to addresses.
 */
final class ClientThreads {
  private static final int EVENT_LOOPS = 4;

  private static final HostLookups.Bounds LOOKUPS =
      new HostLookups.Bounds(8, 8, Duration.ofSeconds(1), Duration.ofSeconds(3));

  /** Each connection stays on one of these. */
  static final EventLoopGroup LOOPS =
      new NioEventLoopGroup(EVENT_LOOPS, new DefaultThreadFactory("hbase-io", true));

  static final HostLookups HOSTS = new HostLookups(LOOKUPS, HostLookups::resolve, System::nanoTime);

  private ClientThreads() {}
}
