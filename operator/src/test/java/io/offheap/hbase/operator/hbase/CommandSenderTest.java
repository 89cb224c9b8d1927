package io.offheap.hbase.operator.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.offheap.hbase.operator.rollout.HBaseCommand;
import io.offheap.hbase.operator.rollout.HBaseCommand.Move;
import io.offheap.hbase.operator.rollout.HBaseCommand.Recommission;
import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HBaseIOException;
import org.apache.hadoop.hbase.PleaseHoldException;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.RetriesExhaustedException;
import org.apache.hadoop.hbase.exceptions.MasterStoppedException;
import org.apache.hadoop.hbase.ipc.RemoteWithExtrasException;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a command that has failed shows of HBase. */
class CommandSenderTest {
  private static final Recommission COMMAND = new Recommission("rs-0.hb,16020,1");

  private final CommandSender sender =
      new CommandSender(
          name -> new byte[0],
          server -> true,
          () -> {},
          Duration.ofSeconds(1),
          Runnable::run,
          () -> {});

  @Test
  void finalResponseIsDenialUntilTheNextAttempt() {
    failed(remote(AccessDeniedException.class));
    assertThat(sender.denied()).containsExactly(COMMAND);

    failed(exhausted(new ConnectException("refused")));
    assertThat(sender.denied()).isEmpty();
  }

  /** Without a response, or of a master that starts, has lost ZooKeeper or stops. */
  @Test
  void commandThatMaySucceedLaterIsRefusedAndNotDenied() {
    var failures =
        List.of(
            exhausted(new ConnectException("refused")),
            new DoNotRetryIOException("by the client"),
            exhausted(remote(PleaseHoldException.class)),
            exhausted(remote(HBaseIOException.class)),
            remote(MasterStoppedException.class));
    for (IOException failure : failures) {
      failed(failure);
      assertThat(sender.refusals()).containsOnlyKeys(COMMAND);
      assertThat(sender.denied()).as(failure::toString).isEmpty();
    }
  }

  /** A region that waits at its destination for its turn is closed meanwhile. */
  @ParameterizedTest
  @CsvSource({"8, 6", "4, 4", "1, 1", "100, 6"})
  void noServerHasMoreMovesAtOnceThanItOpens(int most, int running) {
    var moves = new ArrayList<HBaseCommand>();
    for (int region = 0; region < 20; region++) {
      moves.add(new Move("region-" + region, region < 10 ? "a,1,1" : "b,1,1"));
    }
    var connection = new CompletableFuture<AsyncConnection>();

    sender.send(connection, new MoveLimits(most, 3), moves);
    assertThat(sender.running()).isEqualTo(running);

    // Each that ends, here by a failure, is followed by another, until none waits.
    connection.completeExceptionally(new ConnectException("refused"));
    assertThat(sender.running()).isZero();
    assertThat(sender.refusals()).hasSize(20);

    var again = new CompletableFuture<AsyncConnection>();
    sender.send(again, new MoveLimits(most, 3), moves);
    assertThat(sender.running()).isEqualTo(running);
    again.completeExceptionally(new ConnectException("refused"));
  }

  /** The view that the moves are decided by may be older than the first of them. */
  @Test
  void regionThatIsMovedIsNotMovedAgainWhenItHasCome() {
    var limits = new MoveLimits(8, 1);
    var toA = new CompletableFuture<AsyncConnection>();
    var toB = new CompletableFuture<AsyncConnection>();
    sender.send(toA, limits, List.of(new Move("other", "a,1,1")));
    sender.send(toB, limits, List.of(new Move("region", "b,1,1")));

    // The one server has all it opens at once.
    sender.send(new CompletableFuture<>(), limits, List.of(new Move("region", "a,1,1")));
    toB.completeExceptionally(new ConnectException("refused"));
    toA.completeExceptionally(new ConnectException("refused"));

    assertThat(sender.running()).isZero();
  }

  private void failed(Throwable failure) {
    sender.send(
        CompletableFuture.<AsyncConnection>failedFuture(new CompletionException(failure)),
        new MoveLimits(1, 3),
        List.of(COMMAND));
  }

  private static IOException exhausted(IOException last) {
    return new RetriesExhaustedException("after 3 attempts", last);
  }

  /** As the client makes it of a server's response. */
  private static IOException remote(Class<? extends IOException> type) {
    return new RemoteWithExtrasException(type.getName(), "as sent", true).unwrapRemoteException();
  }
}
