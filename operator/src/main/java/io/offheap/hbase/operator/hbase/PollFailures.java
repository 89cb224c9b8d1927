package io.offheap.hbase.operator.hbase;

import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.offheap.hbase.operator.log.LogLine;
import java.time.Clock;
import java.time.Instant;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs each kind of failure of a poll once for a cluster, with its cause, until a round ends in
 * which it did not come again. Of several servers of a cluster that fail alike, the first is named.
 */
final class PollFailures {
  private static final Logger LOG = LoggerFactory.getLogger(PollFailures.class);
  private static final int LONGEST_CAUSE = 300;

  private final String source;
  private final Clock clock;
  private final Map<ResourceID, Open> clusters = new ConcurrentHashMap<>();

  /** Kinds that have not ended, with the time when each began, and those of the current round. */
  private static final class Open {
    private final Map<String, Instant> since = new TreeMap<>();
    private final Set<String> now = new HashSet<>();
  }

  /**
   * For one source.
   *
   * @param source its name in the log
   */
  PollFailures(String source, Clock clock) {
    this.source = source;
    this.clock = clock;
  }

  /**
   * A question was not answered, or not as it should be; from any thread, before its round ends.
   *
   * @param host who was asked; empty where it is the cluster as a whole
   */
  void failed(ResourceID cluster, String host, Throwable failure) {
    var cause = cause(failure);
    // By class: a message may name another time or port in each round.
    var kind = cause.getClass().getSimpleName();
    var open = clusters.computeIfAbsent(cluster, id -> new Open());
    synchronized (open) {
      open.now.add(kind);
      if (open.since.putIfAbsent(kind, clock.instant()) == null) {
        LOG.warn(
            "{}", line("PollFailing", cluster, kind).with("host", host).with("cause", text(cause)));
      }
    }
  }

  /** All questions of a round have an answer or have failed. */
  void roundEnded(ResourceID cluster) {
    var open = clusters.get(cluster);
    if (open == null) {
      return;
    }
    synchronized (open) {
      open.since
          .entrySet()
          .removeIf(
              it -> {
                boolean isOver = !open.now.contains(it.getKey());
                if (isOver) {
                  LOG.info(
                      "{}",
                      line("PollRecovered", cluster, it.getKey()).with("since", it.getValue()));
                }
                return isOver;
              });
      open.now.clear();
    }
  }

  /** A cluster is gone. */
  void forget(ResourceID cluster) {
    clusters.remove(cluster);
  }

  private LogLine line(String event, ResourceID cluster, String kind) {
    return LogLine.of(event)
        .cluster(cluster.getNamespace().orElse(""), cluster.getName())
        .with("source", source)
        .with("kind", kind);
  }

  private static Throwable cause(Throwable failure) {
    var cause = failure;
    while ((cause instanceof CompletionException || cause instanceof ExecutionException)
        && cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause;
  }

  /** Without the stack traces that HBase sends along. */
  private static String text(Throwable cause) {
    var line = String.valueOf(cause.getMessage()).lines().findFirst().orElse("");
    return line.substring(0, Math.min(line.length(), LONGEST_CAUSE));
  }
}
