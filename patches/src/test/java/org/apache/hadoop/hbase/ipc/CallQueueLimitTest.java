package org.apache.hadoop.hbase.ipc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.offheap.hbase.patches.FailsOnStock;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutateRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.RequestHeader;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Patch "RPC: read and write queues keep their limit". */
class CallQueueLimitTest {
  private static final int HARD_LIMIT = 250;
  private static final int ENOUGH = 1000;
  private static final Message WRITE = MutateRequest.getDefaultInstance();
  private static final Message READ = GetRequest.getDefaultInstance();
  private static final Message SCAN = ScanRequest.getDefaultInstance();

  private final Configuration conf = new Configuration(false);

  /** No handler takes the calls out: they are not started. */
  private RWQueueRpcExecutor executor(double scanShare, int limit) {
    conf.setDouble(RWQueueRpcExecutor.CALL_QUEUE_READ_SHARE_CONF_KEY, 0.5);
    conf.setDouble(RWQueueRpcExecutor.CALL_QUEUE_SCAN_SHARE_CONF_KEY, scanShare);
    return new RWQueueRpcExecutor("test", 20, limit, null, conf, null);
  }

  private static int accepted(RWQueueRpcExecutor executor, Message request) {
    var call = mock(RpcCall.class);
    when(call.getHeader()).thenReturn(RequestHeader.getDefaultInstance());
    when(call.getParam()).thenReturn(request);
    var runner = new CallRunner(null, call);
    int accepted = 0;
    while (accepted < ENOUGH && executor.dispatch(runner)) {
      accepted++;
    }
    return accepted;
  }

  @FailsOnStock
  @ParameterizedTest
  @ValueSource(doubles = {0, 0.5})
  void aQueueTakesAsManyCallsAsItIsSetTo(double scanShare) {
    var executor = executor(scanShare, 30);
    assertThat(accepted(executor, WRITE)).isEqualTo(30);
    assertThat(accepted(executor, READ)).isEqualTo(30);
    assertThat(accepted(executor, SCAN)).isEqualTo(scanShare > 0 ? 30 : 0);
    assertThat(executor.getQueueLength()).isEqualTo(scanShare > 0 ? 90 : 60);
  }

  /** Queues that would be of 10 calls for good could not be given more at run time. */
  @ParameterizedTest
  @CsvSource({"30,100,100", "30,250,250", "30,600,250", "400,300,300", "400,600,400", "30,10,10"})
  void theLimitCanBeChangedUpToTheHardOne(int first, int then, int accepted) {
    var executor = executor(0.5, first);
    conf.setInt(RpcScheduler.IPC_SERVER_MAX_CALLQUEUE_LENGTH, then);
    executor.resizeQueues(conf);
    for (var request : new Message[] {WRITE, READ, SCAN}) {
      assertThat(accepted(executor, request)).isEqualTo(accepted);
    }
  }

  /** The executor has two handlers then, and must not refuse what they would take. */
  @Test
  void priorityCallsHaveAQueueWhereNoHandlerIsSetAsideForThem() throws InterruptedException {
    var priority = mock(PriorityFunction.class);
    when(priority.getPriority(any(), any(), any())).thenReturn(HConstants.HIGH_QOS);
    var scheduler = new SimpleRpcScheduler(conf, 10, 0, 0, priority, HConstants.QOS_THRESHOLD);
    var call = mock(RpcCall.class);
    when(call.getHeader()).thenReturn(RequestHeader.getDefaultInstance());
    when(call.getParam()).thenReturn(READ);
    var runner = new CallRunner(null, call);
    for (int accepted = 0; accepted < 20; accepted++) {
      assertThat(scheduler.dispatch(runner)).isTrue();
    }
    assertThat(scheduler.dispatch(runner)).isFalse();
  }

  @Test
  void thereAreAsManyQueuesAsHandlersTakeFrom() {
    conf.setDouble(RpcExecutor.CALL_QUEUE_HANDLER_FACTOR_CONF_KEY, 0.5);
    var executor = executor(0.5, HARD_LIMIT);
    assertThat(executor.getQueues()).hasSize(10).doesNotHaveDuplicates();
    assertThat(executor.getQueues()).allMatch(queue -> queue.remainingCapacity() == HARD_LIMIT);
  }
}
