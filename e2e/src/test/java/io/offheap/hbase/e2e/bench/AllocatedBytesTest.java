package io.offheap.hbase.e2e.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.offheap.hbase.e2e.bench.AllocatedBytes.OfThread;
import java.lang.management.ManagementFactory;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AllocatedBytesTest {
  private static AllocatedBytes at(long started, Map<Long, OfThread> threads) {
    return new AllocatedBytes(threads, started, 0);
  }

  private static OfThread thread(String name, long bytes) {
    return new OfThread(name, bytes);
  }

  @Test
  void threadsAreSortedByName() {
    var allocated =
        at(
            9,
            Map.of(
                1L, thread("RpcServer.default.FPBQ.Fifo.handler=29,queue=2,port=28021", 1),
                2L, thread("RpcServer.default.FPBQ.Fifo.handler=28,queue=1,port=28021", 2),
                3L, thread("RpcServer.priority.RWQ.Fifo.read.handler=1,queue=1,port=28021", 4),
                4L, thread("RS-EventLoopGroup-1-1", 8),
                5L, thread("main", 16),
                6L, thread("RMI TCP Connection(1)-127.0.0.1", 32),
                7L, thread("JMX server connection timeout 40", 64),
                8L, thread("Attach Listener", 128)));

    assertThat(allocated.handlers()).isEqualTo(3);
    assertThat(allocated.netty()).isEqualTo(8);
    assertThat(allocated.process()).isEqualTo(31);
  }

  @Test
  void aThreadThatStartedSinceCountsWhole() {
    var before = at(1, Map.of(1L, thread("main", 10)));
    var after = at(2, Map.of(1L, thread("main", 15), 2L, thread("new", 7)));

    assertThat(after.minus(before).process()).isEqualTo(12);
    assertThat(after.minus(before).ended()).isZero();
  }

  @Test
  void aThreadThatEndedSinceTakesNothingAway() {
    var before = at(2, Map.of(1L, thread("main", 10), 2L, thread("old", 1_000_000)));
    var after = at(2, Map.of(1L, thread("main", 15)));

    assertThat(after.minus(before).process()).isEqualTo(5);
    assertThat(after.minus(before).ended()).isEqualTo(1);
  }

  @Test
  void aThreadThatStartedAndEndedSinceIsNoticed() {
    var before = at(1, Map.of(1L, thread("main", 10)));
    var after = at(3, Map.of(1L, thread("main", 15), 3L, thread("new", 7)));

    assertThat(after.minus(before).ended()).isEqualTo(1);
  }

  @Test
  void aMeasuringThreadMayEnd() {
    var before = at(1, Map.of(1L, thread("RMI TCP Connection(1)-127.0.0.1", 10)));

    assertThat(at(1, Map.of()).minus(before).ended()).isZero();
  }

  @Test
  void whatAHandlerAllocatesIsCountedToTheByte() throws InterruptedException {
    var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    var counted = new AllocatedBytes[3];
    var kept = new byte[1][];
    var handler =
        new Thread(
            () -> {
              counted[0] = AllocatedBytes.of(threads);
              counted[1] = AllocatedBytes.of(threads);
              kept[0] = new byte[1 << 20];
              counted[2] = AllocatedBytes.of(threads);
            },
            "RpcServer.default.test");
    handler.start();
    handler.join();

    long counting = counted[1].minus(counted[0]).handlers();
    long both = counted[2].minus(counted[1]).handlers();
    assertThat(counted[2].minus(counted[1]).process()).isGreaterThanOrEqualTo(both);
    assertThat(kept[0]).hasSize(1 << 20);
    assertThat(both - counting).isBetween((1L << 20) - 4096, (1L << 20) + 4096);
  }
}
