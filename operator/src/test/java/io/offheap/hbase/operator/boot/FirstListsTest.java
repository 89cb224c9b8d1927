package io.offheap.hbase.operator.boot;

import static io.offheap.hbase.operator.Waits.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.offheap.hbase.operator.Slow;
import io.offheap.hbase.operator.log.LogCapture;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** The log while the operator starts. */
class FirstListsTest {
  @Test
  @Slow
  void logsEachMissingKindAgainAfterTwiceTheTime() {
    var kinds = new TreeSet<>(Set.of("ConfigMap", "Pod"));
    try (var log = LogCapture.of(FirstLists.class);
        var lists = FirstLists.begin(Duration.ofSeconds(1), () -> kinds)) {
      assertThat(lists).isNotNull();

      await("two times").atMost(LONG).until(() -> log.lines().size() >= 4);

      assertThat(log.lines())
          .startsWith(
              "WARN event=FirstListLate kind=ConfigMap seconds=1",
              "WARN event=FirstListLate kind=Pod seconds=1",
              "WARN event=FirstListLate kind=ConfigMap seconds=2",
              "WARN event=FirstListLate kind=Pod seconds=2");
    }
  }

  @Test
  void logsNothingOnceAllAreListed() throws InterruptedException {
    var requested = new CountDownLatch(1);
    try (var log = LogCapture.of(FirstLists.class)) {
      var lists =
          FirstLists.begin(
              Duration.ofMillis(1),
              () -> {
                requested.countDown();
                return Set.of();
              });
      requested.await();
      lists.close();
      assertThat(log.lines()).isEmpty();
    }
  }
}
