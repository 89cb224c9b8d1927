package io.offheap.hbase.operator.tune;

import static io.offheap.hbase.operator.tune.Group.GIB;
import static io.offheap.hbase.operator.tune.Group.MIB;
import static io.offheap.hbase.operator.tune.Group.metrics;
import static org.assertj.core.api.Assertions.assertThat;

import io.offheap.hbase.operator.plan.TunedKey;
import io.offheap.hbase.operator.tune.Group.Metrics;
import io.offheap.hbase.operator.tune.RuleResult.Proposal;
import io.offheap.hbase.operator.tune.RuleResult.Reason;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PoolTooSmallTest {
  private static final double SECONDS = Group.WINDOW.toSeconds();
  private static final int BUFFER = 66560;

  private final PoolTooSmall rule = new PoolTooSmall();

  /** A server with this traffic in MiB a second; each miss is of a whole buffer. */
  private static Group group(double missed, double pool) {
    return withTraffic(Group.talk(), missed, pool, 1860);
  }

  private static Group withTraffic(Group group, double missed, double pool, double created) {
    return group.server(
        it -> allocator(it, 0, 0, created),
        it -> allocator(it, missed * MIB * SECONDS, pool * MIB * SECONDS, created));
  }

  private static Metrics allocator(Metrics it, double heap, double pool, double created) {
    return it.with(Metric.ALLOCATOR_HEAP_BYTES, heap)
        .with(Metric.ALLOCATOR_POOL_BYTES, pool)
        .with(Metric.ALLOCATOR_POOL_EMPTY_COUNT, heap / BUFFER)
        .with(Metric.ALLOCATOR_CREATED_BUFFERS, created)
        .with(Metric.ALLOCATOR_TOTAL_BUFFERS, 1860);
  }

  @ParameterizedTest(name = "{0} MiB/s missed, {1} from the pool: {2} buffers")
  @CsvSource({
    // a third missed: 1860 x 1.5 x 1.2
    "50, 100, 3348",
    // 1860 x 2 x 1.2
    "100, 100, 4464",
    // 1860 x 6 x 1.2
    "50, 10, 13392",
  })
  void proposesCountForAllMissesAndFifthMore(double missed, double pool, String count) {
    assertThat(rule.evaluate(group(missed, pool).evidence()))
        .isInstanceOfSatisfying(
            Proposal.class, it -> assertThat(it.texts()).containsExactly(entry(count)));
  }

  private static Map.Entry<String, String> entry(String count) {
    return Map.entry("hbase.server.allocator.max.buffer.count", count);
  }

  @Test
  void proposalHasFormulaAndMetrics() {
    var proposal = (Proposal) rule.evaluate(group(50, 100).evidence());

    assertThat(proposal.text())
        .isEqualTo("1860 buffers x (50.00 + 100.00) / 100.00 MiB/s x 1.2 = 3348");
    assertThat(proposal.evidence())
        .containsExactly(
            "demo-rs-0: 33.33 % of the allocated bytes missed the pool; at most 16.67 % is"
                + " permitted",
            "all 1860 buffers are created",
            "787.7 requests a second found the pool empty",
            "window of 900 s");
  }

  /** With few buffers, the peak is far over the mean. */
  @Test
  void proposesAtLeastDerivedCount() {
    var group =
        Group.talk()
            .tuned(TunedKey.BUFFER_COUNT, 18)
            .server(
                it -> allocator(it, 0, 0, 18).with(Metric.ALLOCATOR_TOTAL_BUFFERS, 18),
                it ->
                    allocator(it, 50 * MIB * SECONDS, 10 * MIB * SECONDS, 18)
                        .with(Metric.ALLOCATOR_TOTAL_BUFFERS, 18));

    var proposal = (Proposal) rule.evaluate(group.evidence());

    assertThat(proposal.texts()).containsExactly(entry("1860"));
    assertThat(proposal.text())
        .isEqualTo(
            "18 buffers x (50.00 + 10.00) / 10.00 MiB/s x 1.2 = 130; at least the derived 1860");
  }

  @Test
  void permitsHeapShareUpToMinimalAllocateSize() {
    assertNoChange(group(16.6, 83.4), Reason.WITHIN_LIMITS, "16.60 %");
    assertThat(rule.evaluate(group(16.7, 83.3).evidence())).isInstanceOf(Proposal.class);
  }

  @Test
  void doesNotCountSmallRequestsAsMisses() {
    var group =
        Group.talk()
            .server(
                it -> allocator(it, 0, 0, 1860),
                it ->
                    allocator(it, 100 * MIB * SECONDS, 100 * MIB * SECONDS, 1860)
                        .with(Metric.ALLOCATOR_POOL_EMPTY_COUNT, 10));

    assertNoChange(group, Reason.WITHIN_LIMITS, "0.00 %");
  }

  @Test
  void proposesNothingWhilePoolCanCreateBuffers() {
    assertNoChange(
        withTraffic(Group.talk(), 50, 100, 1700), Reason.WITHIN_LIMITS, "1700 of 1860 buffers");
  }

  @Test
  void proposesNothingForDeclaredCount() {
    assertNoChange(
        group(50, 100).declared(TunedKey.BUFFER_COUNT),
        Reason.DECLARED,
        "max.buffer.count is declared");
  }

  @Test
  void proposesNothingWithoutMetrics() {
    assertNoChange(Group.talk(), Reason.NO_EVIDENCE, "");
    assertNoChange(
        Group.talk()
            .server(
                it -> it.with(Metric.ALLOCATOR_HEAP_BYTES, 0),
                it -> it.with(Metric.ALLOCATOR_HEAP_BYTES, GIB)),
        Reason.NO_EVIDENCE,
        "");
  }

  @Test
  void textStatesMemoryOfCacheBeyondBudget() {
    var proposal = (Proposal) rule.evaluate(group(99, 5).evidence());

    // 1860 x 20.8 x 1.2 = 46426 buffers of 65 KiB; the rest of the budget holds 18,000
    var count = Integer.parseInt(proposal.texts().get("hbase.server.allocator.max.buffer.count"));
    assertThat(count).isBetween(15_000, 20_000);
    assertThat(proposal.text())
        .contains(
            "= 46426; the off-heap budget ends at " + count + ": the others would take ",
            " MiB from the bucket cache, which the resource does not allow");
  }

  @Test
  void takesMemoryOfCacheWherePermitted() {
    var proposal = (Proposal) rule.evaluate(group(99, 5).mayShrinkCache().evidence());

    assertThat(proposal.texts()).containsExactly(entry("46426"));
    assertThat(proposal.evidence())
        .last()
        .asString()
        .matches("takes \\d+ MiB from the bucket cache");
  }

  @Test
  void keepsHalfOfCache() {
    var group = group(990, 5).mayShrinkCache();
    var before = group.evidence().cacheBytes();
    var proposal = (Proposal) rule.evaluate(group.evidence());

    assertThat(group.evidence().effect(proposal.values()).cacheBytes())
        .isBetween(before / 2, before / 2 + 8 * (long) MIB);
    assertThat(proposal.text()).contains("half of the bucket cache stays");
  }

  @Test
  void hasNoRoomWhereWholeBudgetIsDeclared() {
    // 30 GiB less the pool's 118 MiB and the reserve of 1920 MiB
    var group = group(50, 100).bucketCache(28680 * (long) MIB);

    assertNoChange(group, Reason.NO_ROOM, "the off-heap budget ends at 18");
  }

  @Test
  void suspectsLeakWhereBuffersStayInUseAsTrafficFalls() {
    var busy = 100 * MIB * 300;
    var readings =
        List.of(
            inUse(metrics(), 0, 1860),
            inUse(metrics(), busy, 1860),
            inUse(metrics(), busy * 1.01, 1850));

    assertNoChange(
        Group.talk().server(readings),
        Reason.SUSPECTED,
        "at least 1850 of 1860 buffers stayed in use while traffic fell");
  }

  @Test
  void suspectsNoLeakWhereBuffersReturnAsTrafficFalls() {
    var busy = 100 * MIB * 300;
    var readings =
        List.of(
            inUse(metrics(), 0, 1860),
            inUse(metrics(), busy, 1860),
            inUse(metrics(), busy * 1.01, 40));

    assertThat(rule.evaluate(Group.talk().server(readings).evidence()))
        .isInstanceOf(Proposal.class);
  }

  private static Metrics inUse(Metrics it, double bytes, double buffers) {
    return allocator(it, bytes, bytes, 1860).with(Metric.ALLOCATOR_BUFFERS_IN_USE, buffers);
  }

  @Test
  void suspectsLeakWhereNoBufferReturns() {
    assertNoChange(group(50, 0), Reason.SUSPECTED, "not one of 1860 buffers was returned in 900 s");
  }

  private void assertNoChange(Group group, Reason reason, String text) {
    assertThat(rule.evaluate(group.evidence()))
        .isInstanceOfSatisfying(
            RuleResult.NoChange.class,
            it -> {
              assertThat(it.reason()).isEqualTo(reason);
              assertThat(it.text()).contains(text);
            });
  }
}
