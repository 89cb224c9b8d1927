package io.offheap.hbase.operator.tune;

import java.util.OptionalDouble;

/**
 * What a change is compared by; each figure where it is known.
 *
 * @param symptom what the rule wants lower: a share, 0 to 1
 * @param peers the same of servers that run without the change
 * @param traffic bytes a second that the allocators gave out, of a server on average
 * @param pauses share of the time in collections, of the worst server
 */
public record Baseline(
    OptionalDouble symptom, OptionalDouble peers, OptionalDouble traffic, OptionalDouble pauses) {
  static Baseline of(RuleName name, Evidence evidence) {
    var rule = Rules.of(name);
    var traffic =
        evidence.servers().stream()
            .mapToDouble(
                it ->
                    it.perSecond(Metric.ALLOCATOR_POOL_BYTES).orElse(0)
                        + it.perSecond(Metric.ALLOCATOR_HEAP_BYTES).orElse(0))
            .filter(it -> it > 0)
            .average();
    return new Baseline(
        rule.symptom(evidence),
        rule.symptom(evidence.ofPeers()),
        traffic,
        evidence.worst(Pauses::share));
  }
}
