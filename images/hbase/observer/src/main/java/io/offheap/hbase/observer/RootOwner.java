package io.offheap.hbase.observer;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.security.AccessControlException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts a server of HBase if the root directory belongs to the server's cluster, and refuses to if
 * it belongs to another one: two clusters on one root directory delete each other's files, and two
 * operators that watch different namespaces do not see each other's resources.
 *
 * <p>Folder {@value #FOLDER} of the root directory has empty files, which need no data node:
 *
 * <ul>
 *   {@code NAMESPACE_NAME}: this cluster owns the root directory.
 * </ul>
 *
 * <p>An owner need not claim again, so a start costs one read. The file stays when the cluster is
 * deleted, as the data does. Only a cluster that has claimed a root directory owns it: servers of
 * an image without this class make no claim.
 *
 * <p>{@code java ... RootOwner NAMESPACE/NAME CLASS [ARGUMENT...]}. Exit status 78 if another
 * cluster is the owner, 64 if the command line is wrong, 1 if the file system cannot be read or
 * written, and the server's otherwise.
 */
public final class RootOwner {
  static final String FOLDER = ".offheap-owner";
  private static final int EX_USAGE = 64;
  private static final int EX_CONFIG = 78;
  private static final String CLAIM = ".claim";

  /** Longer than the difference of two claims of equal age, which is a second on some stores. */
  static final Duration DECISION = Duration.ofSeconds(3);

  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final Duration PAUSE = Duration.ofSeconds(2);

  /** Of 20 s each; HDFS' own 45 are a region server's whole time to start. */
  private static final int CONNECTS = 3;

  private static final Logger LOG = LoggerFactory.getLogger(RootOwner.class);

  /** Kubernetes permits no underscore in either name, so the file name is unique for a cluster. */
  private static final Pattern CLUSTER = Pattern.compile("([a-z0-9-]+)/([a-z0-9.-]+)");

  private RootOwner() {}

  /** The root directory belongs to another cluster. */
  static final class OtherOwnerException extends Exception {
    private static final long serialVersionUID = 1;

    OtherOwnerException(String message) {
      super(message);
    }
  }

  /** The command line is described at the class. */
  public static void main(String[] args) throws InterruptedException, ReflectiveOperationException {
    if (args.length < 2 || !CLUSTER.matcher(args[0]).matches()) {
      System.err.println("usage: RootOwner NAMESPACE/NAME CLASS [ARGUMENT...]");
      System.exit(EX_USAGE);
    }
    try {
      claimPatiently(HBaseConfiguration.create(), args[0], DECISION);
    } catch (OtherOwnerException e) {
      System.err.println(e.getMessage());
      System.exit(EX_CONFIG);
    } catch (IOException e) {
      LOG.error("Cannot read who owns the root directory", e);
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

  /** Retries while a name node is in safe mode, or does not respond yet. */
  static void claimPatiently(Configuration configuration, String cluster, Duration decision)
      throws OtherOwnerException, IOException, InterruptedException {
    var impatient = new Configuration(configuration);
    impatient.setInt("ipc.client.connect.max.retries.on.timeouts", CONNECTS);
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      try {
        claim(impatient, cluster, decision);
        return;
      } catch (AccessControlException e) {
        throw e;
      } catch (IOException e) {
        if (System.nanoTime() - end > 0) {
          throw e;
        }
        LOG.warn("Cannot read yet who owns the root directory: {}", e.toString());
        Thread.sleep(PAUSE.toMillis());
      }
    }
  }

  /**
   * Returns if this cluster owns the root directory, or has just claimed it.
   *
   * @param decision how long a claim waits for earlier claims
   * @throws OtherOwnerException if another cluster owns it, or claimed it earlier
   * @throws IOException if the file system cannot be read or written
   */
  static void claim(Configuration configuration, String cluster, Duration decision)
      throws OtherOwnerException, IOException, InterruptedException {
    var root = new Path(configuration.get(HConstants.HBASE_DIR));
    var folder = new Path(root, FOLDER);
    var own = cluster.replace('/', '_');
    // Not the cached file system: the server must make that one with its own configuration.
    try (var files = newFileSystem(root, configuration)) {
      if (files.exists(new Path(folder, own))) {
        return;
      }
      var claim = new Path(folder, own + CLAIM);
      boolean isMade = create(files, claim);
      Thread.sleep(decision.toMillis());
      var rival = rival(files.listStatus(folder), own);
      if (rival.isPresent()) {
        if (isMade) {
          delete(files, claim);
        }
        throw new OtherOwnerException(refusal(root, folder, cluster, rival.get()));
      }
      create(files, new Path(folder, own));
      delete(files, claim);
    }
  }

  private static FileSystem newFileSystem(Path root, Configuration configuration)
      throws IOException {
    try {
      return FileSystem.newInstance(root.toUri(), configuration);
    } catch (IllegalArgumentException e) {
      // A host without an address yet.
      throw new IOException(e);
    }
  }

  /** The file of another cluster that prevents this cluster from owning the root directory. */
  private static Optional<String> rival(FileStatus[] all, String own) throws IOException {
    var others = new ArrayList<FileStatus>();
    Long mine = null;
    for (var file : all) {
      var name = file.getPath().getName();
      if (name.equals(own)) {
        // Another server of this cluster has decided the claim.
        return Optional.empty();
      }
      if (name.equals(own + CLAIM)) {
        mine = file.getModificationTime();
      } else {
        others.add(file);
      }
    }
    if (mine == null) {
      // Deleted by another server of this cluster, which has decided the claim.
      throw new IOException("the claim of " + own + " was deleted meanwhile");
    }
    long claimed = mine;
    return others.stream()
        .filter(
            it -> !it.getPath().getName().endsWith(CLAIM) || it.getModificationTime() <= claimed)
        .map(it -> it.getPath().getName())
        .findFirst();
  }

  /** A cluster of another namespace is not named here, as in conditions. */
  private static String refusal(Path root, Path folder, String cluster, String rival) {
    var owner = rival.replace(CLAIM, "").replace('_', '/');
    var namespace = cluster.substring(0, cluster.indexOf('/') + 1);
    return "root directory %s belongs to %s, not to HBaseCluster %s; only after that cluster and its pods are deleted, delete its file in %s"
        .formatted(
            root,
            owner.startsWith(namespace)
                ? "HBaseCluster " + owner
                : "an HBaseCluster of another namespace",
            cluster,
            folder);
  }

  /** Whether this server made the claim, and not another server of the cluster. */
  private static boolean create(FileSystem files, Path file) throws IOException {
    try {
      files.create(file, false).close();
      return true;
    } catch (FileAlreadyExistsException e) {
      return false;
    }
  }

  /** A remaining claim is younger than the owner, and is not another server's either. */
  private static void delete(FileSystem files, Path claim) {
    try {
      files.delete(claim, false);
    } catch (IOException e) {
      LOG.warn("Cannot delete {}", claim, e);
    }
  }
}
