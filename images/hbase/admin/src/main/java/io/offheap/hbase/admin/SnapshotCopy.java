package io.offheap.hbase.admin;

import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.snapshot.ExportSnapshot;
import org.apache.hadoop.hbase.snapshot.SnapshotDescriptionUtils;
import org.apache.hadoop.util.ToolRunner;
import picocli.CommandLine.Option;

/** A copy of a snapshot between two root directories, with HBase's ExportSnapshot. */
final class SnapshotCopy {
  private static final int FILE_SYSTEM_MILLIS = 60_000;

  @Option(
      names = "--bandwidth",
      paramLabel = "MB",
      description = "At most so many MB a second; no limit where left out.")
  private Integer bandwidth;

  @Option(
      names = "--no-checksums",
      description = "Compares sizes only: checksums of different kinds of file systems differ.")
  private boolean noChecksums;

  @Option(
      names = "--overwrite",
      description = "Deletes a snapshot of this name at the target, or an interrupted copy, first.")
  private boolean overwrite;

  /** A root directory that is given as a URL with its scheme. */
  static Path url(String option, String text) {
    Path path;
    try {
      path = new Path(text);
    } catch (IllegalArgumentException e) {
      throw UsageException.mustBe(option, text, "must be a URL");
    }
    if (path.toUri().getScheme() == null) {
      throw UsageException.mustBe(option, text, "must begin with a scheme, as hdfs:");
    }
    return path;
  }

  /** Copies the snapshot; both directories have a scheme. */
  void run(Session session, String name, Path from, Path to) throws Exception {
    try {
      check(session, name, from, to);
    } catch (ConnectException | SocketTimeoutException e) {
      throw Failures.notResponding(session.waitingFor(), e);
    }
    var arguments = new ArrayList<>(List.of("--snapshot", name));
    arguments.addAll(List.of("--copy-from", from.toString(), "--copy-to", to.toString()));
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
    session.waitFor("the copy from " + from + " to " + to);
    int status =
        ToolRunner.run(
            inThisProcess(session.configuration(), from),
            new ExportSnapshot(),
            arguments.toArray(new String[0]));
    if (status != 0) {
      throw new FailedException(
          "ExportSnapshot ended with status "
              + status
              + "; --verbose shows its log, and --no-checksums copies between different kinds"
              + " of file systems");
    }
  }

  /** What ExportSnapshot reports in its log alone, or not before it has deleted the target. */
  private void check(Session session, String name, Path from, Path to) throws Exception {
    // The copy has a limit of one day; a file system that does not respond is reported sooner.
    var limited =
        Hdfs.withLimits(
            session.configuration(), Math.min(session.timeoutMillis(), FILE_SYSTEM_MILLIS));
    session.waitFor("the file system of " + from);
    try (var source = FileSystem.newInstance(from.toUri(), limited)) {
      if (!source.exists(SnapshotDescriptionUtils.getCompletedSnapshotDir(name, from))) {
        throw new FailedException("snapshot '" + name + "' does not exist at " + from);
      }
      session.waitFor("the file system of " + to);
      try (var target = FileSystem.newInstance(to.toUri(), limited)) {
        if (isSame(source, from, target, to)) {
          throw new FailedException(from + " is this cluster's own root directory");
        }
        if (!overwrite) {
          checkAbsent(target, name, to, limited);
        }
      }
    }
  }

  /** Overwriting the one would delete the other. */
  private static boolean isSame(FileSystem source, Path from, FileSystem target, Path to) {
    return source.makeQualified(from).equals(target.makeQualified(to))
        || (source.getCanonicalServiceName() != null
            && source.getCanonicalServiceName().equals(target.getCanonicalServiceName())
            && from.toUri().getPath().equals(to.toUri().getPath()));
  }

  private static void checkAbsent(
      FileSystem target, String name, Path to, Configuration configuration) throws Exception {
    if (target.exists(SnapshotDescriptionUtils.getCompletedSnapshotDir(name, to))) {
      throw new FailedException(
          "snapshot '" + name + "' exists already at " + to + " (--overwrite)");
    }
    if (target.exists(SnapshotDescriptionUtils.getWorkingSnapshotDir(name, to, configuration))) {
      throw new FailedException(
          "a copy of snapshot '"
              + name
              + "' to "
              + to
              + " is under way or was interrupted; --overwrite deletes it and starts again");
    }
  }

  /** The job's own files in the local scratch folder, not in the cluster's file system. */
  private static Configuration inThisProcess(Configuration original, Path from) {
    var local = new Configuration(original);
    local.set(HConstants.HBASE_DIR, from.toString());
    local.set(FileSystem.FS_DEFAULT_NAME_KEY, "file:///");
    local.set("mapreduce.framework.name", "local");
    local.set("mapreduce.local.map.tasks.maximum", "1");
    return local;
  }
}
