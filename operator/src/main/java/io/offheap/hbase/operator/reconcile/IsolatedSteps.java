package io.offheap.hbase.operator.reconcile;

import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Steps of a reconciliation that do not prevent each other: a drained server gets its regions back
 * even if the API server refuses an object. A failure is reported after the other steps and writes.
 */
final class IsolatedSteps {
  private static final Logger LOG = LoggerFactory.getLogger(IsolatedSteps.class);

  private Optional<RuntimeException> failure = Optional.empty();

  /** Runs a step; if it fails, returns the other value. */
  <T> T get(Supplier<T> step, Supplier<T> otherwise) {
    try {
      return step.get();
    } catch (RuntimeException e) {
      LOG.debug("A step of a reconciliation failed", e);
      if (failure.isEmpty()) {
        failure = Optional.of(e);
      } else if (failure.get() != e) {
        failure.get().addSuppressed(e);
      }
      return otherwise.get();
    }
  }

  /** Runs a step without a result. */
  void run(Runnable step) {
    get(
        () -> {
          step.run();
          return true;
        },
        () -> false);
  }

  /** The first failure. */
  Optional<RuntimeException> failure() {
    return failure;
  }
}
