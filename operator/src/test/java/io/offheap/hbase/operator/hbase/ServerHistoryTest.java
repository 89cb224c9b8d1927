package io.offheap.hbase.operator.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.sun.management.ThreadMXBean;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.offheap.hbase.operator.tune.Metric;
import io.offheap.hbase.operator.tune.Reading;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.regionserver.MetricsRegionServerSource;
import org.junit.jupiter.api.Test;

class ServerHistoryTest {
  private static final ResourceID ID = new ResourceID("demo", "shop");
  private static final Instant START = Instant.parse("2026-01-01T12:00:00Z");
  private static final String SERVER = "demo-regionserver-0.x,16020,1";

  private final ServerHistory history = new ServerHistory();

  private void report(Duration after, ServerCounters counters) {
    report(ID, "rs-0", SERVER, after, counters);
  }

  private void report(
      ResourceID id, String pod, String server, Duration after, ServerCounters counters) {
    history.reported(id, pod, server, START.plus(after), counters);
  }

  private ServerHistory.Line line(Duration after) {
    return history.hour(ID, START.plus(after)).servers().get(0);
  }

  private static <T> T last(List<T> list) {
    return list.get(list.size() - 1);
  }

  @Test
  void sharesAreOfWhatWasAddedInASlot() {
    report(Duration.ZERO, new ServerCounters(1000, 1000, 50, 50, 0, 0, 7));
    report(Duration.ofSeconds(30), new ServerCounters(1010, 1090, 140, 60, 0, 0, 8));
    report(Duration.ofSeconds(40), new ServerCounters(1020, 1180, 230, 70, 0, 0, 9));

    var line = line(Duration.ofSeconds(45));

    assertThat(line.heapShare()).hasSize(ServerSlots.SLOTS);
    assertThat(last(line.heapShare())).isEqualTo(0.1);
    assertThat(last(line.hitRatio())).isEqualTo(0.9);
    assertThat(last(line.regions())).isEqualTo(9);
    assertThat(line.heapShare().get(ServerSlots.SLOTS - 2)).as("nothing to subtract from").isNull();
    assertThat(history.heapShare(ID, START.plusSeconds(45))).hasValue(0.1);
  }

  @Test
  void hitRatioIsOfTheLastProcess() {
    for (int minutes = 0; minutes <= 60; minutes++) {
      report(
          Duration.ofMinutes(minutes),
          new ServerCounters(0, 0, 0, 0, 900L * minutes, 100L * minutes, 7));
    }

    assertThat(history.hitRatio(ID, "rs-0", SERVER)).hasValue(0.9);
    assertThat(history.hitRatio(ID, "rs-0", "other,16020,2")).isEmpty();
    assertThat(history.hitRatio(ID, "rs-1", SERVER)).isEmpty();
    report(
        ID,
        "rs-0",
        "other,16020,2",
        Duration.ofMinutes(61),
        new ServerCounters(0, 0, 0, 0, 0, 0, 7));
    assertThat(history.hitRatio(ID, "rs-0", "other,16020,2")).isEmpty();
  }

  /** The names are HBase's. */
  @Test
  void countersAreThoseOfTheServersBean() {
    var bean =
        JsonNodeFactory.instance
            .objectNode()
            .put(MetricsRegionServerSource.REGION_COUNT, 7)
            .put("tag.serverName", SERVER)
            .put(MetricsRegionServerSource.BYTE_BUFF_ALLOCATOR_HEAP_ALLOCATION_BYTES, 1)
            .put(MetricsRegionServerSource.BYTE_BUFF_ALLOCATOR_POOL_ALLOCATION_BYTES, 2)
            .put(MetricsRegionServerSource.BLOCK_CACHE_HIT_COUNT, 3)
            .put(MetricsRegionServerSource.BLOCK_CACHE_MISS_COUNT, 4)
            .put(MetricsRegionServerSource.BLOCK_CACHE_DATA_HIT_COUNT, 5)
            .put(MetricsRegionServerSource.BLOCK_CACHE_DATA_MISS_COUNT, 6);

    var response = RegionServerReportSource.response("rs-0", bean);

    assertThat(response.orElseThrow().counters())
        .isEqualTo(new ServerCounters(1, 2, 3, 4, 5, 6, 7));
    assertThat(bean.fieldNames())
        .toIterable()
        .allMatch(RegionServerReportSource.ATTRIBUTES::contains);
  }

  @Test
  void aServerWithoutTrafficHasNoShare() {
    report(Duration.ZERO, new ServerCounters(1000, 1000, 5, 5, 0, 0, 7));
    report(Duration.ofSeconds(30), new ServerCounters(1000, 1000, 5, 5, 0, 0, 7));

    assertThat(last(line(Duration.ofSeconds(31)).heapShare())).isNull();
    assertThat(history.heapShare(ID, START.plusSeconds(31))).isEmpty();
  }

  @Test
  void anotherProcessBeginsAnew() {
    report(Duration.ZERO, new ServerCounters(1000, 1000, 5, 5, 0, 0, 7));
    report(
        ID,
        "rs-0",
        "other,16020,2",
        Duration.ofSeconds(30),
        new ServerCounters(5000, 5000, 9, 9, 0, 0, 0));
    report(
        ID,
        "rs-0",
        "other,16020,2",
        Duration.ofSeconds(60),
        new ServerCounters(5, 5, 1, 1, 0, 0, 0));

    assertThat(line(Duration.ofSeconds(61)).heapShare()).containsOnlyNulls();
  }

  @Test
  void pausesAreAShareOfTheTimeBetweenTwoReadings() {
    history.observed(ID, reading(START, 1_000_000));
    history.observed(ID, reading(START.plusSeconds(10), 1_500_000));

    assertThat(last(line(Duration.ofSeconds(11)).pauseShare())).isEqualTo(0.05, within(1e-9));
  }

  private static Reading reading(Instant at, double micros) {
    return new Reading("rs-0", SERVER, at, Map.of(Metric.GC_MIXED_PAUSE_MICROS, micros));
  }

  @Test
  void poolIsTheShareOfItsBuffersThatAreInUse() {
    var metrics = Map.of(Metric.ALLOCATOR_TOTAL_BUFFERS, 8.0, Metric.ALLOCATOR_BUFFERS_IN_USE, 2.0);
    history.observed(ID, new Reading("rs-0", SERVER, START, metrics));
    assertThat(last(line(Duration.ofSeconds(1)).pool())).isEqualTo(0.25);

    history.observed(ID, reading(START.plusSeconds(40), 0));
    assertThat(last(line(Duration.ofSeconds(41)).pool())).as("a server without a pool").isNull();
  }

  @Test
  void anHourIsKept() {
    report(Duration.ZERO, new ServerCounters(0, 0, 0, 0, 0, 0, 7));

    assertThat(history.hour(ID, START.plus(Duration.ofMinutes(59))).servers()).hasSize(1);
    assertThat(history.hour(ID, START.plus(Duration.ofMinutes(61))).servers()).isEmpty();
  }

  @Test
  void aClockThatIsSetBackBeginsAnew() {
    report(Duration.ofHours(2), new ServerCounters(0, 0, 0, 0, 0, 0, 7));
    report(Duration.ZERO, new ServerCounters(0, 0, 0, 0, 0, 0, 8));

    var regions = line(Duration.ofSeconds(1)).regions();
    assertThat(last(regions)).isEqualTo(8);
    assertThat(regions.subList(0, ServerSlots.SLOTS - 1)).containsOnlyNulls();
  }

  @Test
  void aLongSilenceIsAGap() {
    report(Duration.ZERO, new ServerCounters(0, 0, 0, 0, 0, 0, 7));
    report(Duration.ofMinutes(10), new ServerCounters(0, 0, 0, 0, 0, 0, 8));

    var regions = line(Duration.ofMinutes(10)).regions();
    assertThat(regions.get(ServerSlots.SLOTS - 21)).isEqualTo(7);
    assertThat(regions.subList(ServerSlots.SLOTS - 20, ServerSlots.SLOTS - 1)).containsOnlyNulls();
    assertThat(last(regions)).isEqualTo(8);
  }

  @Test
  void aDeletedClusterIsForgotten() {
    report(Duration.ZERO, new ServerCounters(0, 0, 0, 0, 0, 0, 7));

    history.forget(ID);

    assertThat(history.hour(ID, START).servers()).isEmpty();
  }

  @Test
  void aClusterHasItsBound() {
    for (int i = 0; i < 200; i++) {
      report(ID, "rs-" + i, SERVER, Duration.ZERO, new ServerCounters(0, 0, 0, 0, 0, 0, i));
    }

    assertThat(history.hour(ID, START).servers()).hasSize(ServerHistory.MOST_OF_A_CLUSTER);
  }

  @Test
  void allClustersTogetherHaveABoundAndTheMostSilentOneGoes() {
    int clusters = ServerHistory.MOST / ServerHistory.MOST_OF_A_CLUSTER;
    for (int i = 0; i <= clusters; i++) {
      fill(new ResourceID("c" + i, "shop"), ServerHistory.MOST_OF_A_CLUSTER, i * 30);
    }

    assertThat(serversOf("c0")).as("the most silent").isZero();
    assertThat(serversOf("c1")).isEqualTo(ServerHistory.MOST_OF_A_CLUSTER);
    assertThat(serversOf("c" + clusters)).isEqualTo(ServerHistory.MOST_OF_A_CLUSTER);
  }

  private int serversOf(String cluster) {
    return history
        .hour(new ResourceID(cluster, "shop"), START.plusSeconds(64 * 30))
        .servers()
        .size();
  }

  private void fill(ResourceID id, int servers, int seconds) {
    for (int i = 0; i < servers; i++) {
      report(
          id,
          "rs-" + i,
          SERVER,
          Duration.ofSeconds(seconds),
          new ServerCounters(0, 0, 0, 0, 0, 0, i));
    }
  }

  /** What a thread allocates for it is more than what stays. */
  @Test
  void twoHundredClustersOfThreeServersTakeLessThan20MiB() {
    var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    fill(new ResourceID("first", "shop"), 3, 0);
    long before = threads.getThreadAllocatedBytes(Thread.currentThread().getId());

    for (int i = 0; i < 200; i++) {
      fill(new ResourceID("c" + i, "shop"), 3, 0);
    }

    long allocated = threads.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;
    assertThat(allocated).isLessThan(4 << 20);
    assertThat(allocated / 600 * ServerHistory.MOST).as("the bound of all").isLessThan(20 << 20);
  }
}
