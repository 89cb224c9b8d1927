package io.offheap.hbase.operator.hbase;

import com.fasterxml.jackson.databind.JsonNode;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.TuningSpec;
import io.offheap.hbase.operator.declare.Restarts;
import io.offheap.hbase.operator.tune.Figure;
import io.offheap.hbase.operator.tune.Reading;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

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
  private static final Set<String> FIGURES =
      Arrays.stream(Figure.values()).map(Figure::attribute).collect(Collectors.toSet());

  /** {@code host,port,startcode}. */
  private static final Pattern SERVER_NAME = Pattern.compile("[^,]+,[0-9]+,[0-9]{1,18}");

  private final Jmx jmx = new Jmx();
  private final Map<ResourceID, List<Reading>> kept = new ConcurrentHashMap<>();
  private final Function<ResourceID, Map<String, String>> servers;

  /**
   * Made once for a controller.
   *
   * @param servers server names of a cluster's region servers by pod, as of their last report
   */
  ReadingSource(
      EventSourceContext<HBaseCluster> context, Function<ResourceID, Map<String, String>> servers) {
    super("observer-readings", Reading.class, Reading::pod, context, SHORTEST_PERIOD);
    this.servers = servers;
  }

  /** What the servers of a cluster reported, oldest first. */
  List<Reading> readings(ResourceID id) {
    return kept.getOrDefault(id, List.of());
  }

  @Override
  CompletableFuture<Set<Reading>> ask(HBaseCluster cluster) {
    var id = ResourceID.fromResource(cluster);
    var tuning = cluster.getSpec().tuning();
    if (tuning.mode() == TuningSpec.Mode.Disabled || !RegionServerHosts.areServing(cluster)) {
      kept.remove(id);
      return CompletableFuture.completedFuture(Set.of());
    }
    List<CompletableFuture<Optional<Reading>>> answers =
        RegionServerHosts.of(cluster).map(host -> reading(id, host)).toList();
    var longest = window(cluster).plus(period(cluster));
    return CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
        .thenApply(
            all -> {
              var now = answers.stream().flatMap(it -> it.join().stream()).toList();
              if (now.isEmpty()) {
                silent(id);
              }
              keep(id, now.stream(), longest);
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

  private static Duration window(HBaseCluster cluster) {
    return Restarts.duration(cluster.getSpec().tuning().window()).orElse(SHORTEST_PERIOD);
  }

  private void keep(ResourceID id, Stream<Reading> now, Duration longest) {
    var oldest = Instant.now().minus(longest);
    var before = readings(id);
    kept.put(
        id,
        Stream.concat(before.stream(), now.filter(it -> isOfItsServer(it, before)))
            .filter(it -> it.at().isAfter(oldest))
            .toList());
  }

  private CompletableFuture<Optional<Reading>> reading(ResourceID id, String host) {
    var pod = host.substring(0, host.indexOf('.'));
    // As of before the answer: a process that has started since is too young to be judged.
    var server = servers.apply(id).get(pod);
    return server == null || !SERVER_NAME.matcher(server).matches()
        ? CompletableFuture.completedFuture(Optional.empty())
        : jmx.bean(host, OBSERVER, FIGURES, failing(id, host))
            .thenApply(bean -> reading(pod, server, bean));
  }

  private static Optional<Reading> reading(String pod, String server, JsonNode observer) {
    if (!observer.has(Figure.ALLOCATOR_POOL_BYTES.attribute())) {
      return Optional.empty();
    }
    var figures = new EnumMap<Figure, Double>(Figure.class);
    for (Figure figure : Figure.values()) {
      double value = observer.path(figure.attribute()).asDouble(-1);
      if (value >= 0) {
        figures.put(figure, value);
      }
    }
    return Optional.of(new Reading(pod, server, Instant.now(), figures));
  }

  /**
   * Whether a reading can be of the process that it names. A counter that fell has begun anew with
   * another process, which has not reported its name yet.
   */
  static boolean isOfItsServer(Reading reading, List<Reading> before) {
    return before.stream()
        .filter(it -> it.server().equals(reading.server()))
        .max(Comparator.comparing(Reading::at))
        .stream()
        .noneMatch(
            last ->
                last.figures().entrySet().stream()
                    .filter(it -> it.getKey().kind() == Figure.Kind.COUNTER)
                    .anyMatch(
                        it ->
                            reading.figures().getOrDefault(it.getKey(), it.getValue())
                                < it.getValue()));
  }

  @Override
  void forget(ResourceID id) {
    kept.remove(id);
  }
}
