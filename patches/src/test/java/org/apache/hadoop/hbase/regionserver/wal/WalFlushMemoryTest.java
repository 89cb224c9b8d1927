package org.apache.hadoop.hbase.regionserver.wal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.offheap.hbase.patches.FailsOnStock;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hbase.thirdparty.io.netty.buffer.ByteBuf;
import org.apache.hbase.thirdparty.io.netty.buffer.ByteBufAllocator;
import org.apache.hbase.thirdparty.io.netty.buffer.UnpooledByteBufAllocator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A flush of a region server's log that finds no memory: its entries are in the next log, and its
 * buffers are given back.
 */
class WalFlushMemoryTest extends RegionServerLog {
  /** The checksums, the header of the packet, and the buffer of the next entries. */
  @FailsOnStock
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void aFlushThatFindsNoMemoryLosesNoEntryAndNoBuffer(int allocation) throws Exception {
    var output = field(wal, "fsOut");
    Queue<ByteBuf> buffers = new ConcurrentLinkedQueue<>();
    var left = new AtomicInteger(Integer.MAX_VALUE);
    var failing =
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {ByteBufAllocator.class},
            (proxy, method, arguments) -> {
              if (left.decrementAndGet() == 0) {
                throw new OutOfMemoryError("says the test");
              }
              try {
                var buffer = (ByteBuf) method.invoke(UnpooledByteBufAllocator.DEFAULT, arguments);
                buffers.add(buffer);
                return buffer;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
    accessible(output, "alloc").set(output, failing);
    // From then on the buffer of the next entries is one of these too, which are not used again.
    assertThat(put("before", 10)).succeedsWithin(PATIENCE);
    left.set(allocation);

    assertThat(put("row", 1_000)).succeedsWithin(PATIENCE);
    // The third is not missed until the next entry comes.
    assertThat(put("behind", 10)).succeedsWithin(PATIENCE);
    assertThat(left.get()).as("allocations left").isNotPositive();
    assertThat(field(wal, "fsOut")).as("the log's output").isNotSameAs(output);
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(buffers).allMatch(buffer -> buffer.refCnt() == 0));
    assertOnTheNextServer("row", 1_000);
    assertOnTheNextServer("behind", 10);
  }

  private static Object field(Object of, String name) throws ReflectiveOperationException {
    return accessible(of, name).get(of);
  }

  private static Field accessible(Object of, String name) throws NoSuchFieldException {
    var field = of.getClass().getDeclaredField(name);
    field.setAccessible(true);
    return field;
  }
}
