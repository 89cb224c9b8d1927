package io.offheap.hbase.admin;

import java.io.IOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.hbase.MasterNotRunningException;
import org.apache.hadoop.hbase.NamespaceNotFoundException;
import org.apache.hadoop.hbase.PleaseHoldException;
import org.apache.hadoop.hbase.TableExistsException;
import org.apache.hadoop.hbase.TableNotDisabledException;
import org.apache.hadoop.hbase.TableNotEnabledException;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.UnknownRegionException;
import org.apache.hadoop.hbase.client.RetriesExhaustedException;
import org.apache.hadoop.hbase.exceptions.MasterRegistryFetchException;
import org.apache.hadoop.hbase.ipc.ServerNotRunningYetException;
import org.apache.hadoop.hbase.snapshot.SnapshotDoesNotExistException;
import org.apache.hadoop.hbase.snapshot.SnapshotExistsException;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.zookeeper.KeeperException;

/** What HBase's exceptions mean to a person: one sentence, without a stack trace. */
final class Failures {
  private Failures() {}

  static String noTable(String name) {
    return "table '" + name + "' does not exist";
  }

  /** The exceptions of Hadoop's client name the server in a long sentence, or not at all. */
  static FailedException notResponding(String server, IOException failure) {
    var innermost = causes(failure).get(0);
    return new FailedException(
        server
            + " does not accept connections or does not respond: "
            + firstLine(innermost.getMessage()));
  }

  static String deadline(Duration timeout, String waitingFor) {
    return "no response within "
        + timeout.toSeconds()
        + " s (--timeout), waiting for "
        + waitingFor
        + "; a procedure that was begun in HBase may continue there";
  }

  /**
   * Where the failure is one of the expected ones, its sentence; otherwise its type and message.
   */
  static String describe(Throwable failure) {
    var causes = causes(failure);
    for (var cause : causes) {
      var sentence = known(cause);
      if (sentence != null) {
        return sentence;
      }
    }
    // The innermost says most, but for exceptions without a message.
    for (var cause : causes) {
      if (cause.getMessage() != null && !(cause instanceof RetriesExhaustedException)) {
        return name(cause) + ": " + firstLine(cause.getMessage());
      }
    }
    return failure.toString();
  }

  /** The innermost cause first. */
  private static List<Throwable> causes(Throwable failure) {
    var causes = new ArrayList<Throwable>();
    for (var cause = failure; cause != null && causes.size() < 20; cause = cause.getCause()) {
      causes.add(cause instanceof RemoteException remote ? unwrapped(remote) : cause);
    }
    Collections.reverse(causes);
    return causes;
  }

  private static IOException unwrapped(RemoteException remote) {
    return remote.unwrapRemoteException();
  }

  private static String known(Throwable cause) {
    if (cause instanceof FailedException) {
      return cause.getMessage();
    }
    if (cause instanceof OutOfMemoryError) {
      return "a response is larger than the memory of this tool; choose less, for example by --column"
          + " or --limit";
    }
    if (cause instanceof TableNotFoundException) {
      return noTable(firstLine(cause.getMessage()));
    }
    if (cause instanceof TableExistsException) {
      return "table '" + firstLine(cause.getMessage()) + "' exists already";
    }
    if (cause instanceof TableNotDisabledException) {
      return "the table must be disabled first: " + firstLine(cause.getMessage());
    }
    if (cause instanceof TableNotEnabledException) {
      return "the table must be enabled: " + firstLine(cause.getMessage());
    }
    if (cause instanceof NamespaceNotFoundException) {
      return "namespace '" + firstLine(cause.getMessage()) + "' does not exist";
    }
    if (cause instanceof UnknownRegionException) {
      return "there is no such region: " + firstLine(cause.getMessage());
    }
    if (cause instanceof SnapshotDoesNotExistException) {
      return "the snapshot does not exist: " + firstLine(cause.getMessage());
    }
    if (cause instanceof SnapshotExistsException) {
      return "the snapshot exists already: " + firstLine(cause.getMessage());
    }
    if (cause instanceof ServerNotRunningYetException || cause instanceof PleaseHoldException) {
      return "the master is starting: " + firstLine(cause.getMessage());
    }
    if (cause instanceof MasterNotRunningException
        || cause instanceof MasterRegistryFetchException) {
      return "there is no active master: " + firstLine(cause.getMessage());
    }
    if (cause instanceof KeeperException) {
      return "ZooKeeper: " + firstLine(cause.getMessage());
    }
    if (cause instanceof ConnectException || cause instanceof UnknownHostException) {
      return "a server does not accept connections: " + firstLine(cause.getMessage());
    }
    return null;
  }

  private static String name(Throwable cause) {
    return cause.getClass().getSimpleName();
  }

  /** A message from the other side has a stack trace below, and the type before. */
  private static String firstLine(String message) {
    if (message == null) {
      return "without a message";
    }
    var line = message.strip().lines().findFirst().orElse("");
    return line.replaceFirst("^(?:[a-z0-9]+\\.)+[A-Za-z$]+(?:Exception|Error): ", "");
  }
}
