package io.offheap.hbase.admin;

import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Hbck;
import org.apache.hadoop.hbase.client.TableState;
import org.apache.hadoop.hbase.master.RegionState;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** Repairs, as hbck2 makes them through the master. */
@Command(
    name = "hbck",
    description = {
      "Repairs of the master's state, as hbck2 has them; read HBase's documentation of hbck2 first.",
      "Each hands procedures to the master; 'procedures list' shows how they end."
    })
final class HbckCommand {
  private static final long NOT_SCHEDULED = -1;

  @ParentCommand private AdminTool tool;

  /** What is done with the master's repair interface. */
  @FunctionalInterface
  private interface Repair {
    Output with(Hbck hbck) throws Exception;
  }

  /** The arguments are checked before any request to HBase. */
  private int repair(Runnable check, Repair repair) {
    return tool.run(
        session -> {
          check.run();
          try (var hbck = session.connection().getHbck()) {
            return repair.with(hbck);
          }
        });
  }

  @Command(
      name = "assigns",
      description = "Assigns regions, also where the master holds them to be assigned.")
  int assigns(
      @Parameters(
              paramLabel = "REGION",
              arity = "1..*",
              description = "Encoded or full names of regions.")
          List<String> regions,
      @Option(
              names = "--override",
              description = "Although a procedure of the master works on the region.")
          boolean override) {
    return repair(
        () -> names(regions), hbck -> scheduled(regions, hbck.assigns(names(regions), override)));
  }

  @Command(
      name = "unassigns",
      description = "Unassigns regions, also where the master holds them to be; needs --yes.")
  int unassigns(
      @Parameters(
              paramLabel = "REGION",
              arity = "1..*",
              description = "Encoded or full names of regions.")
          List<String> regions,
      @Option(
              names = "--override",
              description = "Although a procedure of the master works on the region.")
          boolean override,
      @Option(names = "--yes", description = "Confirms it; without it nothing is done.")
          boolean yes) {
    return repair(
        () -> {
          names(regions);
          UsageException.unlessConfirmed(yes, "takes regions out of service");
        },
        hbck -> {
          return scheduled(regions, hbck.unassigns(names(regions), override));
        });
  }

  private static List<String> names(List<String> regions) {
    return regions.stream().map(Session::encodedName).toList();
  }

  private static Output scheduled(List<String> subjects, List<Long> procedures)
      throws FailedException {
    var listing = Output.listing("region", "procedure");
    if (procedures.size() != subjects.size()) {
      throw new FailedException(
          "the master does not know all of these regions: " + String.join(" ", subjects));
    }
    for (int i = 0; i < subjects.size(); i++) {
      if (procedures.get(i) == NOT_SCHEDULED) {
        throw new FailedException(
            "a procedure works on region '"
                + subjects.get(i)
                + "' (--override), or the master does not know it; procedures: "
                + procedures);
      }
      listing.add(subjects.get(i), procedures.get(i));
    }
    return listing.output();
  }

  @Command(
      name = "bypass",
      description = {
        "Ends procedures without their remaining steps; needs --yes.",
        "What they had begun stays as it is: assigns or unassigns must follow."
      })
  int bypass(
      @Parameters(paramLabel = "PROCEDURE", arity = "1..*", description = "Ids.") List<Long> ids,
      @Option(
              names = "--wait",
              paramLabel = "SECONDS",
              defaultValue = "1",
              description = "For the procedure's lock; ${DEFAULT-VALUE} where left out.")
          int wait,
      @Option(names = "--override", description = "Although the procedure runs.") boolean override,
      @Option(names = "--recursive", description = "Its children too.") boolean recursive,
      @Option(names = "--yes", description = "Confirms it; without it nothing is done.")
          boolean yes) {
    return repair(
        () -> UsageException.unlessConfirmed(yes, "leaves what the procedures had begun as it is"),
        hbck -> {
          var bypassed = hbck.bypassProcedure(ids, wait * 1000L, override, recursive);
          var listing = Output.listing("procedure", "bypassed");
          for (int i = 0; i < ids.size(); i++) {
            listing.add(ids.get(i), bypassed.get(i));
          }
          return bypassed.contains(false)
              ? listing
                  .output()
                  .withNote(
                      "admin: a procedure that was not bypassed has ended, or needs --override or"
                          + " --recursive")
              : listing.output();
        });
  }

  @Command(
      name = "fix-meta",
      description = {
        "Lets the master look for holes and overlaps in hbase:meta, and repair them.",
        "A hole is filled by an empty region; the files of a lost region stay where they are."
      })
  int fixMeta() {
    return tool.run(
        session -> {
          // The master repairs what this check found last, which can be five minutes old, or none.
          if (session.admin().runCatalogJanitor() < 0) {
            throw new FailedException("the check of hbase:meta runs already; try again");
          }
          try (var hbck = session.connection().getHbck()) {
            hbck.fixMeta();
          }
          return Output.done("repair of hbase:meta begun", "repair", "meta");
        });
  }

  @Command(
      name = "run-chore",
      description = "Lets the master compare its regions with those of servers and of the files.")
  int runChore() {
    return repair(
        () -> {},
        hbck -> {
          if (!hbck.runHbckChore()) {
            throw new FailedException("the check did not run: it runs already, or is disabled");
          }
          return Output.done("check done; the master's page shows its result", "chore", "done");
        });
  }

  @Command(
      name = "recover",
      description = "Lets the master treat servers as crashed: logs are split, regions reassigned.")
  int recover(
      @Parameters(
              paramLabel = "SERVER",
              arity = "1..*",
              description =
                  "Full names (host,port,startcode), also of servers that stopped long ago.")
          List<String> names,
      @Option(names = "--yes", description = "Confirms it; without it nothing is done.")
          boolean yes) {
    return repair(
        () -> {
          names.forEach(HbckCommand::serverName);
          UsageException.unlessConfirmed(yes, "ends these servers, should they still run");
        },
        hbck -> {
          var servers = names.stream().map(HbckCommand::serverName).toList();
          var procedures = hbck.scheduleServerCrashProcedures(servers);
          var listing = Output.listing("server", "procedure");
          for (int i = 0; i < servers.size(); i++) {
            long id = procedures.get(i);
            listing.add(names.get(i), id == NOT_SCHEDULED ? null : id);
          }
          return listing.output();
        });
  }

  private static ServerName serverName(String text) {
    if (!text.matches("[^,]+,[0-9]{1,5},[0-9]+")) {
      throw UsageException.mustBe("SERVER", text, "must be host,port,startcode");
    }
    return ServerName.valueOf(text);
  }

  @Command(
      name = "recover-unknown",
      description = "The same for all servers that hbase:meta names and the master does not know.")
  int recoverUnknown(
      @Option(names = "--yes", description = "Confirms it; without it nothing is done.")
          boolean yes) {
    return repair(
        () -> UsageException.unlessConfirmed(yes, "ends these servers, should they still run"),
        hbck -> {
          var listing = Output.listing("procedure");
          hbck.scheduleSCPsForUnknownServers().forEach(id -> listing.add(id));
          return listing.output();
        });
  }

  @Command(
      name = "set-table-state",
      description = "Writes a table's state to hbase:meta, and nothing else; needs --yes.")
  int setTableState(
      @Parameters(paramLabel = "TABLE", description = "The table, as [NAMESPACE:]NAME.")
          TableName table,
      @Parameters(paramLabel = "STATE", description = "${COMPLETION-CANDIDATES}")
          TableState.State state,
      @Option(names = "--yes", description = "Confirms it; without it nothing is done.")
          boolean yes) {
    return repair(
        () -> UsageException.unlessConfirmed(yes, "changes hbase:meta alone, not the regions"),
        hbck -> {
          var before = hbck.setTableStateInMeta(new TableState(table, state));
          return Output.done(
              "table " + table + " " + state + " (was " + before.getState() + ")",
              "table",
              table.getNameAsString(),
              "state",
              state.name(),
              "before",
              before.getState().name());
        });
  }

  @Command(
      name = "set-region-state",
      description = "Writes a region's state to hbase:meta, and nothing else; needs --yes.")
  int setRegionState(
      @Parameters(
              paramLabel = "REGION",
              description = "The region's encoded name, or its full name.")
          String region,
      @Parameters(paramLabel = "STATE", description = "${COMPLETION-CANDIDATES}")
          RegionState.State state,
      @Option(names = "--yes", description = "Confirms it; without it nothing is done.")
          boolean yes) {
    return repair(
        () -> UsageException.unlessConfirmed(yes, "changes hbase:meta alone, not the region"),
        hbck -> {
          var name = Session.encodedName(region);
          // A region that has the state already is left out of the response.
          var before = hbck.setRegionStateInMeta(Map.of(name, state)).getOrDefault(name, state);
          return Output.done(
              "region " + name + " " + state + " (was " + before + ")",
              "region",
              name,
              "state",
              state.name(),
              "before",
              before.name());
        });
  }
}
