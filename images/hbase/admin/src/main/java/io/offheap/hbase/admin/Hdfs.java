package io.offheap.hbase.admin;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/** The HDFS of HBase's root directory, for one command: its name node, by Hadoop's own client. */
final class Hdfs implements AutoCloseable {
  private final DistributedFileSystem files;

  /**
   * Connects to the name node.
   *
   * @throws FailedException if the root directory is not in HDFS
   */
  Hdfs(Session session) throws IOException, FailedException {
    var limited = withLimits(session.configuration(), session.timeoutMillis());
    var root = root(limited);
    var uri = root.toUri();
    if (!"hdfs".equals(uri.getScheme())) {
      throw new FailedException(
          HConstants.HBASE_DIR + ": '" + root + "' must be in HDFS, which this command is about");
    }
    session.waitFor("the name node of " + uri.getScheme() + "://" + uri.getAuthority());
    // Not the cached one, which another configuration may have made.
    files = (DistributedFileSystem) FileSystem.newInstance(uri, limited);
  }

  /** HBase's root directory with the scheme and the address of its file system. */
  static Path root(Configuration configuration) throws FailedException {
    var root = configuration.get(HConstants.HBASE_DIR);
    if (root == null || root.isBlank()) {
      throw new FailedException(HConstants.HBASE_DIR + " is not in the configuration");
    }
    return new Path(new Path(FileSystem.getDefaultUri(configuration)), root);
  }

  /**
   * Hadoop's own waits would be minutes: ten connections a second apart, or 45 of 20 s. The command
   * ends at its deadline in any case; a name node that does not run is reported sooner.
   */
  static Configuration withLimits(Configuration original, int millis) {
    var limited = new Configuration(original);
    limited.setInt("ipc.client.connect.timeout", Math.min(millis, 10_000));
    limited.setInt("ipc.client.connect.max.retries", 2);
    limited.setInt("ipc.client.connect.max.retries.on.timeouts", 1);
    // Later than the deadline, whose message names the name node.
    limited.setInt("ipc.client.rpc-timeout.ms", (int) Math.min(millis + 1000L, Integer.MAX_VALUE));
    limited.setBoolean("dfs.client.retry.policy.enabled", false);
    limited.setInt("dfs.client.failover.max.attempts", 3);
    limited.setInt("dfs.client.failover.sleep.max.millis", 2000);
    return limited;
  }

  String nameNode() {
    return files.getUri().toString();
  }

  boolean isInSafeMode() throws IOException {
    return files.setSafeMode(SafeModeAction.GET);
  }

  /** Leaves safe mode, and returns whether the name node stays in it nevertheless. */
  boolean leaveSafeMode() throws IOException {
    return files.setSafeMode(SafeModeAction.LEAVE);
  }

  List<DatanodeInfo> dataNodes(DatanodeReportType type) throws IOException {
    return List.of(files.getDataNodeStats(type));
  }

  DistributedFileSystem files() {
    return files;
  }

  /**
   * Files below a folder with blocks of which no data node has an intact replica.
   *
   * @param limit at most so many
   */
  Set<String> corruptFiles(String folder, int limit) throws IOException {
    var paths = new LinkedHashSet<String>();
    // A file is returned once for each such block of it.
    var blocks = files.listCorruptFileBlocks(new Path(folder));
    while (paths.size() < limit && blocks.hasNext()) {
      paths.add(blocks.next().toUri().getPath());
    }
    return paths;
  }

  /** The blocks of a file without an intact replica; none where the file was deleted by now. */
  List<LocatedBlock> corruptBlocks(String path) throws IOException {
    try {
      return files.getClient().getLocatedBlocks(path, 0, Long.MAX_VALUE).getLocatedBlocks().stream()
          .filter(block -> block.isCorrupt() || block.getLocations().length == 0)
          .toList();
    } catch (FileNotFoundException e) {
      return List.of();
    }
  }

  @Override
  public void close() throws IOException {
    files.close();
  }
}
