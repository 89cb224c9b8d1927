package io.offheap.hbase.admin;

import java.util.EnumSet;
import java.util.List;
import org.apache.hadoop.hbase.ClusterMetrics.Option;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.util.Bytes;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** Regions: where they are, and what is done to them. */
@Command(
    name = "regions",
    description = {
      "Lists, moves, assigns, splits, merges, compacts and flushes regions.",
      "A REGION is its encoded name (32 hexadecimal digits) or its full name."
    })
final class RegionsCommand {
  /** As many as a screen or two; a table may have 100000. */
  private static final int DEFAULT_LIMIT = 100;

  /** What is printed is held in memory first. */
  private static final int MOST = 10_000;

  @ParentCommand private AdminTool tool;

  /** Exactly one of the two. */
  static final class TableOrServer {
    @CommandLine.Option(
        names = "--table",
        paramLabel = "TABLE",
        description = "Regions of this table, in the order of their keys.")
    private TableName table;

    @CommandLine.Option(
        names = "--server",
        paramLabel = "SERVER",
        description = "Regions that this server holds, or the pod of this name.")
    private String server;
  }

  /** Exactly one of the two. */
  static final class TableOrRegion {
    @CommandLine.Option(names = "--table", paramLabel = "TABLE", description = "All its regions.")
    private TableName table;

    @CommandLine.Option(names = "--region", paramLabel = "REGION", description = "One region.")
    private String region;
  }

  @Command(name = "list", description = "Regions of a table or of a server.")
  int list(
      @ArgGroup(multiplicity = "1") TableOrServer of,
      @CommandLine.Option(
              names = "--limit",
              paramLabel = "N",
              defaultValue = "" + DEFAULT_LIMIT,
              description = "At most so many, up to 10000; ${DEFAULT-VALUE} where left out.")
          int limit,
      @CommandLine.Option(
              names = "--start",
              paramLabel = "KEY",
              description = "With --table: from the region with this key on; bytes as \\xHH.")
          Binary start) {
    return tool.run(
        session -> {
          if (limit < 1 || limit > MOST) {
            throw UsageException.mustBe("--limit", "" + limit, "must be from 1 to " + MOST);
          }
          if (start != null && of.table == null) {
            throw new UsageException("--start must be given with --table only");
          }
          byte[] first = start == null ? HConstants.EMPTY_START_ROW : start.bytes();
          return of.server != null
              ? RegionListing.ofServer(session, of.server, limit)
              : RegionListing.ofTable(session, of.table, first, limit);
        });
  }

  @Command(name = "locate", description = "The region that holds a row, and its server.")
  int locate(
      @Parameters(paramLabel = "TABLE", description = "The table, as [NAMESPACE:]NAME.")
          TableName table,
      @Parameters(paramLabel = "ROW", description = "Bytes as \\xHH.") Binary row) {
    return tool.run(
        session -> {
          session.existing(table);
          try (var locator = session.connection().getRegionLocator(table)) {
            var location = locator.getRegionLocation(row.bytes(), true);
            var region = location.getRegion();
            return Output.of(
                Output.facts(
                    "region",
                    region.getEncodedName(),
                    "name",
                    region.getRegionNameAsString(),
                    "server",
                    location.getServerName() == null
                        ? null
                        : location.getServerName().getServerName(),
                    "startKey",
                    Binary.text(region.getStartKey()),
                    "endKey",
                    Binary.text(region.getEndKey())));
          }
        });
  }

  @Command(name = "in-transition", description = "Regions that are being opened, closed or stuck.")
  int inTransition() {
    return tool.run(
        session -> {
          var metrics = session.admin().getClusterMetrics(EnumSet.of(Option.REGIONS_IN_TRANSITION));
          var listing = Output.listing("region", "table", "state", "server", "sinceSeconds");
          long now = System.currentTimeMillis();
          for (var state : metrics.getRegionStatesInTransition()) {
            listing.add(
                state.getRegion().getEncodedName(),
                state.getRegion().getTable().getNameAsString(),
                state.getState().name(),
                state.getServerName() == null ? null : state.getServerName().getServerName(),
                Math.max(0, now - state.getStamp()) / 1000);
          }
          return listing.output();
        });
  }

  @Command(
      name = "move",
      description = "Moves a region to a server, or to one that the balancer chooses.")
  int move(
      @Parameters(
              paramLabel = "REGION",
              description = "The region's encoded name, or its full name.")
          String region,
      @Parameters(
              paramLabel = "SERVER",
              arity = "0..1",
              description = "Full name, host,port, host, or pod.")
          String server) {
    return tool.run(
        session -> {
          var name = Session.encodedName(region);
          if (server == null) {
            session.admin().move(Bytes.toBytes(name));
            return Output.done("region " + name + " moved", "region", name, "server", null);
          }
          var target = session.server(server);
          session.admin().move(Bytes.toBytes(name), target);
          return Output.done(
              "region " + name + " moved to " + target,
              "region",
              name,
              "server",
              target.getServerName());
        });
  }

  @Command(name = "assign", description = "Opens a region that no server holds.")
  int assign(
      @Parameters(
              paramLabel = "REGION",
              description = "The region's encoded name, or its full name.")
          String region) {
    return tool.run(
        session -> {
          var name = Session.encodedName(region);
          session.admin().assign(Bytes.toBytes(name));
          return Output.done("region " + name + " assigned", "region", name);
        });
  }

  @Command(
      name = "unassign",
      description = "Closes a region, and leaves it closed until it is assigned; needs --yes.")
  int unassign(
      @Parameters(
              paramLabel = "REGION",
              description = "The region's encoded name, or its full name.")
          String region,
      @CommandLine.Option(names = "--yes", description = "Confirms it; without it nothing is done.")
          boolean yes) {
    return tool.run(
        session -> {
          var name = Session.encodedName(region);
          UsageException.unlessConfirmed(yes, "takes region " + name + " out of service");
          session.admin().unassign(Bytes.toBytes(name));
          return Output.done("region " + name + " unassigned", "region", name);
        });
  }

  @Command(name = "split", description = "Splits a region, in its middle or at a key.")
  int split(
      @Parameters(
              paramLabel = "REGION",
              description = "The region's encoded name, or its full name.")
          String region,
      @CommandLine.Option(
              names = "--at",
              paramLabel = "KEY",
              description = "The second region begins with it; bytes as \\xHH.")
          Binary key) {
    return tool.run(
        session -> {
          var name = Session.encodedName(region);
          var admin = session.admin();
          session.await(
              key == null
                  ? admin.splitRegionAsync(Bytes.toBytes(name))
                  : admin.splitRegionAsync(Bytes.toBytes(name), key.bytes()),
              "region " + name + " to be split");
          return Output.done(
              "region " + name + " split",
              "region",
              name,
              "at",
              key == null ? null : key.toString());
        });
  }

  @Command(name = "merge", description = "Merges regions of a table that follow each other.")
  int merge(
      @Parameters(
              paramLabel = "REGION",
              arity = "2..*",
              description = "Encoded or full names of two or more regions.")
          List<String> regions,
      @CommandLine.Option(
              names = "--force",
              description = "Also regions that do not follow each other.")
          boolean force) {
    return tool.run(
        session -> {
          var names = regions.stream().map(Session::encodedName).toList();
          session.await(
              session
                  .admin()
                  .mergeRegionsAsync(
                      names.stream().map(Bytes::toBytes).toArray(byte[][]::new), force),
              "regions to be merged");
          return Output.done("regions merged: " + String.join(" ", names), "regions", names);
        });
  }

  @Command(
      name = "compact",
      description = {
        "Requests a compaction. It is queued: this command does not wait for its end,",
        "which the state of 'regions compaction' shows."
      })
  int compact(
      @ArgGroup(multiplicity = "1") TableOrRegion of,
      @CommandLine.Option(names = "--major", description = "All files of a store into one.")
          boolean major) {
    return tool.run(
        session -> {
          var admin = session.admin();
          if (of.table != null) {
            session.existing(of.table);
            if (major) {
              admin.majorCompact(of.table);
            } else {
              admin.compact(of.table);
            }
            return requested("compaction", "table", of.table.getNameAsString());
          }
          var name = Session.encodedName(of.region);
          if (major) {
            admin.majorCompactRegion(Bytes.toBytes(name));
          } else {
            admin.compactRegion(Bytes.toBytes(name));
          }
          return requested("compaction", "region", name);
        });
  }

  private static Output requested(String what, String kind, String name) {
    return Output.done(what + " of " + kind + " " + name + " requested", kind, name);
  }

  @Command(name = "compaction", description = "Which compaction runs: NONE, MINOR, MAJOR or both.")
  int compaction(@ArgGroup(multiplicity = "1") TableOrRegion of) {
    return tool.run(
        session -> {
          var admin = session.admin();
          var state =
              of.table != null
                  ? admin.getCompactionState(session.existing(of.table))
                  : admin.getCompactionStateForRegion(
                      Bytes.toBytes(Session.encodedName(of.region)));
          return Output.of(Output.facts("compaction", state.name()));
        });
  }

  @Command(name = "flush", description = "Writes what is in memory to files.")
  int flush(@ArgGroup(multiplicity = "1") TableOrRegion of) {
    return tool.run(
        session -> {
          if (of.table != null) {
            session.admin().flush(session.existing(of.table));
            var name = of.table.getNameAsString();
            return Output.done("table " + name + " flushed", "table", name);
          }
          var name = Session.encodedName(of.region);
          session.admin().flushRegion(Bytes.toBytes(name));
          return Output.done("region " + name + " flushed", "region", name);
        });
  }
}
