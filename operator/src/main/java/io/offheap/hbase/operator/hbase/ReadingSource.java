package io.offheap.hbase.operator.hbase;

import static io.offheap.hbase.operator.declare.TuningChecks.LONGEST_WINDOW;

import com.fasterxml.jackson.databind.JsonNode;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.processing.event.Event;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.TuningSpec;
import io.offheap.hbase.operator.declare.RolloutSettings;
import io.offheap.hbase.operator.tune.Metric;
import io.offheap.hbase.operator.tune.Reading;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * Requests the metrics that tuning reads from all region servers of a cluster, unless tuning is
 * disabled, and keeps them for the tuning window. The reconciliation that needs them calls {@link
 * #readings}; none is triggered.
 *
 * <p>Of HBase's own histograms only those of the calls are read: that begins them anew, so that
 * another reader, such as Prometheus, gets the calls since the operator's reading.
 */
final class ReadingSource extends PollingSource<Reading, HBaseCluster> {
  /** The interval at which the observer's bean changes. */
  private static final Duration SHORTEST_PERIOD = Duration.ofSeconds(10);

  /** The observer's extremes are of the last minute, so that none is missed. */
  private static final Duration LONGEST_PERIOD = Duration.ofSeconds(20);

  /** Readings of a server in a window: more add no evidence. */
  private static final int READINGS = 30;

  private static final Jmx.Query OF_OBSERVER =
      Jmx.Query.ofWhole(Jmx.OBSERVER, Metric.Bean.OBSERVER.attributes());

  static final Jmx.Query OF_CALLS = Jmx.Query.ofPart(Jmx.CALLS, Metric.Bean.CALLS.attributes());

  /** {@code host,port,startcode}. */
  private static final Pattern SERVER_NAME = Pattern.compile("[^,]+,[0-9]+,[0-9]{1,18}");

  /**
   * Alerts come from the network: they cannot cause more requests to a server than one in this
   * time.
   */
  static final Duration ALERT_REST = Duration.ofSeconds(5);

  private final Jmx jmx = new Jmx();

  /** Clusters with an alert since the last poll; used on the one thread. */
  private final Set<ResourceID> alerted = new HashSet<>();

  private final Map<ResourceID, List<Reading>> kept = new ConcurrentHashMap<>();
  private final Function<ResourceID, Map<String, String>> servers;
  private final ServerHistory history;

  /**
   * Creates the source of a controller.
   *
   * @param servers server names of a cluster's region servers by pod, as of their last report
   * @param history keeps what people look at
   */
  ReadingSource(
      EventSourceContext<HBaseCluster> context,
      Function<ResourceID, Map<String, String>> servers,
      ServerHistory history) {
    super("observer-readings", Reading.class, Reading::pod, context, SHORTEST_PERIOD);
    this.servers = servers;
    this.history = history;
  }

  /** Readings of a cluster's servers, oldest first. */
  List<Reading> readings(ResourceID id) {
    return kept.getOrDefault(id, List.of());
  }

  /**
   * Reads the servers of a cluster soon, and triggers a reconciliation when they have responded.
   */
  void readForAlert(ResourceID id) {
    execute(
        id,
        cluster -> {
          alerted.add(id);
          pollSoon(id, ALERT_REST);
        });
  }

  @Override
  CompletableFuture<Set<Reading>> poll(HBaseCluster cluster) {
    var id = ResourceID.fromResource(cluster);
    boolean isAlerted = alerted.remove(id);
    var tuning = cluster.getSpec().tuning();
    if (tuning.mode() == TuningSpec.Mode.Disabled || !RegionServerHosts.areServing(cluster)) {
      kept.remove(id);
      return CompletableFuture.completedFuture(Set.of());
    }
    var known = servers.apply(id);
    List<CompletableFuture<Optional<Reading>>> responses =
        RegionServerHosts.requested(cluster).stream()
            .flatMap(host -> reading(id, host, known, RegionServerHosts.reuse(cluster)).stream())
            .toList();
    var longest = window(cluster).plus(period(cluster));
    return CompletableFuture.allOf(responses.toArray(CompletableFuture[]::new))
        .thenApply(
            all -> {
              var now = responses.stream().flatMap(it -> it.join().stream()).toList();
              // A server without a name was not polled, so it counts as responding.
              if (now.isEmpty() && !responses.isEmpty()) {
                silent(id);
              }
              kept.put(id, Readings.next(readings(id), now, longest, Instant.now()));
              // Not once the cluster is deleted.
              execute(id, it -> now.forEach(reading -> history.observed(id, reading)));
              if (isAlerted && isRunning()) {
                getEventHandler().handleEvent(new Event(id));
              }
              return Set.of();
            });
  }

  @Override
  Duration period(HBaseCluster cluster) {
    return period(window(cluster));
  }

  /** The interval of readings of a server, for a window. */
  static Duration period(Duration window) {
    var period = window.dividedBy(READINGS);
    return period.compareTo(SHORTEST_PERIOD) < 0
        ? SHORTEST_PERIOD
        : period.compareTo(LONGEST_PERIOD) > 0 ? LONGEST_PERIOD : period;
  }

  static Duration window(HBaseCluster cluster) {
    return RolloutSettings.duration(cluster.getSpec().tuning().window())
        // A cluster whose window is refused is polled too.
        .map(it -> it.compareTo(LONGEST_WINDOW) > 0 ? LONGEST_WINDOW : it)
        .orElse(SHORTEST_PERIOD);
  }

  /** The reading of a server; empty if it has not reported its name, so that none is requested. */
  private Optional<CompletableFuture<Optional<Reading>>> reading(
      ResourceID id, String host, Map<String, String> known, LimitedHttp.Reuse reuse) {
    var pod = RegionServerHosts.podOf(host);
    // As of before the response: a process that has started since is too young to be judged.
    return Optional.ofNullable(known.get(pod))
        .filter(server -> SERVER_NAME.matcher(server).matches())
        .map(
            server ->
                jmx.bean(host, OF_OBSERVER, reuse, onFailure(id, host))
                    .thenCompose(
                        observer -> {
                          var at = Instant.now();
                          return calls(observer, id, host, reuse)
                              .thenApply(calls -> reading(pod, server, at, observer, calls));
                        }));
  }

  /** After the observer's response, over the same connection; not of a server without one. */
  private CompletableFuture<JsonNode> calls(
      JsonNode observer, ResourceID id, String host, LimitedHttp.Reuse reuse) {
    return observer.isMissingNode()
        ? CompletableFuture.completedFuture(observer)
        : jmx.bean(host, OF_CALLS, reuse, onFailure(id, host));
  }

  /**
   * The reading of a server, without the calls' metrics where HBase removes its bean for a moment.
   */
  static Optional<Reading> reading(
      String pod, String server, Instant at, JsonNode observer, JsonNode calls) {
    if (!observer.has(Metric.ALLOCATOR_POOL_BYTES.attribute())) {
      return Optional.empty();
    }
    var values = new EnumMap<Metric, Double>(Metric.class);
    Map.of(Metric.Bean.OBSERVER, observer, Metric.Bean.CALLS, calls)
        .forEach(
            (bean, attributes) -> {
              for (Metric metric : bean.metrics()) {
                double value = attributes.path(metric.attribute()).asDouble(-1);
                if (value >= 0) {
                  values.put(metric, value);
                }
              }
            });
    return Optional.of(new Reading(pod, server, at, values));
  }

  @Override
  void forget(ResourceID id) {
    kept.remove(id);
    alerted.remove(id);
  }
}
