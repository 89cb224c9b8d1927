package io.offheap.hbase.operator.reconcile;

import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Steps of a pass of which none keeps the others from being done: a drained server gets its regions
 * back, whatever object the API server refuses meanwhile. What failed is reported when the rest is
 * done and written.
 */
final class IsolatedSteps {
  private static final Logger LOG = LoggerFactory.getLogger(IsolatedSteps.class);

  private Optional<RuntimeException> failure = Optional.empty();

  /** Does a step; where it fails, the pass continues with the other value. */
  <T> T get(Supplier<T> step, Supplier<T> otherwise) {
    try {
      return step.get();
    } catch (RuntimeException e) {
      LOG.debug("A step of a pass failed", e);
      if (failure.isEmpty()) {
        failure = Optional.of(e);
      } else if (failure.get() != e) {
        failure.get().addSuppressed(e);
      }
      return otherwise.get();
    }
  }

  /** Does a step without a result. */
  void run(Runnable step) {
    get(
        () -> {
          step.run();
          return true;
        },
        () -> false);
  }

  /** What failed first. */
  Optional<RuntimeException> failure() {
    return failure;
  }
}
