package io.offheap.hbase.operator.cli;

import io.offheap.hbase.operator.api.BlockCacheSpec;
import io.offheap.hbase.operator.declare.GroupPlan;
import io.offheap.hbase.operator.declare.Plans;
import io.offheap.hbase.operator.declare.Quantities;
import io.offheap.hbase.operator.plan.CacheModeRule.Load;
import io.offheap.hbase.operator.plan.CachedData;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import picocli.CommandLine.Option;

/** What is read of a region server, by which its mode of the block cache is judged. */
final class LoadOptions {
  private static final Pattern RATIO = Pattern.compile("\\d{0,9}\\.?\\d{1,18}");

  @Option(
      names = "--working-set",
      paramLabel = "SIZE",
      description =
          "Data blocks of one region server that are read again and again, such as 40Gi: names"
              + " the mode of the block cache that suits them. For plan, memory.workingSet of the"
              + " resource where left out.")
  private String workingSet;

  @Option(
      names = "--hit-ratio",
      paramLabel = "SHARE",
      description =
          "Share of the reads of data blocks that the cache finds, such as 0.8: names the mode"
              + " of the block cache that suits the load.")
  private String hitRatio;

  /**
   * What the options say.
   *
   * @throws RefusedException if a value is invalid
   */
  Load parse() throws RefusedException {
    return new Load(
        workingSet == null ? OptionalLong.empty() : OptionalLong.of(workingSetBytes()), ratio());
  }

  /**
   * The advice for a group; empty where neither option is there and the group declares no working
   * set.
   *
   * @throws RefusedException if a value is invalid
   */
  Optional<AdviceDocument> advice(GroupPlan plan) throws RefusedException {
    return advice(plan, Optional.empty());
  }

  /**
   * The same of a cache that is not the plan's.
   *
   * @throws RefusedException if a value is invalid
   */
  Optional<AdviceDocument> advice(GroupPlan plan, Optional<CachedData> cache)
      throws RefusedException {
    var load = parse();
    var spec = plan.group().spec();
    var declared = spec.memory() == null ? null : spec.memory().workingSet();
    if (load.workingSetBytes().isEmpty() && declared != null) {
      load = new Load(Quantities.bytes(declared), load.hitRatio());
    }
    if (load.equals(Load.UNKNOWN)) {
      return Optional.empty();
    }
    load = new Load(load.workingSetBytes(), load.hitRatio(), cache);
    var mode = spec.blockCache().mode();
    return new Plans()
        .advice(plan, load)
        .map(AdviceDocument::of)
        .or(() -> Optional.of(AdviceDocument.none(mode.name(), none(mode))));
  }

  private static String none(BlockCacheSpec.Mode mode) {
    return switch (mode) {
      case Disabled -> "no advice: mode Disabled was not measured";
      case MetaOnly ->
          "no advice: without cached data a hit ratio means nothing; give --working-set";
      default ->
          "no advice: the size of what is read does not follow from a hit ratio of 0; give"
              + " --working-set";
    };
  }

  private long workingSetBytes() throws RefusedException {
    var bytes = Quantities.bytes(workingSet);
    if (bytes.isEmpty() || bytes.getAsLong() <= 0) {
      throw new RefusedException(
          "--working-set",
          "--working-set",
          "'" + workingSet + "' must be a whole number of bytes over 0, for example 40Gi");
    }
    return bytes.getAsLong();
  }

  private OptionalDouble ratio() throws RefusedException {
    if (hitRatio == null) {
      return OptionalDouble.empty();
    }
    if (RATIO.matcher(hitRatio).matches()) {
      double ratio = Double.parseDouble(hitRatio);
      if (ratio <= 1) {
        return OptionalDouble.of(ratio);
      }
    }
    throw new RefusedException(
        "--hit-ratio", "--hit-ratio", "'" + hitRatio + "' must be from 0 to 1, for example 0.8");
  }
}
