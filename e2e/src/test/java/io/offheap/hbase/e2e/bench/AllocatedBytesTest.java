package io.offheap.hbase.e2e.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

class AllocatedBytesTest {
  @Test
  void threadsAreSortedByName() {
    String[] names = {
      "RpcServer.default.FPBQ.Fifo.handler=29,queue=2,port=28021",
      "RpcServer.default.FPBQ.Fifo.handler=28,queue=1,port=28021",
      "RpcServer.priority.RWQ.Fifo.read.handler=1,queue=1,port=28021",
      "RS-EventLoopGroup-1-1",
      "main"
    };

    assertThat(AllocatedBytes.of(names, new long[] {1, 2, 4, 8, 16}))
        .isEqualTo(new AllocatedBytes(3, 8, 20));
  }

  @Test
  void aThreadThatHasEndedHasNoBytes() {
    assertThat(AllocatedBytes.of(new String[] {"", "main"}, new long[] {-1, 5}))
        .isEqualTo(new AllocatedBytes(0, 0, 5));
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
    assertThat(kept[0]).hasSize(1 << 20);
    assertThat(both - counting).isBetween((1L << 20) - 4096, (1L << 20) + 4096);
  }
}
