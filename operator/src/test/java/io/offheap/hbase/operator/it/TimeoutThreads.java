package io.offheap.hbase.operator.it;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.awaitility.core.ConditionEvaluationListener;
import org.awaitility.core.EvaluatedCondition;
import org.awaitility.core.TimeoutEvent;

/**
 * Prints the threads that run this project's code when a condition was not met in time: a
 * reconciliation that hangs and one that was never triggered look the same in the log.
 */
final class TimeoutThreads implements ConditionEvaluationListener<Object> {
  private static final String OURS = "io.offheap.hbase";

  @Override
  public void conditionEvaluated(EvaluatedCondition<Object> condition) {}

  @Override
  public void onTimeout(TimeoutEvent timeout) {
    var threads = ManagementFactory.getThreadMXBean().dumpAllThreads(true, true);
    System.err.println(
        Arrays.stream(threads)
            .filter(TimeoutThreads::isOurs)
            .map(TimeoutThreads::text)
            .collect(
                Collectors.joining(
                    "\n", "event=ConditionTimeout \"" + timeout.getDescription() + "\"\n", "")));
  }

  private static boolean isOurs(ThreadInfo thread) {
    return Arrays.stream(thread.getStackTrace()).anyMatch(it -> it.getClassName().startsWith(OURS));
  }

  private static String text(ThreadInfo thread) {
    return thread.getThreadName()
        + " "
        + thread.getThreadState()
        + (thread.getLockInfo() == null
            ? ""
            : " on %s of %s".formatted(thread.getLockInfo(), thread.getLockOwnerName()))
        + Arrays.stream(thread.getStackTrace())
            .map(it -> "\n  at " + it)
            .collect(Collectors.joining());
  }
}
