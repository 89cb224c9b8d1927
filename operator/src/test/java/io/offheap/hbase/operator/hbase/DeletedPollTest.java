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

/** A source whose resource is deleted while an answer is under way. */
class DeletedPollTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  /** Keeps what came, as a source does that has a window of it. */
  private static final class Keeping extends PollingSource<String, HBaseCluster> {
    private final CompletableFuture<Set<String>> answer = new CompletableFuture<>();
    private final Set<ResourceID> kept = ConcurrentHashMap.newKeySet();
    private final AtomicInteger asked = new AtomicInteger();
    private final AtomicInteger forgotten = new AtomicInteger();

    Keeping(EventSourceContext<HBaseCluster> context) {
      super("keeping", String.class, it -> it, context, LIMIT);
    }

    @Override
    CompletableFuture<Set<String>> ask(HBaseCluster cluster) {
      asked.incrementAndGet();
      var id = ResourceID.fromResource(cluster);
      return answer.whenComplete((values, failed) -> kept.add(id));
    }

    @Override
    void forget(ResourceID id) {
      kept.remove(id);
      forgotten.incrementAndGet();
    }
  }

  @Test
  void nothingIsKeptOfAnAnswerThatComesLater() {
    try (var clusters = new ControlledClusters(1, Duration.ofSeconds(1))) {
      var source = new Keeping(clusters.context());
      source.setEventHandler(event -> {});
      source.start();
      var cluster = clusters.resource(clusters.add("demo", List.of()));
      source.onResourceCreated(cluster);
      await("a question").atMost(LIMIT).until(() -> source.asked.get() > 0);
      source.onResourceDeleted(cluster);
      await("its end").atMost(LIMIT).until(() -> source.forgotten.get() > 0);

      source.answer.complete(Set.of("late"));

      await("that it is forgotten once more").atMost(LIMIT).until(source.kept::isEmpty);
      assertThat(source.asked).hasValue(1);
      source.stop();
    }
  }
}
