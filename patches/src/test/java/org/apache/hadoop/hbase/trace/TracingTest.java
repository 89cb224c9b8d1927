package org.apache.hadoop.hbase.trace;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.offheap.hbase.patches.FailsOnStock;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

/** What is left out where nothing traces has no reader. */
class TracingTest {
  private static final Span TRACED =
      Span.wrap(
          SpanContext.create(
              "0af7651916cd43dd8448eb211c80319c",
              "b7ad6b7169203331",
              TraceFlags.getSampled(),
              TraceState.getDefault()));

  @FailsOnStock
  @Test
  void aStepThatNobodyTracesLeavesNoGarbage() {
    var memory = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    for (int warm = 0; warm < 20_000; warm++) {
      TraceUtil.trace(() -> {}, Span::getInvalid);
    }
    long before = memory.getCurrentThreadAllocatedBytes();
    for (int i = 0; i < 10_000; i++) {
      TraceUtil.trace(() -> {}, Span::getInvalid);
    }
    assertThat(memory.getCurrentThreadAllocatedBytes() - before).isLessThan(10_000 * 16);
  }

  @Test
  void aSpanOfATraceBecomesTheCurrentOne() {
    assertThat(Span.current().getSpanContext().isValid()).isFalse();
    TraceUtil.trace(() -> assertThat(Span.current()).isSameAs(TRACED), () -> TRACED);
    assertThat(Span.current().getSpanContext().isValid()).isFalse();
  }

  /** Else what is done within would be taken for a part of the trace around it. */
  @Test
  void aSpanOfNoTraceHidesThatOfATrace() {
    TraceUtil.trace(
        () -> {
          TraceUtil.trace(
              () -> assertThat(Span.current().getSpanContext().isValid()).isFalse(),
              Span::getInvalid);
          assertThat(Span.current()).isSameAs(TRACED);
        },
        () -> TRACED);
  }

  @Test
  void withoutATracerTheGlobalOneIsTheOneThatDoesNothing() {
    assertThat(TraceUtil.getGlobalTracer()).isSameAs(OpenTelemetry.noop().getTracer("any"));
  }
}
