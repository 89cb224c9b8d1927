package io.offheap.hbase.e2e.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.offheap.hbase.e2e.bench.AllocatedBytes.OfThread;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReportTest {
  private static final Snapshot BEFORE =
      new Snapshot(100, allocated(1000, 500, 70), 10, 20, 30, 40, 50, 60);

  private static AllocatedBytes allocated(long handler, long netty, long other) {
    return new AllocatedBytes(
        Map.of(
            1L, new OfThread("RpcServer.default.FPBQ.Fifo.handler=29", handler),
            2L, new OfThread("RS-EventLoopGroup-1-1", netty),
            3L, new OfThread("main", other)),
        3,
        0);
  }

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
            "{\"noCache\":{\"stock\":700,\"patched\":300},\"allHits\":{\"stock\":50},"
                + "\"process\":{\"noCache\":{\"stock\":854,\"patched\":454},"
                + "\"allHits\":{\"stock\":204}},\"runs\":2}");
  }

  @Test
  void aRowShowsWhatHappenedBetweenTheSnapshots() {
    var report = new Report(List.of(measured("halfHits", "stock", 10240)));

    assertThat(report.table())
        .endsWith("| halfHits | stock | 1.00 |  | 0.10 | 1.15 | 0 | 10.0 % | 20.0000 % | 10 |\n");
  }

  @Test
  void thereIsNoHeapShareWithoutBuffers() {
    var used = new Snapshot(10, allocated(10240, 0, 0), 0, 5, 10, 0, 0, 0);

    assertThat(new Report(List.of(new Measurement("allHits", "poolOff", used))).table())
        .endsWith("| allHits | poolOff | 1.00 |  | 0.00 | 1.00 | 0 | 100.0 % |  | 10 |\n");
  }

  @Test
  void onlyPatchedServersHaveLimits() {
    var report =
        new Report(
            List.of(
                measured("noCache", "stock", 90_000),
                measured("noCache", "patched", 3000),
                measured("noCache", "patched", 3002)));

    assertThat(report.above(limits(301, 454))).isEmpty();
  }

  @Test
  void aMeanAboveItsLimitIsNamed() {
    var report =
        new Report(
            List.of(measured("noCache", "patched", 3000), measured("noCache", "patched", 3010)));

    assertThat(report.above(limits(300, 455)))
        .containsExactly("noCache, patched: 301 bytes a Get by the handlers, limit 300");
    assertThat(report.above(limits(301, 453)))
        .containsExactly("noCache, patched: 454 bytes a Get by the process, limit 453");
  }

  @Test
  void aCaseWithoutALimitIsNotBelowIt() {
    var report = new Report(List.of(measured("allHits", "patched", 1)));

    assertThat(report.above(limits(1, 1)))
        .containsExactly("allHits: no limit for the bytes of its handlers");
  }

  private static Limits limits(long handlers, long process) {
    return new Limits(Map.of("noCache", Map.of("handlers", handlers, "process", process)));
  }

  @Test
  void theDocumentHasALimitForEveryCase() throws IOException {
    var limits = Limits.read(Path.of("..", "docs", "read-path.md"));

    assertThat(limits.bytes()).containsOnlyKeys("noCache", "halfHits", "allHits");
    assertThat(limits.bytes().values()).allSatisfy(of -> assertThat(of).containsKey("handlers"));
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
            110, allocated(1000 + handlerBytes, 500 + 1024, 70 + 512), 10, 20, 31, 43, 51, 64);
    return new Measurement(scenario, server, after.minus(BEFORE));
  }
}
