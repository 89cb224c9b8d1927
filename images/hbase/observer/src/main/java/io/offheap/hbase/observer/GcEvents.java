package io.offheap.hbase.observer;

import java.util.function.Consumer;
import jdk.jfr.consumer.RecordedEvent;

/** The source of this JVM's events, which arrive one after another on one thread. */
interface GcEvents {
  /** Enables every event of a name, however short, and passes each to the action. */
  void on(String eventName, Consumer<RecordedEvent> action);

  /** Runs an action when all events up to a moment have been delivered. */
  void onFlush(Runnable action);
}
