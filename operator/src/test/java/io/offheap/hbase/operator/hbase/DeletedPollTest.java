package io.offheap.hbase.operator.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.offheap.hbase.operator.api.HBaseCluster;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A source whose resource is deleted while a poll is running. */
class DeletedPollTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  /** Stores its result, as a source with a window does. */
  private static final class Keeping extends PollingSource<String, HBaseCluster> {
    private final CompletableFuture<Set<String>> response = new CompletableFuture<>();
    private final Set<ResourceID> kept = ConcurrentHashMap.newKeySet();
    private final AtomicInteger polls = new AtomicInteger();
    private final AtomicInteger forgotten = new AtomicInteger();

    Keeping(EventSourceContext<HBaseCluster> context) {
      super("keeping", String.class, it -> it, context, LIMIT);
    }

    @Override
    CompletableFuture<Set<String>> poll(HBaseCluster cluster) {
      polls.incrementAndGet();
      var id = ResourceID.fromResource(cluster);
      return response.whenComplete((values, failed) -> kept.add(id));
    }

    @Override
    void forget(ResourceID id) {
      kept.remove(id);
      forgotten.incrementAndGet();
    }
  }

  @Test
  void dropsLateResultOfDeletedResource() {
    try (var clusters = new ControlledClusters(1, Duration.ofSeconds(1))) {
      var source = new Keeping(clusters.context());
      source.setEventHandler(event -> {});
      source.start();
      var cluster = clusters.resource(clusters.add("demo", List.of()));
      source.onResourceCreated(cluster);
      await("a poll").atMost(LIMIT).until(() -> source.polls.get() > 0);
      source.onResourceDeleted(cluster);
      await("its end").atMost(LIMIT).until(() -> source.forgotten.get() > 0);

      source.response.complete(Set.of("late"));

      await("the state dropped once more").atMost(LIMIT).until(source.kept::isEmpty);
      assertThat(source.polls).hasValue(1);
      source.stop();
    }
  }
}
