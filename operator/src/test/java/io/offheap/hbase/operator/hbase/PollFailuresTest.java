package io.offheap.hbase.operator.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.offheap.hbase.operator.TestClock;
import io.offheap.hbase.operator.log.LogCapture;
import java.io.IOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PollFailuresTest {
  private static final ResourceID DEMO = new ResourceID("demo", "shop");
  private static final ResourceID OTHER = new ResourceID("other", "shop");
  private static final String OF_DEMO = "namespace=shop cluster=demo source=reports ";

  private final LogCapture log = LogCapture.of(PollFailures.class);
  private final PollFailures failures =
      new PollFailures("reports", Clock.fixed(Instant.EPOCH, ZoneOffset.UTC));

  @AfterEach
  void close() {
    log.close();
  }

  @Test
  void logsKindOfFailureOnceUntilItEnds() {
    for (int round = 0; round < 1_000; round++) {
      failures.failed(DEMO, "demo-0", new ConnectException("refused at " + round));
      failures.failed(DEMO, "demo-1", new ConnectException("refused"));
      failures.roundEnded(DEMO);
    }
    failures.roundEnded(DEMO);
    failures.roundEnded(DEMO);
    failures.failed(DEMO, "demo-1", new ConnectException("again"));

    assertThat(log.lines())
        .containsExactly(
            "WARN event=PollFailing "
                + OF_DEMO
                + "kind=ConnectException host=demo-0 cause=\"refused at 0\"",
            "INFO event=PollRecovered "
                + OF_DEMO
                + "kind=ConnectException since=1970-01-01T00:00:00Z",
            "WARN event=PollFailing " + OF_DEMO + "kind=ConnectException host=demo-1 cause=again");
  }

  @Test
  void logsEachKindAndEachClusterSeparately() {
    failures.failed(DEMO, "demo-0", new ConnectException("refused"));
    failures.failed(DEMO, "demo-1", new CompletionException(new UnknownHostException("demo-1")));
    failures.failed(OTHER, "", new ConnectException("refused"));
    failures.roundEnded(DEMO);
    failures.failed(DEMO, "demo-0", new ConnectException("refused"));
    failures.roundEnded(DEMO);

    assertThat(log.lines())
        .extracting(
            line -> line.replaceAll(".*event=(\\w+).*cluster=(\\w+).*kind=(\\w+).*", "$1 $2 $3"))
        .containsExactly(
            "PollFailing demo ConnectException",
            "PollFailing demo UnknownHostException",
            "PollFailing other ConnectException",
            "PollRecovered demo UnknownHostException");
  }

  @Test
  void reportsFirstRefusedResponseUntilRoundEndsWithoutIt() {
    failures.failed(DEMO, "demo-0", RefusedResponseException.of("demo-0:1", "sent 7 bytes"));
    failures.failed(DEMO, "demo-1", new ConnectException("refused"));
    assertThat(failures.problems(DEMO)).as("in the middle of a round").isEmpty();
    assertThat(failures.roundEnded(DEMO)).isTrue();
    assertThat(failures.problems(DEMO)).containsExactly("demo-0:1 sent 7 bytes");
    assertThat(failures.problems(OTHER)).isEmpty();

    var wrapped = new IOException("Call", RefusedResponseException.of("demo-0:1", "sent 9 bytes"));
    failures.failed(DEMO, "demo-0", new CompletionException(wrapped));
    assertThat(failures.roundEnded(DEMO)).as("the same with other numbers").isFalse();
    assertThat(failures.problems(DEMO)).containsExactly("demo-0:1 sent 7 bytes");

    assertThat(failures.roundEnded(DEMO)).isTrue();
    assertThat(failures.problems(DEMO)).isEmpty();
  }

  @Test
  void reportsServerWithoutResponseOnlyAfterMinimumTime() {
    var clock = TestClock.at(Instant.EPOCH);
    var slow = new PollFailures("reports", clock);
    slow.failed(DEMO, "demo-0", new TimeoutException("no response"));
    assertThat(slow.roundEnded(DEMO)).isFalse();
    clock.advance(Duration.ofSeconds(29));
    slow.failed(DEMO, "demo-0", new TimeoutException("no response"));
    assertThat(slow.roundEnded(DEMO)).isFalse();

    clock.advance(Duration.ofSeconds(1));
    slow.failed(DEMO, "demo-0", new TimeoutException("no response"));
    assertThat(slow.roundEnded(DEMO)).isTrue();

    assertThat(slow.problems(DEMO))
        .containsExactly("demo-0 has sent no response within the deadline, for over 30 s");
    assertThat(slow.roundEnded(DEMO)).isTrue();
    slow.failed(DEMO, "demo-0", new TimeoutException("no response"));
    assertThat(slow.roundEnded(DEMO)).as("it begins anew").isFalse();
  }

  /** A tenant may have a thousand servers, which send any text. */
  @Test
  void limitsProblemsOfOneCluster() {
    for (int i = 0; i < 1_000; i++) {
      failures.failed(DEMO, "", RefusedResponseException.of("demo-" + i, "x\n".repeat(5_000)));
    }
    failures.roundEnded(DEMO);

    assertThat(failures.problems(DEMO))
        .hasSize(8)
        .allSatisfy(it -> assertThat(it).hasSizeLessThanOrEqualTo(300).doesNotContain("\n"));
  }

  @Test
  void dropsStateOfDeletedCluster() {
    failures.failed(DEMO, "", new ConnectException("refused"));
    failures.forget(DEMO);
    failures.roundEnded(DEMO);
    failures.failed(DEMO, "", new ConnectException("refused"));

    assertThat(log.lines()).hasSize(2).allMatch(it -> it.contains("PollFailing"));
  }
}
