package io.offheap.hbase.report.load;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.ConnectionConfiguration;
import org.apache.hadoop.hbase.client.RetryingCallable;
import org.apache.hadoop.hbase.client.RpcRetryingCaller;
import org.apache.hadoop.hbase.client.RpcRetryingCallerFactory;

/**
 * What HBase's client does in one operation of the present thread. It retries by itself and reports
 * none of it, but takes another factory of the objects that retry: this one notes when each step
 * begins and ends, and changes nothing.
 */
final class Attempts {
  private static final ThreadLocal<Attempts> PRESENT = new ThreadLocal<>();

  private final List<Span> spans = new ArrayList<>();

  /** What the client does for a time. */
  enum Step {
    /** It looks for the region's server, in its cache or in {@code hbase:meta}. */
    LOCATING,
    /** It waits for the server's response. */
    CALLING
  }

  /**
   * A step.
   *
   * @param begin in milliseconds of {@link #now}
   */
  record Span(Step step, double begin, double end) {}

  /** Milliseconds since the epoch, which only rise. */
  static double now() {
    return Clock.EPOCH_MILLIS + System.nanoTime() / 1e6;
  }

  private static final class Clock {
    private static final double EPOCH_MILLIS = System.currentTimeMillis() - System.nanoTime() / 1e6;
  }

  /** Notes the steps of what this thread does from now on. */
  static Attempts begin() {
    var attempts = new Attempts();
    PRESENT.set(attempts);
    return attempts;
  }

  /** Ends that, and returns the steps in their order. */
  List<Span> end() {
    PRESENT.remove();
    return List.copyOf(spans);
  }

  private static void note(Step step, double begin) {
    var attempts = PRESENT.get();
    if (attempts != null) {
      attempts.spans.add(new Span(step, begin, now()));
    }
  }

  /** The value of {@code RpcRetryingCallerFactory.CUSTOM_CALLER_CONF_KEY}. */
  public static final class Factory extends RpcRetryingCallerFactory {
    /** As HBase's client calls it. */
    public Factory(Configuration configuration, ConnectionConfiguration connection) {
      super(configuration, connection);
    }

    @Override
    public <T> RpcRetryingCaller<T> newCaller(int rpcTimeout) {
      return new NotingCaller<>(super.newCaller(rpcTimeout));
    }

    @Override
    public <T> RpcRetryingCaller<T> newCaller() {
      return new NotingCaller<>(super.newCaller());
    }
  }

  private record NotingCaller<T>(RpcRetryingCaller<T> caller) implements RpcRetryingCaller<T> {
    @Override
    public void cancel() {
      caller.cancel();
    }

    @Override
    public T callWithRetries(RetryingCallable<T> callable, int timeout) throws IOException {
      return caller.callWithRetries(new NotingCallable<>(callable), timeout);
    }

    @Override
    public T callWithoutRetries(RetryingCallable<T> callable, int timeout) throws IOException {
      return caller.callWithoutRetries(new NotingCallable<>(callable), timeout);
    }
  }

  private record NotingCallable<T>(RetryingCallable<T> callable) implements RetryingCallable<T> {
    @Override
    public void prepare(boolean reload) throws IOException {
      double begin = now();
      try {
        callable.prepare(reload);
      } finally {
        note(Step.LOCATING, begin);
      }
    }

    @Override
    public T call(int timeout) throws Exception {
      double begin = now();
      try {
        return callable.call(timeout);
      } finally {
        note(Step.CALLING, begin);
      }
    }

    @Override
    public void throwable(Throwable failure, boolean retrying) {
      callable.throwable(failure, retrying);
    }

    @Override
    public String getExceptionMessageAdditionalDetail() {
      return callable.getExceptionMessageAdditionalDetail();
    }

    @Override
    public long sleep(long pause, int tries) {
      return callable.sleep(pause, tries);
    }
  }
}
