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

/**
 * A limit whose count leaks, or a result that never completes, would end the polling of its
 * cluster.
 */
class TaskLimitsTest {
  private static final String NAME = "hb-regionserver.ns.svc";

  /** More than a thread's stack has room for. */
  private static final int MANY = 10_000;

  private final TaskLimits limits = new TaskLimits(1);

  private static CompletableFuture<String> failed() {
    return CompletableFuture.failedFuture(new IOException("no such host"));
  }

  private static CompletableFuture<String> thrown() {
    throw new IllegalStateException("the event loop is shut down");
  }

  private void assertLimitIsFree() {
    assertThat(limits.run(NAME, () -> CompletableFuture.completedFuture("next")))
        .isCompletedWithValue("next");
  }

  @Test
  void completesManyTasksThatFailAtOnceAfterOneThatIsAwaited() {
    var first = new CompletableFuture<String>();
    var held = limits.run(NAME, () -> first);
    var waiting =
        Stream.generate(() -> limits.run(NAME, TaskLimitsTest::failed)).limit(MANY).toList();

    first.complete("first");

    assertThat(held).isCompletedWithValue("first");
    assertThat(waiting).allMatch(CompletableFuture::isCompletedExceptionally);
    assertLimitIsFree();
  }

  @Test
  void taskThatThrowsFailsItsOwnResultAlone() {
    var first = new CompletableFuture<String>();
    var held = limits.run(NAME, () -> first);
    var waiting = limits.run(NAME, TaskLimitsTest::thrown);
    var last = limits.run(NAME, () -> CompletableFuture.completedFuture("last"));

    first.complete("first");

    assertThat(held).isCompletedWithValue("first");
    assertThatThrownBy(waiting::join).hasRootCauseInstanceOf(IllegalStateException.class);
    assertThat(last).isCompletedWithValue("last");
    assertThatThrownBy(limits.run(NAME, TaskLimitsTest::thrown)::join)
        .hasRootCauseInstanceOf(IllegalStateException.class);
    assertLimitIsFree();
  }

  private boolean begin(AtomicInteger ended) {
    return !limits
        .run(NAME, TaskLimitsTest::failed)
        .handle((none, failure) -> ended.incrementAndGet())
        .isCancelled();
  }

  /** As if a response triggered the next request. */
  @Test
  void resultThatBeginsFurtherTasksDoesNotRecurse() {
    var ended = new AtomicInteger();
    var first = new CompletableFuture<String>();
    var last = limits.run(NAME, () -> first);
    var begun = Stream.generate(() -> last.thenApply(value -> begin(ended))).limit(MANY).toList();

    first.complete("first");

    assertThat(begun).allMatch(CompletableFuture::isDone);
    assertThat(ended).hasValue(MANY);
    assertLimitIsFree();
  }

  @Test
  void tasksThatEndOnManyThreadsAllCompleteAndKeepTheBound() throws Exception {
    int atOnce = 3;
    var bounded = new TaskLimits(atOnce);
    var running = new AtomicInteger();
    var most = new AtomicInteger();
    var threads = Executors.newFixedThreadPool(8);
    try {
      Supplier<CompletableFuture<Integer>> task =
          () -> {
            most.accumulateAndGet(running.incrementAndGet(), Math::max);
            return CompletableFuture.supplyAsync(running::decrementAndGet, threads);
          };
      var results = Stream.generate(() -> bounded.run(NAME, task)).limit(MANY).toList();

      CompletableFuture.allOf(results.toArray(CompletableFuture[]::new)).get(60, TimeUnit.SECONDS);
    } finally {
      threads.shutdownNow();
    }
    assertThat(most.get()).isBetween(1, atOnce);
  }
}
