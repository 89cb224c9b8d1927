package io.offheap.hbase.observer;

import java.util.function.Consumer;
import jdk.jfr.consumer.RecordedEvent;

/** Where events of this JVM come from, one after another, in one thread. */
interface GcEvents {
  /** Has every event of that name counted, however short, and given to the action. */
  void on(String eventName, Consumer<RecordedEvent> action);

  /** Has something done when all events up to a moment have been given. */
  void onFlush(Runnable action);
}
