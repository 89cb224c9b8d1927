package io.offheap.hbase.admin;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.SnapshotDescription;
import org.apache.hadoop.hbase.client.SnapshotType;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** Snapshots. */
@Command(
    name = "snapshots",
    description = "Creates, lists, clones, restores, deletes, exports and imports snapshots.")
final class SnapshotsCommand {
  private static final int DAY = 24 * 60 * 60;

  @ParentCommand private AdminTool tool;

  @Command(name = "list", description = "All snapshots, or those of a table; the oldest first.")
  int list(
      @Option(names = "--table", paramLabel = "TABLE", description = "Those of this table alone.")
          TableName table) {
    return tool.run(
        session -> {
          var listing = Output.listing("snapshot", "table", "created", "ttlSeconds", "owner");
          session.admin().listSnapshots().stream()
              .filter(snapshot -> table == null || table.equals(snapshot.getTableName()))
              .sorted(Comparator.comparingLong(SnapshotDescription::getCreationTime))
              .forEach(
                  snapshot ->
                      listing.add(
                          snapshot.getName(),
                          snapshot.getTableNameAsString(),
                          Instant.ofEpochMilli(snapshot.getCreationTime())
                              .truncatedTo(ChronoUnit.SECONDS)
                              .toString(),
                          snapshot.getTtl() > 0 ? snapshot.getTtl() : null,
                          snapshot.getOwner()));
          return listing.output();
        });
  }

  @Command(name = "create", description = "Takes a snapshot of a table.")
  int create(
      @Parameters(paramLabel = "TABLE", description = "The table, as [NAMESPACE:]NAME.")
          TableName table,
      @Parameters(paramLabel = "SNAPSHOT", description = "The name of the new snapshot.")
          String name,
      @Option(names = "--skip-flush", description = "Without what is in memory only.")
          boolean skipFlush) {
    return tool.run(
        session -> {
          session.existing(table);
          var type = skipFlush ? SnapshotType.SKIPFLUSH : SnapshotType.FLUSH;
          session.await(
              session.admin().snapshotAsync(new SnapshotDescription(name, table, type)),
              "snapshot " + name + " to be taken");
          return Output.done(
              "snapshot " + name + " of table " + table + " taken",
              "snapshot",
              name,
              "table",
              table.getNameAsString());
        });
  }

  @Command(name = "clone", description = "Creates a table from a snapshot, without a copy of data.")
  int clone(
      @Parameters(paramLabel = "SNAPSHOT", description = "The snapshot's name.") String name,
      @Parameters(paramLabel = "TABLE", description = "The new table, as [NAMESPACE:]NAME.")
          TableName table) {
    return tool.run(
        session -> {
          session.await(
              session.admin().cloneSnapshotAsync(name, table),
              "table " + table + " to be created from the snapshot");
          return Output.done(
              "table " + table + " created from snapshot " + name,
              "snapshot",
              name,
              "table",
              table.getNameAsString());
        });
  }

  @Command(
      name = "restore",
      description = {
        "Makes a snapshot's table, which must be disabled, what it was then; needs --yes.",
        "A snapshot of what it was before is taken first, and kept where this fails."
      })
  int restore(
      @Parameters(paramLabel = "SNAPSHOT", description = "The snapshot's name.") String name,
      @Option(names = "--yes", description = "Confirms it; without it nothing is done.")
          boolean yes) {
    return tool.run(
        session -> {
          UsageException.unlessConfirmed(
              yes, "replaces the data of the snapshot's table by the snapshot's");
          session.admin().restoreSnapshot(name, true, false);
          return Output.done("snapshot " + name + " restored", "snapshot", name);
        });
  }

  @Command(name = "delete", description = "Deletes a snapshot; needs --yes.")
  int delete(
      @Parameters(paramLabel = "SNAPSHOT", description = "The snapshot's name.") String name,
      @Option(names = "--yes", description = "Confirms it; without it nothing is done.")
          boolean yes) {
    return tool.run(
        session -> {
          UsageException.unlessConfirmed(yes, "deletes snapshot " + name);
          session.admin().deleteSnapshot(name);
          return Output.done("snapshot " + name + " deleted", "snapshot", name);
        });
  }

  @Command(
      name = "export",
      description = {
        "Copies a snapshot's files to another root directory, with HBase's ExportSnapshot.",
        "The copy runs in this process, one file after the other, with no more memory than the"
            + " other commands."
      })
  int export(
      @Parameters(paramLabel = "SNAPSHOT", description = "The snapshot's name.") String name,
      @Option(
              names = "--to",
              required = true,
              paramLabel = "URL",
              description = "The other root directory, for example hdfs://namenode:8020/hbase.")
          String target,
      @Mixin SnapshotCopy copy) {
    return tool.run(
        DAY,
        session -> {
          var to = SnapshotCopy.url("--to", target);
          if (session.admin().listSnapshots().stream()
              .noneMatch(one -> one.getName().equals(name))) {
            throw new FailedException("snapshot '" + name + "' does not exist");
          }
          copy.run(session, name, Hdfs.root(session.configuration()), to);
          return Output.done(
              "snapshot " + name + " exported to " + target, "snapshot", name, "to", target);
        });
  }

  @Command(
      name = "import",
      description = {
        "Copies a snapshot's files from another root directory into that of this cluster: the way"
            + " back of export.",
        "No table changes: clone or restore follows. The copy runs in this process, as that of"
            + " export does."
      })
  int importFrom(
      @Parameters(paramLabel = "SNAPSHOT", description = "The snapshot's name.") String name,
      @Option(
              names = "--from",
              required = true,
              paramLabel = "URL",
              description = "The other root directory: what export had as --to.")
          String source,
      @Mixin SnapshotCopy copy) {
    return tool.run(
        DAY,
        session -> {
          var from = SnapshotCopy.url("--from", source);
          // ExportSnapshot needs no HBase; but files of a root directory that no master serves
          // would be imported without use.
          session.admin().listSnapshots();
          copy.run(session, name, from, Hdfs.root(session.configuration()));
          return Output.done(
              "snapshot " + name + " imported from " + source, "snapshot", name, "from", source);
        });
  }
}
