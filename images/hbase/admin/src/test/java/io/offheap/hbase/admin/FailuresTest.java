package io.offheap.hbase.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ConnectException;
import java.util.concurrent.ExecutionException;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.MasterNotRunningException;
import org.apache.hadoop.hbase.TableNotDisabledException;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.zookeeper.KeeperException;
import org.junit.jupiter.api.Test;

class FailuresTest {
  @Test
  void expectedFailuresAreSentences() {
    assertThat(Failures.describe(new TableNotFoundException("t")))
        .isEqualTo("table 't' does not exist");
    assertThat(Failures.describe(new MasterNotRunningException("none")))
        .isEqualTo("there is no active master: none");
    assertThat(Failures.describe(new ConnectException("refused")))
        .isEqualTo("a server does not accept connections: refused");
    assertThat(Failures.describe(new KeeperException.ConnectionLossException()))
        .isEqualTo("ZooKeeper: KeeperErrorCode = ConnectionLoss");
    assertThat(Failures.describe(new FailedException("no"))).isEqualTo("no");
    assertThat(Failures.describe(new IOException("call failed", new OutOfMemoryError("direct"))))
        .startsWith("a response is larger than the memory of this tool");
  }

  @Test
  void innermostCauseCounts() {
    var wrapped =
        new ExecutionException(
            new IOException("Failed after attempts=8", new TableNotFoundException("t")));

    assertThat(Failures.describe(wrapped)).isEqualTo("table 't' does not exist");
  }

  @Test
  void remoteStackTraceIsLeftOut() {
    var remote =
        new RemoteException(
            TableNotDisabledException.class.getName(),
            "org.apache.hadoop.hbase.TableNotDisabledException: t\n\tat org.apache.A.b(A.java:1)");

    assertThat(Failures.describe(remote)).isEqualTo("the table must be disabled first: t");
  }

  @Test
  void anotherFailureHasItsTypeAndFirstLine() {
    var failure = new DoNotRetryIOException("java.io.IOException: is odd\n\tat a.B.c(B.java:1)");

    assertThat(Failures.describe(failure)).isEqualTo("DoNotRetryIOException: is odd");
  }
}
