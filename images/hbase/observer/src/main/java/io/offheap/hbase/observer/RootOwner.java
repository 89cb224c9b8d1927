package io.offheap.hbase.observer;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts a server of HBase where its root directory is of its own cluster, and refuses to where
 * another cluster was there first: two on one root directory delete each other's files, and two
 * operators that watch different namespaces do not see each other's resources.
 *
 * <p>A cluster claims a root directory with an empty file in its folder {@value #FOLDER}, named
 * after the cluster. Whoever finds its own file older than all others owns the root directory; who
 * does not takes its file back. Two that are equally old both lose, and try again when their
 * containers are restarted. The file stays when the cluster goes, as the data does; to hand both to
 * another cluster, delete it. An empty file needs no data node.
 *
 * <p>{@code java ... RootOwner NAMESPACE/NAME CLASS [ARGUMENT...]}. Exit status 78 where another
 * cluster is the owner, 64 where the command line is wrong, 1 where the file system gave no answer
 * in five minutes, and the server's otherwise.
 */
public final class RootOwner {
  static final String FOLDER = ".offheap-owner";
  private static final int EX_USAGE = 64;
  private static final int EX_CONFIG = 78;
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final Duration PAUSE = Duration.ofSeconds(2);
  private static final Logger LOG = LoggerFactory.getLogger(RootOwner.class);

  /** Kubernetes permits no underscore in either name, so the file's name is that of one cluster. */
  private static final Pattern CLUSTER = Pattern.compile("([a-z0-9-]+)/([a-z0-9.-]+)");

  private RootOwner() {}

  /** The root directory is another cluster's. */
  static final class OtherOwnerException extends Exception {
    private static final long serialVersionUID = 1;

    OtherOwnerException(String message) {
      super(message);
    }
  }

  /** As the class describes it. */
  public static void main(String[] args) throws InterruptedException, ReflectiveOperationException {
    if (args.length < 2 || !CLUSTER.matcher(args[0]).matches()) {
      System.err.println("usage: RootOwner NAMESPACE/NAME CLASS [ARGUMENT...]");
      System.exit(EX_USAGE);
    }
    try {
      claimPatiently(HBaseConfiguration.create(), args[0]);
    } catch (OtherOwnerException e) {
      System.err.println(e.getMessage());
      System.exit(EX_CONFIG);
    } catch (IOException e) {
      LOG.error("Whose the root directory is could not be learnt", e);
      System.exit(1);
    }
    try {
      Class.forName(args[1])
          .getMethod("main", String[].class)
          .invoke(null, (Object) Arrays.copyOfRange(args, 2, args.length));
    } catch (InvocationTargetException e) {
      LOG.error("{} failed", args[1], e.getCause());
      System.exit(1);
    }
  }

  /** A name node that is in safe mode, or not there yet, is waited for. */
  private static void claimPatiently(Configuration configuration, String cluster)
      throws OtherOwnerException, IOException, InterruptedException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      try {
        claim(configuration, cluster);
        return;
      } catch (IOException e) {
        if (System.nanoTime() - end > 0) {
          throw e;
        }
        LOG.warn("Whose the root directory is cannot be learnt yet: {}", e.toString());
        Thread.sleep(PAUSE.toMillis());
      }
    }
  }

  /**
   * Claims the root directory.
   *
   * @throws OtherOwnerException if another cluster was there first
   * @throws IOException if the file system cannot be read or written
   */
  static void claim(Configuration configuration, String cluster)
      throws OtherOwnerException, IOException {
    var root = new Path(configuration.get(HConstants.HBASE_DIR));
    var folder = new Path(root, FOLDER);
    var own = new Path(folder, cluster.replace('/', '_'));
    // Not the cached one, which the server is to make with its own configuration.
    try (var files = FileSystem.newInstance(root.toUri(), configuration)) {
      create(files, own);
      var claims = files.listStatus(folder);
      var mine = mine(claims, own);
      var first =
          Arrays.stream(claims)
              .filter(it -> !it.getPath().getName().equals(own.getName()))
              .min(Comparator.comparingLong(FileStatus::getModificationTime));
      if (first.isPresent() && first.get().getModificationTime() <= mine) {
        files.delete(own, false);
        throw new OtherOwnerException(
            "%s is the root directory of the HBaseCluster %s and not of %s; to hand it over, delete %s"
                .formatted(
                    root,
                    first.get().getPath().getName().replace('_', '/'),
                    cluster,
                    first.get().getPath()));
      }
    }
  }

  private static void create(FileSystem files, Path own) throws IOException {
    if (files.exists(own)) {
      return;
    }
    try {
      files.create(own, false).close();
    } catch (FileAlreadyExistsException e) {
      // By another server of this cluster.
      LOG.debug("Claimed meanwhile", e);
    }
  }

  private static long mine(FileStatus[] claims, Path own) throws IOException {
    return Arrays.stream(claims)
        .filter(it -> it.getPath().getName().equals(own.getName()))
        .mapToLong(FileStatus::getModificationTime)
        .findFirst()
        .orElseThrow(() -> new IOException(own + " was deleted meanwhile"));
  }
}
