package io.offheap.hbase.operator.hbase;

import io.offheap.hbase.operator.hbase.HostileServer.Http;
import io.offheap.hbase.operator.hbase.HostileServer.Rpc;
import io.offheap.hbase.operator.render.Ports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * What runs in a pod in the place of a server of HBase: each of its ports responds in one hostile
 * way after the other. With several pods, each begins with another way.
 */
final class HostilePod {
  private static final int SECONDS_OF_A_WAY = 20;

  private HostilePod() {}

  public static void main(String[] arguments) throws IOException, InterruptedException {
    var address = InetAddress.getLocalHost();
    var httpWays = List.of(Http.values());
    var rpcWays = List.of(Rpc.values());
    int turn = address.getHostName().hashCode() & 0xff;
    System.out.println("hostile on " + address);
    while (true) {
      var http = httpWays.get(turn % httpWays.size());
      var rpc = rpcWays.get(turn % rpcWays.size());
      System.out.println("HTTP " + http + ", RPC " + rpc);
      respond(address, http, rpc);
      turn++;
    }
  }

  /** For a while. A port may be in use for a moment after the server before was closed. */
  private static void respond(InetAddress address, Http http, Rpc rpc) throws InterruptedException {
    try (var masterHttp = HostileServer.start(address, Ports.MASTER_HTTP, http);
        var masterRpc = HostileServer.start(address, Ports.MASTER_RPC, rpc);
        var serverHttp = HostileServer.start(address, Ports.REGIONSERVER_HTTP, http);
        var serverRpc = HostileServer.start(address, Ports.REGIONSERVER_RPC, rpc)) {
      TimeUnit.SECONDS.sleep(SECONDS_OF_A_WAY);
    } catch (UncheckedIOException inUse) {
      System.out.println(inUse.getMessage());
      TimeUnit.SECONDS.sleep(1);
    }
  }
}
