package io.offheap.hbase.operator.reconcile;

import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Parts of a pass of which none keeps the others from being done: a drained server gets its regions
 * back, whatever object the API server refuses meanwhile. What failed is reported when the rest is
 * done and written.
 */
final class Parts {
  private static final Logger LOG = LoggerFactory.getLogger(Parts.class);

  private Optional<RuntimeException> failure = Optional.empty();

  /** Does a part; without it, the pass has what it had before. */
  <T> T get(Supplier<T> part, Supplier<T> otherwise) {
    try {
      return part.get();
    } catch (RuntimeException e) {
      LOG.debug("A part of a pass failed", e);
      if (failure.isEmpty()) {
        failure = Optional.of(e);
      } else if (failure.get() != e) {
        failure.get().addSuppressed(e);
      }
      return otherwise.get();
    }
  }

  /** Does a part that gives nothing. */
  void run(Runnable part) {
    get(
        () -> {
          part.run();
          return true;
        },
        () -> false);
  }

  /** What failed first. */
  Optional<RuntimeException> failure() {
    return failure;
  }
}
