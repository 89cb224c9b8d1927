package io.offheap.hbase.operator.page;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The page's views as JSON. A view is built at most once in {@link #FRESH}, and one at a time:
 * requests take at most one core, whatever their number, and reconciliations have the others.
 */
final class Views {
  private static final Duration FRESH = Duration.ofSeconds(1);

  /**
   * Limit in bytes of the cached views, except for the latest view, which is always cached. The
   * view of a cluster with three servers and one group has 20 kB.
   */
  private static final int KEPT = 4 << 20;

  private static final String JSON_TYPE = "application/json; charset=utf-8";
  private static final JsonMapper JSON =
      JsonMapper.builder()
          .defaultPropertyInclusion(
              // Nulls in a list are kept: they are gaps of a chart's line.
              JsonInclude.Value.construct(JsonInclude.Include.NON_NULL, JsonInclude.Include.ALWAYS))
          .build();

  private final PageSource source;

  /** The least recently requested view comes first. */
  private final Map<String, Made> made = new LinkedHashMap<>(16, 0.75f, true);

  private record Made(long at, Optional<Body> body) {}

  /**
   * All clusters.
   *
   * @param leads whether this process reconciles; without it the list is empty
   * @param leader the leading pod, if known
   */
  record AllClusters(boolean leads, String leader, List<ClusterRow> clusters) {
    AllClusters {
      clusters = List.copyOf(clusters);
    }
  }

  Views(PageSource source) {
    this.source = source;
  }

  /** The list of all clusters. */
  Body all() {
    return view("/", () -> Optional.of(json(allClusters()))).orElseThrow();
  }

  /** One cluster; empty if it does not exist. */
  Optional<Body> cluster(ResourceID id) {
    return view(
        "cluster/" + id,
        () ->
            source
                .cluster()
                .apply(id)
                .map(
                    it ->
                        json(
                            ClusterView.of(
                                it,
                                source.history().heapShare(id, source.clock().instant()),
                                source.events().of(id)))));
  }

  /** The last hour of a cluster's region servers; empty if the cluster does not exist. */
  Optional<Body> history(ResourceID id) {
    return view(
        "history/" + id,
        () ->
            source
                .cluster()
                .apply(id)
                .map(it -> json(source.history().hour(id, source.clock().instant()))));
  }

  private AllClusters allClusters() {
    var now = source.clock().instant();
    return new AllClusters(
        source.leads().getAsBoolean(),
        source.leader().get().orElse(null),
        source
            .clusters()
            .get()
            .sorted(
                Comparator.<HasMetadata, String>comparing(it -> it.getMetadata().getNamespace())
                    .thenComparing(it -> it.getMetadata().getName()))
            .map(
                it ->
                    ClusterRow.of(it, source.history().heapShare(ResourceID.fromResource(it), now)))
            .toList());
  }

  /** Any object as a body. */
  static Body json(Object view) {
    try {
      return Body.of(JSON_TYPE, JSON.writeValueAsBytes(view));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a view consists of records, texts and numbers", e);
    }
  }

  private synchronized Optional<Body> view(String key, Supplier<Optional<Body>> view) {
    long now = System.nanoTime();
    var last = made.get(key);
    if (last != null && now - last.at() < FRESH.toNanos()) {
      return last.body();
    }
    var body = view.get();
    made.remove(key);
    if (body.isPresent()) {
      made.put(key, new Made(System.nanoTime(), body));
      dropOldest();
    }
    return body;
  }

  private void dropOldest() {
    long bytes =
        made.values().stream().flatMap(it -> it.body().stream()).mapToLong(Body::length).sum();
    for (var oldest = made.values().iterator(); bytes > KEPT && made.size() > 1; oldest.remove()) {
      bytes -= oldest.next().body().map(Body::length).orElse(0);
    }
  }
}
