package io.offheap.hbase.e2e.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReportTest {
  private static final Snapshot BEFORE =
      new Snapshot(100, new AllocatedBytes(1000, 500, 70), 10, 20, 30, 40, 50, 60);

  @Test
  void theLineHoldsTheMeanOfTheRunsInWholeBytes() throws JsonProcessingException {
    var report =
        new Report(
            List.of(
                measured("noCache", "stock", 7000),
                measured("noCache", "patched", 3000),
                measured("allHits", "stock", 500),
                measured("noCache", "stock", 7007),
                measured("noCache", "patched", 3000),
                measured("allHits", "stock", 500)));

    assertThat(report.json())
        .isEqualTo(
            "{\"noCache\":{\"stock\":700,\"patched\":300},\"allHits\":{\"stock\":50},\"runs\":2}");
  }

  @Test
  void aRowShowsWhatHappenedBetweenTheSnapshots() {
    var report = new Report(List.of(measured("halfHits", "stock", 10240)));

    assertThat(report.table())
        .endsWith("| halfHits | stock | 1.00 |  | 0.10 | 0.05 | 10.0 % | 20.0000 % | 10 |\n");
  }

  @Test
  void thereIsNoHeapShareWithoutBuffers() {
    var used = new Snapshot(10, new AllocatedBytes(10240, 0, 0), 0, 5, 10, 0, 0, 0);

    assertThat(new Report(List.of(new Measurement("allHits", "poolOff", used))).table())
        .endsWith("| allHits | poolOff | 1.00 |  | 0.00 | 0.00 | 100.0 % |  | 10 |\n");
  }

  @Test
  void aSnapshotIsReadAsItWasWritten() throws JsonProcessingException {
    var json = new ObjectMapper();

    assertThat(json.readValue(json.writeValueAsString(BEFORE), Snapshot.class)).isEqualTo(BEFORE);
  }

  /** Ten Gets, with one hit, and one byte on the heap for four from the pool. */
  private static Measurement measured(String scenario, String server, long handlerBytes) {
    var after =
        new Snapshot(
            110,
            new AllocatedBytes(1000 + handlerBytes, 500 + 1024, 70 + 512),
            10,
            20,
            31,
            43,
            51,
            64);
    return new Measurement(scenario, server, after.minus(BEFORE));
  }
}
