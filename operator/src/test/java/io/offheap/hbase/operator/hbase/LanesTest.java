package io.offheap.hbase.operator.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A lane that leaks a place, or a result that never comes, ends the polling of its cluster. */
class LanesTest {
  private static final String LANE = "hb-regionserver.ns.svc";

  /** More than a thread's stack has room for. */
  private static final int MANY = 10_000;

  private final Lanes lanes = new Lanes(1);

  private static CompletableFuture<String> failed() {
    return CompletableFuture.failedFuture(new IOException("no such host"));
  }

  private static CompletableFuture<String> thrown() {
    throw new IllegalStateException("the event loop is shut down");
  }

  private void assertLaneIsFree() {
    assertThat(lanes.run(LANE, () -> CompletableFuture.completedFuture("next")))
        .isCompletedWithValue("next");
  }

  @Test
  void completesManyTasksThatFailAtOnceAfterOneThatIsWaitedFor() {
    var first = new CompletableFuture<String>();
    var held = lanes.run(LANE, () -> first);
    var waiting = Stream.generate(() -> lanes.run(LANE, LanesTest::failed)).limit(MANY).toList();

    first.complete("first");

    assertThat(held).isCompletedWithValue("first");
    assertThat(waiting).allMatch(CompletableFuture::isCompletedExceptionally);
    assertLaneIsFree();
  }

  @Test
  void taskThatThrowsFailsItsOwnResultAlone() {
    var first = new CompletableFuture<String>();
    var held = lanes.run(LANE, () -> first);
    var waiting = lanes.run(LANE, LanesTest::thrown);
    var last = lanes.run(LANE, () -> CompletableFuture.completedFuture("last"));

    first.complete("first");

    assertThat(held).isCompletedWithValue("first");
    assertThatThrownBy(waiting::join).hasRootCauseInstanceOf(IllegalStateException.class);
    assertThat(last).isCompletedWithValue("last");
    assertThatThrownBy(lanes.run(LANE, LanesTest::thrown)::join)
        .hasRootCauseInstanceOf(IllegalStateException.class);
    assertLaneIsFree();
  }

  private boolean begin(AtomicInteger ended) {
    return !lanes
        .run(LANE, LanesTest::failed)
        .handle((none, failure) -> ended.incrementAndGet())
        .isCancelled();
  }

  /** As where an answer makes the next request. */
  @Test
  void resultThatBeginsFurtherTasksDoesNotRecurse() {
    var ended = new AtomicInteger();
    var first = new CompletableFuture<String>();
    var last = lanes.run(LANE, () -> first);
    var begun = Stream.generate(() -> last.thenApply(value -> begin(ended))).limit(MANY).toList();

    first.complete("first");

    assertThat(begun).allMatch(CompletableFuture::isDone);
    assertThat(ended).hasValue(MANY);
    assertLaneIsFree();
  }

  @Test
  void tasksThatEndOnManyThreadsAllCompleteAndKeepTheBound() throws Exception {
    int atOnce = 3;
    var bounded = new Lanes(atOnce);
    var running = new AtomicInteger();
    var most = new AtomicInteger();
    var threads = Executors.newFixedThreadPool(8);
    try {
      Supplier<CompletableFuture<Integer>> task =
          () -> {
            most.accumulateAndGet(running.incrementAndGet(), Math::max);
            return CompletableFuture.supplyAsync(running::decrementAndGet, threads);
          };
      var results = Stream.generate(() -> bounded.run(LANE, task)).limit(MANY).toList();

      CompletableFuture.allOf(results.toArray(CompletableFuture[]::new)).get(60, TimeUnit.SECONDS);
    } finally {
      threads.shutdownNow();
    }
    assertThat(most.get()).isBetween(1, atOnce);
  }
}
