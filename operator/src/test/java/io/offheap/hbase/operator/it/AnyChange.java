package io.offheap.hbase.operator.it;

import io.fabric8.kubernetes.client.informers.ResourceEventHandler;

/**
 * Runs an action when an object is added, changed or deleted.
 *
 * @param run must return at once
 */
record AnyChange<T>(Runnable run) implements ResourceEventHandler<T> {
  @Override
  public void onAdd(T object) {
    run.run();
  }

  @Override
  public void onUpdate(T before, T object) {
    run.run();
  }

  @Override
  public void onDelete(T object, boolean isLastStateUnknown) {
    run.run();
  }
}
