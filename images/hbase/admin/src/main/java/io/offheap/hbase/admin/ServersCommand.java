package io.offheap.hbase.admin;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Admin;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** Masters and region servers. */
@Command(
    name = "servers",
    description = {
      "Lists servers, and drains region servers.",
      "A SERVER is its full name (host,port,startcode), host,port, host or pod."
    })
final class ServersCommand {
  @ParentCommand private AdminTool tool;

  @Command(name = "list", description = "Masters and region servers with their regions.")
  int list() {
    return tool.run(
        session -> {
          var admin = session.admin();
          // Without the option of servers, whose response has an entry for each region of the
          // cluster.
          var metrics =
              admin.getClusterMetrics(
                  EnumSet.of(
                      ClusterMetrics.Option.MASTER,
                      ClusterMetrics.Option.BACKUP_MASTERS,
                      ClusterMetrics.Option.SERVERS_NAME,
                      ClusterMetrics.Option.DEAD_SERVERS));
          var listing = Output.listing("server", "role", "state", "regions");
          add(listing, List.of(metrics.getMasterName()), "master", "active");
          add(listing, metrics.getBackupMasterNames(), "master", "backup");
          var draining = new HashSet<>(admin.listDecommissionedRegionServers());
          for (var server : metrics.getServersName().stream().sorted().toList()) {
            listing.add(
                server.getServerName(),
                "regionserver",
                draining.contains(server) ? "draining" : "live",
                regions(admin, server));
          }
          add(listing, metrics.getDeadServerNames(), "regionserver", "dead");
          return listing.output();
        });
  }

  private static void add(
      Output.Listing listing, List<ServerName> servers, String role, String state) {
    servers.stream()
        .sorted()
        .forEach(server -> listing.add(server.getServerName(), role, state, null));
  }

  /** Null where it does not respond, which is no reason not to show the others. */
  private static Integer regions(Admin admin, ServerName server) {
    try {
      return admin.getRegions(server).size();
    } catch (IOException e) {
      return null;
    }
  }

  @Command(name = "draining", description = "Region servers that get no regions.")
  int draining() {
    return tool.run(
        session -> {
          var listing = Output.listing("server", "regions");
          var admin = session.admin();
          for (var server : admin.listDecommissionedRegionServers()) {
            listing.add(server.getServerName(), regions(admin, server));
          }
          return listing.output();
        });
  }

  @Command(
      name = "decommission",
      description = {
        "Lets region servers get no further regions until they are recommissioned.",
        "The operator drains a region server on its own where its pod is evicted or restarted."
      })
  int decommission(
      @Parameters(
              paramLabel = "SERVER",
              arity = "1..*",
              description = "Region servers: full names, host,port, hosts, or pods.")
          List<String> servers,
      @Option(names = "--offload", description = "Moves the regions that they hold away.")
          boolean offload) {
    return tool.run(
        session -> {
          var named = named(session, servers);
          session.admin().decommissionRegionServers(named, offload);
          return done("decommissioned", named);
        });
  }

  @Command(name = "recommission", description = "Lets region servers get regions again.")
  int recommission(
      @Parameters(
              paramLabel = "SERVER",
              arity = "1..*",
              description = "Region servers: full names, host,port, hosts, or pods.")
          List<String> servers) {
    return tool.run(
        session -> {
          var named = named(session, servers);
          for (var server : named) {
            session.admin().recommissionRegionServer(server, List.of());
          }
          return done("recommissioned", named);
        });
  }

  private static List<ServerName> named(Session session, List<String> servers) throws Exception {
    var named = new ArrayList<ServerName>();
    for (var server : servers) {
      named.add(session.server(server));
    }
    return named;
  }

  private static Output done(String what, List<ServerName> servers) {
    var names = servers.stream().map(ServerName::getServerName).toList();
    return Output.done(what + ": " + String.join(" ", names), "servers", names);
  }
}
