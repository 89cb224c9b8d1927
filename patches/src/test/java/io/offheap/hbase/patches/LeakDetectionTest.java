package io.offheap.hbase.patches;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.Logger;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Property;
import org.junit.jupiter.api.Test;

/** Patch "Allocator: find leaks of buffers". */
class LeakDetectionTest {
  private static ByteBuffAllocator allocator(int sampling) {
    var conf = new Configuration(false);
    conf.setInt(ByteBuffAllocator.MAX_BUFFER_COUNT_KEY, 10_000);
    conf.setInt(ByteBuffAllocator.BUFFER_SIZE_KEY, 1024);
    conf.setInt(ByteBuffAllocator.MIN_ALLOCATE_SIZE_KEY, 1);
    conf.setInt(ByteBuffAllocator.LEAK_SAMPLING_KEY, sampling);
    return ByteBuffAllocator.create(conf, true);
  }

  /** What is logged meanwhile; Netty may find what another test lost. */
  private static final class Log extends AbstractAppender implements AutoCloseable {
    private final Logger root = (Logger) LogManager.getRootLogger();
    private final List<String> lines = new CopyOnWriteArrayList<>();

    Log() {
      super("lines", null, null, true, Property.EMPTY_ARRAY);
      start();
      root.addAppender(this);
    }

    @Override
    public void append(LogEvent event) {
      var line = event.getMessage().getFormattedMessage();
      if (line.startsWith("Buffers of the pool")) {
        lines.add(line);
      }
    }

    @Override
    public void close() {
      root.removeAppender(this);
      stop();
    }
  }

  @FailsOnStock
  @Test
  void whatIsOutForLongIsLoggedWithThePlaceWhereItWasTaken() {
    var conf = new Configuration(false);
    conf.setInt(ByteBuffAllocator.MIN_ALLOCATE_SIZE_KEY, 1);
    conf.setInt(ByteBuffAllocator.LEAK_SAMPLING_KEY, 1);
    conf.setLong(ByteBuffAllocator.LEAK_OVERDUE_KEY, 0);
    var allocator = ByteBuffAllocator.create(conf, true);
    try (var log = new Log()) {
      var buff = allocator.allocate(2000);
      allocator.allocate(2000).release();
      assertThat(log.lines)
          .singleElement()
          .asString()
          .contains("Buffers of the pool are out for long: 1 of the 1 in 1 looked at")
          .contains("whatIsOutForLongIsLoggedWithThePlaceWhereItWasTaken");
      buff.release();
    }
  }

  /** It looks once a minute, for as long as the process runs. */
  @Test
  void whatIsOutForLongIsLoggedOnce() throws ReflectiveOperationException {
    var conf = new Configuration(false);
    conf.setInt(ByteBuffAllocator.MIN_ALLOCATE_SIZE_KEY, 1);
    conf.setInt(ByteBuffAllocator.LEAK_SAMPLING_KEY, 1);
    conf.setLong(ByteBuffAllocator.LEAK_OVERDUE_KEY, 0);
    var allocator = ByteBuffAllocator.create(conf, true);
    try (var log = new Log()) {
      var first = allocator.allocate(2000);
      allocator.getLeakCount();
      assertThat(log.lines).hasSize(1);
      aMinutePasses(allocator);
      allocator.getLeakCount();
      assertThat(log.lines).hasSize(1);
      var second = allocator.allocate(2000);
      aMinutePasses(allocator);
      allocator.getLeakCount();
      assertThat(log.lines)
          .hasSize(2)
          .last()
          .asString()
          .contains("out for long: 1 of the 1 in 1 looked at");
      first.release();
      second.release();
    }
  }

  private static void aMinutePasses(ByteBuffAllocator allocator)
      throws ReflectiveOperationException {
    var detector = ByteBuffAllocator.class.getDeclaredField("leakDetector");
    detector.setAccessible(true);
    var next = detector.getType().getDeclaredField("nextLogNanos");
    next.setAccessible(true);
    ((AtomicLong) next.get(detector.get(allocator))).addAndGet(-TimeUnit.MINUTES.toNanos(1));
  }

  /** One that sees none of 5,000 would be met once in 10^17 runs. */
  @FailsOnStock
  @Test
  void someAreLookedAtWhereNothingIsSet() {
    var conf = new Configuration(false);
    conf.setInt(ByteBuffAllocator.MAX_BUFFER_COUNT_KEY, 10_000);
    conf.setInt(ByteBuffAllocator.BUFFER_SIZE_KEY, 1024);
    conf.setInt(ByteBuffAllocator.MIN_ALLOCATE_SIZE_KEY, 1);
    conf.setLong(ByteBuffAllocator.LEAK_OVERDUE_KEY, 0);
    var allocator = ByteBuffAllocator.create(conf, true);
    List<ByteBuff> out = new ArrayList<>();
    try (var log = new Log()) {
      for (int request = 0; request < 5_000; request++) {
        out.add(allocator.allocate(1024));
      }
      assertThat(log.lines)
          .singleElement()
          .asString()
          .contains("1 in 128 looked at")
          .contains("someAreLookedAtWhereNothingIsSet");
    } finally {
      out.forEach(ByteBuff::release);
    }
  }

  @Test
  void anAppenderThatFailsLosesNoBuffer() {
    var conf = new Configuration(false);
    conf.setInt(ByteBuffAllocator.MIN_ALLOCATE_SIZE_KEY, 1);
    conf.setInt(ByteBuffAllocator.LEAK_SAMPLING_KEY, 1);
    conf.setLong(ByteBuffAllocator.LEAK_OVERDUE_KEY, 0);
    var allocator = ByteBuffAllocator.create(conf, true);
    var first = allocator.allocate(2000);
    var root = (Logger) LogManager.getRootLogger();
    var failing =
        new AbstractAppender("failing", null, null, false, Property.EMPTY_ARRAY) {
          private int events;

          @Override
          public void append(LogEvent event) {
            events++;
            throw new IllegalStateException("says the test");
          }
        };
    failing.start();
    root.addAppender(failing);
    ByteBuff second;
    try {
      second = allocator.allocate(2000);
    } finally {
      root.removeAppender(failing);
    }
    assertThat(failing.events).isPositive();
    second.release();
    first.release();
    assertThat(allocator.getBuffersInUse()).isZero();
    assertThat(allocator.getOldestOutstanding(10)).isEmpty();
  }

  /** A note of one request is of some 1,500 bytes. */
  @Test
  void oneIn128CostsFewBytesARequest() throws Exception {
    var off = allocator(0);
    var on = allocator(128);
    int requests = 1280;
    long without = Heap.bytes(() -> take(off, requests));
    long with = Heap.bytes(() -> take(on, requests));
    assertThat((with - without) / requests).isLessThan(60);
  }

  private static Void take(ByteBuffAllocator allocator, int requests) {
    for (int request = 0; request < requests; request++) {
      allocator.allocate(2000).release();
    }
    return null;
  }

  private static void lose(ByteBuffAllocator allocator, int requests) {
    for (int request = 0; request < requests; request++) {
      allocator.allocate(2000);
    }
  }

  @Test
  void whatCanNeverComeBackIsCounted() {
    var allocator = allocator(1);
    lose(allocator, 3);
    allocator.allocate(2000).release();
    allocator.allocateOneBuffer().release();
    await()
        .untilAsserted(
            () -> {
              System.gc();
              assertThat(allocator.getLeakCount()).isEqualTo(3);
            });
    assertThat(allocator.getOldestOutstanding(10)).isEmpty();
  }

  @Test
  void whatIsOutIsNamedWithThePlaceWhereItWasTaken() {
    var allocator = allocator(1);
    var buff = allocator.allocate(2000);
    ByteBuff part = buff.duplicate();
    System.gc();
    assertThat(allocator.getOldestOutstanding(10))
        .singleElement()
        .asString()
        .contains("whatIsOutIsNamedWithThePlaceWhereItWasTaken")
        .contains("by " + Thread.currentThread().getName());
    part.release();
    assertThat(allocator.getOldestOutstanding(10)).isEmpty();
    assertThat(allocator.getLeakCount()).isZero();
  }

  @Test
  void oneInSoManyIsLookedAt() {
    var allocator = allocator(10);
    lose(allocator, 2_000);
    await()
        .untilAsserted(
            () -> {
              System.gc();
              assertThat(allocator.getLeakCount()).isBetween(100L, 300L);
            });
  }

  @Test
  void offMeansThatNothingIsRemembered() {
    var allocator = allocator(0);
    var buff = allocator.allocate(2000);
    assertThat(allocator.getOldestOutstanding(10)).isEmpty();
    buff.release();
    lose(allocator, 3);
    System.gc();
    assertThat(allocator.getLeakCount()).isZero();
  }
}
