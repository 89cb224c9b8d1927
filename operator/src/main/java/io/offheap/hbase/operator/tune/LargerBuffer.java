package io.offheap.hbase.operator.tune;

import static io.offheap.hbase.operator.tune.RuleResults.line;

import io.offheap.hbase.operator.plan.TunedKey;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/** Enlarges the buffers, so that a block that took several fits one; the pool keeps its bytes. */
abstract class LargerBuffer implements Rule {
  @Override
  public final boolean isSymptomFelt() {
    return true;
  }

  /**
   * Share of the pool's buffers that went to blocks of several buffers. A lower bound: each such
   * block took two or more.
   */
  @Override
  public final OptionalDouble symptom(Evidence evidence) {
    long bufferBytes = evidence.planned(TunedKey.BUFFER_SIZE);
    return evidence.worst(
        server -> {
          var multi = server.delta(Metric.ALLOCATOR_MULTI_BUFFER_COUNT);
          var pool = server.delta(Metric.ALLOCATOR_POOL_BYTES);
          return multi.isEmpty() || pool.isEmpty() || pool.getAsDouble() == 0
              ? OptionalDouble.empty()
              : OptionalDouble.of(
                  Math.min(1, 2 * multi.getAsDouble() * bufferBytes / pool.getAsDouble()));
        });
  }

  @Override
  public final boolean isOneStep() {
    return true;
  }

  @Override
  public final RuleResult evaluate(Evidence evidence) {
    return RuleResults.declared(name(), evidence, TunedKey.BUFFER_SIZE)
        .orElseGet(() -> evaluateBlocks(evidence));
  }

  /** The result where the buffer's size is not declared. */
  abstract RuleResult evaluateBlocks(Evidence evidence);

  final RuleResult propose(Evidence evidence, long bufferBytes, String why) {
    var values = new EnumMap<>(Map.of(TunedKey.BUFFER_SIZE, bufferBytes));
    long before = evidence.planned(TunedKey.BUFFER_SIZE);
    long count = evidence.planned(TunedKey.BUFFER_COUNT);
    long less = Math.max(1, count * before / bufferBytes);
    var text = line("buffers of %d in place of %d bytes", bufferBytes, before);
    // A declared pool size is divided by the new buffer size.
    if (!evidence.isDeclared(TunedKey.BUFFER_COUNT)) {
      values.put(TunedKey.BUFFER_COUNT, less);
      text += line(", and floor(%d x %d / %d) = %d of them", count, before, bufferBytes, less);
    }
    return RuleResults.propose(name(), evidence, values, text, List.of(why));
  }
}
