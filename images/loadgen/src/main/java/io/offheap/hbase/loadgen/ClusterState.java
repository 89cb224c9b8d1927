package io.offheap.hbase.loadgen;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.ClusterMetrics.Option;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hbase.thirdparty.com.google.gson.Gson;

/**
 * Prints, as one line of JSON, what the cluster is like: whether the balancer and the normalizer
 * are on, which servers live, are dead or get no regions, which regions are in transition, and how
 * many regions each server has. It changes nothing.
 */
public final class ClusterState {
  private ClusterState() {}

  public static void main(String[] args) throws IOException {
    String json;
    try (Connection connection = ConnectionFactory.createConnection(HBaseConfiguration.create());
        Admin admin = connection.getAdmin()) {
      json = new Gson().toJson(of(admin));
    }
    System.out.println(json);
    // Hadoop's metrics and the client leave threads behind.
    System.exit(0);
  }

  private static Map<String, Object> of(Admin admin) throws IOException {
    ClusterMetrics metrics = admin.getClusterMetrics(EnumSet.allOf(Option.class));
    Map<String, Integer> regions = new TreeMap<>();
    for (ServerName server : metrics.getLiveServerMetrics().keySet()) {
      // From the server itself: the master's report is some seconds old.
      regions.put(server.toString(), admin.getRegions(server).size());
    }
    var state = new LinkedHashMap<String, Object>();
    state.put("hbaseVersion", metrics.getHBaseVersion());
    state.put("balancer", admin.isBalancerEnabled());
    state.put("normalizer", admin.isNormalizerEnabled());
    state.put("activeMaster", metrics.getMasterName().toString());
    state.put("backupMasters", names(metrics.getBackupMasterNames()));
    state.put("liveServers", names(metrics.getLiveServerMetrics().keySet()));
    state.put("deadServers", names(metrics.getDeadServerNames()));
    state.put("drainingServers", names(admin.listDecommissionedRegionServers()));
    List<String> inTransition = new ArrayList<>();
    metrics
        .getRegionStatesInTransition()
        .forEach(region -> inTransition.add(region.getRegion().getRegionNameAsString()));
    state.put("regionsInTransition", inTransition);
    state.put("regions", regions);
    return state;
  }

  private static List<String> names(Collection<ServerName> servers) {
    return servers.stream().map(ServerName::toString).sorted().toList();
  }
}
