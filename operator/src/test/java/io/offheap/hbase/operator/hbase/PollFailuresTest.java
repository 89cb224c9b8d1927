package io.offheap.hbase.operator.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.offheap.hbase.operator.log.LogCapture;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.concurrent.CompletionException;
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
  void kindIsLoggedOnceUntilItEnds() {
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
  void eachKindAndEachClusterCountsByItself() {
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
  void clusterThatIsGoneIsForgotten() {
    failures.failed(DEMO, "", new ConnectException("refused"));
    failures.forget(DEMO);
    failures.roundEnded(DEMO);
    failures.failed(DEMO, "", new ConnectException("refused"));

    assertThat(log.lines()).hasSize(2).allMatch(it -> it.contains("PollFailing"));
  }
}
