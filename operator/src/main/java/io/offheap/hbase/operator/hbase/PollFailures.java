package io.offheap.hbase.operator.hbase;

import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.offheap.hbase.operator.log.LogLine;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs each kind of failure of a poll once for a cluster, with its cause, until a round ends in
 * which the failure did not recur. If several servers of a cluster fail alike, only the first is
 * named. Refused responses, and servers that accept connections and do not respond, are reported as
 * problems of the cluster until a round ends without them.
 */
final class PollFailures {
  private static final Logger LOG = LoggerFactory.getLogger(PollFailures.class);
  private static final int LONGEST_CAUSE = 300;

  /** Most reported problems of one cluster. */
  private static final int PROBLEMS = 8;

  /** A server that restarts, or collects garbage, does not respond either. */
  private static final Duration SILENCE = Duration.ofSeconds(30);

  private final String source;
  private final Clock clock;
  private final Map<ResourceID, Open> clusters = new ConcurrentHashMap<>();

  /**
   * Kinds of failure that have not ended, with the time when each began, and those of the current
   * round.
   */
  private static final class Open {
    private final Map<String, Instant> since = new TreeMap<>();
    private final Set<String> now = new HashSet<>();

    /** Problem by server, as first reported: numbers in the message differ from round to round. */
    private Map<String, String> problems = Map.of();

    private final Map<String, String> problemsNow = new TreeMap<>();
    private final Map<String, Instant> silent = new TreeMap<>();
    private final Set<String> silentNow = new HashSet<>();
  }

  /**
   * Creates the log of one source.
   *
   * @param source name of the source in the log
   */
  PollFailures(String source, Clock clock) {
    this.source = source;
    this.clock = clock;
  }

  /**
   * Records that a request failed, or its response was refused; on any thread, before the round
   * ends.
   *
   * @param host the server; empty if it is the cluster as a whole
   */
  void failed(ResourceID cluster, String host, Throwable failure) {
    var cause = cause(failure);
    // By class: the message may have another time or port in each round.
    var kind = cause.getClass().getSimpleName();
    var open = clusters.computeIfAbsent(cluster, id -> new Open());
    synchronized (open) {
      if (cause instanceof RefusedResponseException refused) {
        open.problemsNow.putIfAbsent(refused.server(), refused.getMessage());
      } else if (cause instanceof TimeoutException && !host.isEmpty()) {
        open.silentNow.add(host);
      }
      open.now.add(kind);
      if (open.since.putIfAbsent(kind, clock.instant()) == null) {
        LOG.warn(
            "{}", line("PollFailing", cluster, kind).with("host", host).with("cause", text(cause)));
      }
    }
  }

  /**
   * Ends a round: all its requests have a response or have failed.
   *
   * @return whether the problems have changed
   */
  boolean roundEnded(ResourceID cluster) {
    var open = clusters.get(cluster);
    if (open == null) {
      return false;
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
      var before = open.problems;
      open.problems = problems(open);
      return !open.problems.equals(before);
    }
  }

  private Map<String, String> problems(Open open) {
    var now = clock.instant();
    open.silent.keySet().retainAll(open.silentNow);
    open.silentNow.forEach(it -> open.silent.putIfAbsent(it, now));
    open.silentNow.clear();
    open.silent.forEach(
        (host, since) -> {
          if (!since.plus(SILENCE).isAfter(now)) {
            open.problemsNow.putIfAbsent(
                host,
                host
                    + " has sent no response within the deadline, for over "
                    + SILENCE.toSeconds()
                    + " s");
          }
        });
    var problems = new TreeMap<String, String>();
    open.problemsNow.entrySet().stream()
        .limit(PROBLEMS)
        .forEach(
            it ->
                problems.put(it.getKey(), open.problems.getOrDefault(it.getKey(), it.getValue())));
    open.problemsNow.clear();
    return problems;
  }

  /** Refused responses of the last round, and servers that do not respond, as messages. */
  List<String> problems(ResourceID cluster) {
    var open = clusters.get(cluster);
    if (open == null) {
      return List.of();
    }
    synchronized (open) {
      return List.copyOf(open.problems.values());
    }
  }

  /** Drops the state of a deleted cluster. */
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
    return RefusedResponseException.in(cause).<Throwable>map(it -> it).orElse(cause);
  }

  /** Without the stack traces that HBase adds. */
  private static String text(Throwable cause) {
    var line = String.valueOf(cause.getMessage()).lines().findFirst().orElse("");
    return line.substring(0, Math.min(line.length(), LONGEST_CAUSE));
  }
}
