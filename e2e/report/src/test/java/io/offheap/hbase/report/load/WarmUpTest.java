package io.offheap.hbase.report.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class WarmUpTest {
  private static WarmUp of(int least, int most) {
    return new WarmUp(least, most, List.of(() -> 0, () -> 0));
  }

  /** Feeds a sample a second, and returns the second in which it is over. */
  private static int end(WarmUp warmUp, long[]... millis) {
    for (int i = 0; i < millis.length; i++) {
      if (warmUp.isOver(i + 1, List.of(millis[i][0], millis[i][1]))) {
        return i + 1;
      }
    }
    return -1;
  }

  private static long[] at(long client, long server) {
    return new long[] {client, server};
  }

  @Test
  void lastsUntilTheCompilersOfEachJvmAreQuiet() {
    var warmUp = of(1, 60);

    // 0.2 s of any four are quiet. The server is the last one to be.
    int end =
        end(
            warmUp,
            at(5_000, 9_000),
            at(6_000, 9_900),
            at(6_050, 10_800),
            at(6_100, 11_000),
            at(6_150, 11_050),
            at(6_180, 11_100),
            at(6_190, 11_110),
            at(6_195, 11_150),
            at(6_200, 11_200));

    assertThat(end).isEqualTo(8);
    assertThat(warmUp.result()).isEqualTo(new WarmUp.Result(8, true));
  }

  @Test
  void lastsTheLeastTimeWhereTheyAreQuietFromTheBeginningOn() {
    var warmUp = of(7, 60);
    var quiet = at(100, 100);

    assertThat(end(warmUp, quiet, quiet, quiet, quiet, quiet, quiet, quiet, quiet)).isEqualTo(7);
    assertThat(warmUp.result().quiet()).isTrue();
  }

  @Test
  void endsAtTheMostTimeAndReportsThatTheyWereNotQuiet() {
    var warmUp = of(1, 6);

    int end = end(warmUp, at(1, 0), at(2, 500), at(3, 999), at(4, 1500), at(5, 2000), at(6, 2500));

    assertThat(end).isEqualTo(6);
    assertThat(warmUp.result()).isEqualTo(new WarmUp.Result(6, false));
  }

  @Test
  void threadsThatEndAreNoWarmUp() throws Exception {
    var warmUp = of(1, 6);

    assertThat(warmUp.await(new CountDownLatch(0))).isTrue();
    assertThat(warmUp.result()).isNull();
  }

  @Test
  void readsTheNumberOfABean() throws IOException {
    var response =
        """
        {"beans": [{"name": "java.lang:type=Compilation", "TotalCompilationTime": 12345}]}
        """;

    assertThat(Jmx.number(response, "java.lang:type=Compilation", "TotalCompilationTime"))
        .isEqualTo(12_345);
    assertThatThrownBy(() -> Jmx.number("{\"beans\": []}", "a:b=c", "Number"))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("no number Number of a:b=c in ");
  }
}
