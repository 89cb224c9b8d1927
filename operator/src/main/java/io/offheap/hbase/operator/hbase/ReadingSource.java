package io.offheap.hbase.operator.hbase;

import static io.offheap.hbase.operator.declare.ClusterChecks.LONGEST_WINDOW;

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
import java.util.Arrays;
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
import java.util.stream.Collectors;

/**
 * Unless tuning is off, requests the figures of the observers of all region servers of a cluster,
 * and keeps their responses for the time that tuning judges by. The pass that needs them reads
 * {@link #readings}; none is woken.
 *
 * <p>Nothing else of a region server is requested: HBase's own histograms are emptied by each
 * reader.
 */
final class ReadingSource extends PollingSource<Reading, HBaseCluster> {
  /** As often as the observer's bean has other values. */
  private static final Duration SHORTEST_PERIOD = Duration.ofSeconds(10);

  /** The observer's longest and shortest are of the last minute: nothing of them is missed. */
  private static final Duration LONGEST_PERIOD = Duration.ofSeconds(20);

  /** Of a server in a window: more than these add nothing. */
  private static final int READINGS = 30;

  private static final String OBSERVER = "Hadoop:service=HBase,name=RegionServer,sub=Observer";
  private static final Set<String> ATTRIBUTES =
      Arrays.stream(Metric.values()).map(Metric::attribute).collect(Collectors.toSet());

  /** {@code host,port,startcode}. */
  private static final Pattern SERVER_NAME = Pattern.compile("[^,]+,[0-9]+,[0-9]{1,18}");

  /** Alerts come from the network: they cannot make a server answer more often than this. */
  static final Duration ALERT_REST = Duration.ofSeconds(5);

  private final Jmx jmx = new Jmx();

  /** Clusters with an alert since their servers were asked; used on the one thread. */
  private final Set<ResourceID> alerted = new HashSet<>();

  private final Map<ResourceID, List<Reading>> kept = new ConcurrentHashMap<>();
  private final Function<ResourceID, Map<String, String>> servers;
  private final ServerHistory history;

  /**
   * Made once for a controller.
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

  /** What the servers of a cluster reported, oldest first. */
  List<Reading> readings(ResourceID id) {
    return kept.getOrDefault(id, List.of());
  }

  /** Reads the servers of a cluster soon, and wakes a pass when they have answered. */
  void readForAlert(ResourceID id) {
    execute(
        id,
        cluster -> {
          alerted.add(id);
          askSoon(id, ALERT_REST);
        });
  }

  @Override
  CompletableFuture<Set<Reading>> ask(HBaseCluster cluster) {
    var id = ResourceID.fromResource(cluster);
    boolean isAlerted = alerted.remove(id);
    var tuning = cluster.getSpec().tuning();
    if (tuning.mode() == TuningSpec.Mode.Disabled || !RegionServerHosts.areServing(cluster)) {
      kept.remove(id);
      return CompletableFuture.completedFuture(Set.of());
    }
    var known = servers.apply(id);
    List<CompletableFuture<Optional<Reading>>> answers =
        RegionServerHosts.of(cluster).flatMap(host -> reading(id, host, known).stream()).toList();
    var longest = window(cluster).plus(period(cluster));
    return CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
        .thenApply(
            all -> {
              var now = answers.stream().flatMap(it -> it.join().stream()).toList();
              // A server without a name was not asked, and is not silent.
              if (now.isEmpty() && !answers.isEmpty()) {
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

  /** How often a server is asked, for a window of readings of it. */
  static Duration period(Duration window) {
    var period = window.dividedBy(READINGS);
    return period.compareTo(SHORTEST_PERIOD) < 0
        ? SHORTEST_PERIOD
        : period.compareTo(LONGEST_PERIOD) > 0 ? LONGEST_PERIOD : period;
  }

  static Duration window(HBaseCluster cluster) {
    return RolloutSettings.duration(cluster.getSpec().tuning().window())
        // A cluster whose window is refused is asked all the same.
        .map(it -> it.compareTo(LONGEST_WINDOW) > 0 ? LONGEST_WINDOW : it)
        .orElse(SHORTEST_PERIOD);
  }

  /** The answer of a server; empty where none is asked, as it has not reported its name. */
  private Optional<CompletableFuture<Optional<Reading>>> reading(
      ResourceID id, String host, Map<String, String> known) {
    var pod = host.substring(0, host.indexOf('.'));
    // As of before the answer: a process that has started since is too young to be judged.
    return Optional.ofNullable(known.get(pod))
        .filter(server -> SERVER_NAME.matcher(server).matches())
        .map(
            server ->
                jmx.bean(host, OBSERVER, ATTRIBUTES, failing(id, host))
                    .thenApply(bean -> reading(pod, server, bean)));
  }

  private static Optional<Reading> reading(String pod, String server, JsonNode observer) {
    if (!observer.has(Metric.ALLOCATOR_POOL_BYTES.attribute())) {
      return Optional.empty();
    }
    var values = new EnumMap<Metric, Double>(Metric.class);
    for (Metric metric : Metric.values()) {
      double value = observer.path(metric.attribute()).asDouble(-1);
      if (value >= 0) {
        values.put(metric, value);
      }
    }
    return Optional.of(new Reading(pod, server, Instant.now(), values));
  }

  @Override
  void forget(ResourceID id) {
    kept.remove(id);
    alerted.remove(id);
  }
}
