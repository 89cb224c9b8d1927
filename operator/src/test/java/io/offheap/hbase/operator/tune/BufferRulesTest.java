package io.offheap.hbase.operator.tune;

import static io.offheap.hbase.operator.tune.Group.GIB;
import static org.assertj.core.api.Assertions.assertThat;

import io.offheap.hbase.operator.plan.Declared.CacheMode;
import io.offheap.hbase.operator.plan.TableBlocks;
import io.offheap.hbase.operator.plan.TunedKey;
import io.offheap.hbase.operator.tune.RuleResult.Proposal;
import io.offheap.hbase.operator.tune.RuleResult.Reason;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BufferRulesTest {
  private final Rule block = new BufferSmallerThanBlock();
  private final Rule meta = new MetaBlocksSpill();

  private static Group reading(Group group, double multi) {
    return group.server(
        it -> it.with(Metric.ALLOCATOR_MULTI_BUFFER_COUNT, 0).with(Metric.ALLOCATOR_POOL_BYTES, 0),
        it ->
            it.with(Metric.ALLOCATOR_MULTI_BUFFER_COUNT, multi)
                .with(Metric.ALLOCATOR_POOL_BYTES, GIB));
  }

  private static Group largeBlocks() {
    return Group.talk().table(new TableBlocks("wide:f", 131072, 0, 0, 1000));
  }

  @Test
  void proposesLargerBufferWithSamePoolSize() {
    var proposal = (Proposal) block.evaluate(reading(largeBlocks(), 1000).evidence());

    // 66 + 131071 + 1000 + 4 x 9 = 132173 bytes; 1860 x 66560 / 133120
    assertThat(proposal.texts())
        .isEqualTo(
            Map.of(
                "hbase.server.allocator.buffer.size", "133120",
                "hbase.server.allocator.max.buffer.count", "930"));
  }

  @Test
  void proposesNothingWithoutReadsOfLargerBlock() {
    assertNoChange(
        block, reading(largeBlocks(), 1), Reason.WITHIN_LIMITS, "almost no such block is read");
    assertNoChange(block, largeBlocks(), Reason.NO_EVIDENCE, "no metrics show");
  }

  @Test
  void proposesNothingWhereBlocksFit() {
    var group = Group.talk().table(new TableBlocks("narrow:f", 65536, 0, 0, 100));

    assertNoChange(
        block, reading(group, 1000), Reason.WITHIN_LIMITS, "holds a block of every live table");
  }

  @Test
  void proposesNothingForDeclaredBuffer() {
    var group = reading(largeBlocks(), 1000).declared(TunedKey.BUFFER_SIZE);

    assertNoChange(block, group, Reason.DECLARED, "buffer.size is declared");
    assertNoChange(meta, group, Reason.DECLARED, "buffer.size is declared");
  }

  @Test
  void proposesBufferForIndexBlockWithoutBlockCache() {
    var group = Group.talk().mode(CacheMode.DISABLED).tuned(TunedKey.BUFFER_SIZE, 66560);
    var proposal = (Proposal) meta.evaluate(group.evidence());

    assertThat(proposal.texts()).containsEntry("hbase.server.allocator.buffer.size", "133120");
    assertNoChange(
        meta,
        Group.talk().mode(CacheMode.DISABLED),
        Reason.WITHIN_LIMITS,
        "a buffer of 133120 bytes");
  }

  @Test
  void proposesNothingForIndexBlockWithBlockCache() {
    assertNoChange(meta, Group.talk(), Reason.WITHIN_LIMITS, "cached on the heap");
  }

  private static void assertNoChange(Rule rule, Group group, Reason reason, String text) {
    assertThat(rule.evaluate(group.evidence()))
        .isInstanceOfSatisfying(
            RuleResult.NoChange.class,
            it -> {
              assertThat(it.reason()).isEqualTo(reason);
              assertThat(it.text()).contains(text);
            });
  }
}
