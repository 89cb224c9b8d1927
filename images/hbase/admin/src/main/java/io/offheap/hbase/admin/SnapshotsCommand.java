package io.offheap.hbase.admin;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.SnapshotDescription;
import org.apache.hadoop.hbase.client.SnapshotType;
import org.apache.hadoop.hbase.snapshot.ExportSnapshot;
import org.apache.hadoop.util.ToolRunner;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** Snapshots. */
@Command(
    name = "snapshots",
    description = "Creates, lists, clones, restores, deletes and exports snapshots.")
final class SnapshotsCommand {
  private static final int DAY = 24 * 60 * 60;

  @ParentCommand private AdminTool tool;

  @Command(name = "list", description = "All snapshots, or those of a table; the oldest first.")
  int list(@Option(names = "--table", paramLabel = "TABLE") TableName table) {
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
      @Parameters(paramLabel = "TABLE") TableName table,
      @Parameters(paramLabel = "SNAPSHOT") String name,
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
      @Parameters(paramLabel = "SNAPSHOT") String name,
      @Parameters(paramLabel = "TABLE") TableName table) {
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
      @Parameters(paramLabel = "SNAPSHOT") String name,
      @Option(names = "--yes", description = "Needed.") boolean yes) {
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
      @Parameters(paramLabel = "SNAPSHOT") String name,
      @Option(names = "--yes", description = "Needed.") boolean yes) {
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
      @Parameters(paramLabel = "SNAPSHOT") String name,
      @Option(
              names = "--to",
              required = true,
              paramLabel = "URL",
              description = "The other root directory, for example hdfs://namenode:8020/hbase.")
          String target,
      @Option(
              names = "--bandwidth",
              paramLabel = "MB",
              description = "At most so many MB a second; no limit where left out.")
          Integer bandwidth,
      @Option(
              names = "--no-checksums",
              description =
                  "Compares sizes only: checksums of different kinds of file systems differ.")
          boolean noChecksums,
      @Option(names = "--overwrite", description = "Although the snapshot is there already.")
          boolean overwrite) {
    return tool.run(
        DAY,
        session -> {
          var url = new Path(target);
          if (url.toUri().getScheme() == null) {
            throw UsageException.mustBe("--to", target, "must begin with a scheme, as hdfs:");
          }
          var arguments = new ArrayList<>(List.of("--snapshot", name, "--copy-to", target));
          arguments.addAll(List.of("--mappers", "1"));
          if (bandwidth != null) {
            arguments.addAll(List.of("--bandwidth", bandwidth.toString()));
          }
          if (noChecksums) {
            arguments.add("--no-checksum-verify");
          }
          if (overwrite) {
            arguments.add("--overwrite");
          }
          checkExists(session, name);
          int status =
              ToolRunner.run(
                  inThisProcess(session.configuration()),
                  new ExportSnapshot(),
                  arguments.toArray(new String[0]));
          if (status != 0) {
            throw new FailedException(
                "ExportSnapshot ended with status "
                    + status
                    + "; --verbose shows its log, and --no-checksums copies between different kinds"
                    + " of file systems");
          }
          return Output.done(
              "snapshot " + name + " exported to " + target, "snapshot", name, "to", target);
        });
  }

  private static void checkExists(Session session, String name) throws Exception {
    if (session.admin().listSnapshots().stream().noneMatch(one -> one.getName().equals(name))) {
      throw new FailedException("snapshot '" + name + "' does not exist");
    }
  }

  /** The job's own files in the local scratch folder, not in the cluster's file system. */
  private static Configuration inThisProcess(Configuration original) {
    var local = new Configuration(original);
    var root = original.get(HConstants.HBASE_DIR);
    var fileSystem = original.get(FileSystem.FS_DEFAULT_NAME_KEY);
    if (root != null && fileSystem != null) {
      local.set(HConstants.HBASE_DIR, new Path(new Path(fileSystem), root).toString());
    }
    local.set(FileSystem.FS_DEFAULT_NAME_KEY, "file:///");
    local.set("mapreduce.framework.name", "local");
    local.set("mapreduce.local.map.tasks.maximum", "1");
    return local;
  }
}
