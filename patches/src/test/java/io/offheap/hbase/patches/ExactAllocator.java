package io.offheap.hbase.patches;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.apache.hadoop.hbase.nio.SingleByteBuff;
import org.awaitility.core.ConditionTimeoutException;

/**
 * HBase's pool with an exact account: it knows each buffer that is out and where it was taken, and
 * it fills each that comes back with a pattern. Who reads such a buffer gets no valid cell; who
 * writes to it is found when it is taken next.
 */
public final class ExactAllocator extends ByteBuffAllocator {
  private static final byte PATTERN = (byte) 0xD5;
  private static final List<ExactAllocator> ALL = new CopyOnWriteArrayList<>();

  private final Map<ByteBuffer, Throwable> out =
      Collections.synchronizedMap(new IdentityHashMap<>());
  private final Set<ByteBuffer> back =
      Collections.synchronizedSet(Collections.newSetFromMap(new IdentityHashMap<>()));
  private final Queue<Throwable> wrong = new ConcurrentLinkedQueue<>();
  private final AtomicInteger untilFailure = new AtomicInteger(Integer.MAX_VALUE);
  private final ByteBuffer pattern;

  ExactAllocator(boolean pooled, int buffers, int size, int minimum) {
    super(pooled, buffers, size, minimum);
    byte[] bytes = new byte[size];
    Arrays.fill(bytes, PATTERN);
    pattern = ByteBuffer.allocateDirect(size).put(bytes).flip();
    ALL.add(this);
  }

  /** One of its own for a test without a server. */
  public static ExactAllocator create(int buffers, int size) {
    return new ExactAllocator(true, buffers, size, 1);
  }

  /** Makes servers that are started with this configuration use it. */
  public static void use(Configuration conf, int buffers, int size) {
    conf.setClass(BYTEBUFF_ALLOCATOR_CLASS, ExactAllocator.class, ByteBuffAllocator.class);
    conf.setInt(MAX_BUFFER_COUNT_KEY, buffers);
    conf.setInt(BUFFER_SIZE_KEY, size);
    conf.setInt(MIN_ALLOCATE_SIZE_KEY, 1);
  }

  /** Holds if each buffer of every pool comes back within the time and none was touched since. */
  public static void assertAllBack(Duration atMost) {
    for (var allocator : ALL) {
      allocator.assertBack(atMost);
    }
  }

  static int allOut() {
    return ALL.stream().mapToInt(ExactAllocator::getOut).sum();
  }

  public static void forgetAll() {
    ALL.clear();
  }

  /** After so many requests one finds no memory. */
  public void failAfter(int requests) {
    untilFailure.set(requests);
  }

  public int getOut() {
    return out.size();
  }

  /** Holds if no buffer is out; says of one that is where it was taken. */
  public void assertBack() {
    synchronized (out) {
      assertThat(out.size())
          .as(() -> "buffers out; one was taken at " + text(out.values().iterator().next()))
          .isZero();
    }
    assertUntouched();
  }

  /**
   * The same for buffers that another thread gives back. That takes milliseconds, and longer on a
   * machine that has something else to do; in published HBase they never come.
   */
  public void assertBackSoon() {
    assertBack(Duration.ofSeconds("none".equals(System.getProperty("patches")) ? 5 : 60));
  }

  private void assertBack(Duration atMost) {
    try {
      await().atMost(atMost).until(out::isEmpty);
    } catch (ConditionTimeoutException e) {
      // What fails then says more.
    }
    assertBack();
  }

  private void assertUntouched() {
    assertThat(wrong).isEmpty();
    synchronized (back) {
      assertThat(back).allMatch(buffer -> buffer.duplicate().clear().mismatch(pattern) < 0);
    }
  }

  @Override
  public SingleByteBuff allocateOneBuffer() {
    failIfDue();
    var buff = super.allocateOneBuffer();
    taken(buff);
    return buff;
  }

  @Override
  public ByteBuff allocate(int size) {
    failIfDue();
    var buff = super.allocate(size);
    taken(buff);
    return buff;
  }

  @Override
  protected void putbackBuffer(ByteBuffer buffer) {
    if (out.remove(buffer) == null) {
      wrong.add(new Throwable("given back twice"));
      return;
    }
    buffer.duplicate().clear().put(pattern.duplicate());
    back.add(buffer);
    super.putbackBuffer(buffer);
  }

  private void failIfDue() {
    if (untilFailure.getAndDecrement() == 0) {
      throw new OutOfMemoryError("no direct memory, says the test");
    }
  }

  private void taken(ByteBuff buff) {
    for (var buffer : buff.nioByteBuffers()) {
      if (!buffer.isDirect()) {
        continue;
      }
      if (back.remove(buffer) && buffer.duplicate().clear().mismatch(pattern) >= 0) {
        wrong.add(new Throwable("written to after it was given back"));
      }
      out.put(buffer, new Throwable("taken at"));
    }
  }

  private static String text(Throwable where) {
    var text = new StringWriter();
    where.printStackTrace(new PrintWriter(text, true));
    return text.toString();
  }
}
