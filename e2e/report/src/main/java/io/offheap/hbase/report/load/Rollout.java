package io.offheap.hbase.report.load;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.RegionInfo;

/**
 * Restarts each region server in turn, by the steps of the operator's {@code Roller}: drained with
 * {@code hbase:meta} first and three regions at once to each server, stopped, started, and its
 * regions moved back. The operator itself needs Kubernetes; what is missing is the time between its
 * reconciliations. Or without a drain, as a StatefulSet's own update restarts pods.
 */
final class Rollout {
  // As the operator: what a server opens at once. To two servers that is under its limit of eight.
  private static final int MOVES_TO_ONE_SERVER = 3;

  private final Admin admin;
  private final PrintStream commands;
  private final BufferedReader responses;
  private final boolean drains;
  private final Set<Integer> restartedPorts = new HashSet<>();

  /**
   * Creates one.
   *
   * @param commands gets {@code restart PORT} for each server
   * @param responses has a line when that server is started
   * @param drains whether servers are drained before
   */
  Rollout(Admin admin, PrintStream commands, BufferedReader responses, boolean drains) {
    this.admin = admin;
    this.commands = commands;
    this.responses = responses;
    this.drains = drains;
  }

  void run() throws IOException, InterruptedException {
    boolean isBalanced = admin.balancerSwitch(false, true);
    for (ServerName server : servers()) {
      restart(server);
    }
    admin.balancerSwitch(isBalanced, false);
  }

  private List<ServerName> servers() throws IOException {
    return admin.getRegionServers().stream()
        .sorted(Comparator.comparingInt(ServerName::getPort))
        .toList();
  }

  private void restart(ServerName server) throws IOException, InterruptedException {
    var regions = new ArrayList<>(admin.getRegions(server));
    if (drains) {
      admin.decommissionRegionServers(List.of(server), false);
      drain(server, regions);
    }
    commands.println("restart " + server.getPort());
    if (responses.readLine() == null) {
      throw new IOException("the process that restarts servers ended");
    }
    var restarted = started(server);
    // The operator waits until the pod is ready; to a server that only the master lists, a region
    // would be moved that it cannot open yet.
    LoadTable.await("response of " + restarted, () -> LoadTable.isOnline(admin, restarted));
    if (drains) {
      admin.recommissionRegionServer(server, List.of());
    } else {
      // The master assigns what the stopped server had.
      LoadTable.await(
          "all regions on a server", () -> LoadTable.served(admin).containsAll(regions));
    }
    regions.removeIf(RegionInfo::isMetaRegion);
    move(regions, List.of(restarted));
    restartedPorts.add(restarted.getPort());
  }

  private void drain(ServerName server, List<RegionInfo> regions)
      throws IOException, InterruptedException {
    var others = servers().stream().filter(other -> !other.equals(server)).toList();
    var restarted =
        others.stream().filter(other -> restartedPorts.contains(other.getPort())).toList();
    // As the operator, which moves a region to a server that it has still to restart only where
    // there is no other: the region would be moved once more.
    var destinations = restarted.isEmpty() ? others : restarted;
    move(regions.stream().filter(RegionInfo::isMetaRegion).toList(), destinations);
    move(regions.stream().filter(region -> !region.isMetaRegion()).toList(), destinations);
    LoadTable.await("drained server " + server, () -> admin.getRegions(server).isEmpty());
  }

  private ServerName started(ServerName before) throws IOException, InterruptedException {
    LoadTable.await("restarted server " + before, () -> successor(before) != null);
    return successor(before);
  }

  private ServerName successor(ServerName before) throws IOException {
    return servers().stream()
        .filter(server -> server.getPort() == before.getPort() && !server.equals(before))
        .findFirst()
        .orElse(null);
  }

  /** Moves them and waits for each: a move that fails fails the measurement. */
  private void move(List<RegionInfo> regions, List<ServerName> destinations)
      throws IOException, InterruptedException {
    var movers = new HashMap<ServerName, ExecutorService>();
    try {
      var moves = new ArrayList<Future<?>>();
      for (int i = 0; i < regions.size(); i++) {
        var region = regions.get(i);
        var destination = destinations.get(i % destinations.size());
        moves.add(
            movers
                .computeIfAbsent(
                    destination, server -> Executors.newFixedThreadPool(MOVES_TO_ONE_SERVER))
                .submit(
                    () -> {
                      admin.move(region.getEncodedNameAsBytes(), destination);
                      return null;
                    }));
      }
      for (Future<?> move : moves) {
        move.get();
      }
    } catch (ExecutionException e) {
      throw new IOException(e.getCause());
    } finally {
      movers.values().forEach(ExecutorService::shutdown);
    }
  }
}
