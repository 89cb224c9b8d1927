package io.offheap.hbase.operator.cli;

import io.offheap.hbase.operator.declare.Declarations;
import io.offheap.hbase.operator.plan.MemoryPlan;
import io.offheap.hbase.operator.plan.PlanResult;
import java.nio.file.Path;

/** The resources whose plans are known beforehand, from the seeds and from HBase's own code. */
final class Vectors {
  static final Path FOLDER = Path.of("src", "test", "resources", "plans");

  private Vectors() {}

  static MemoryPlan plan(String vector) throws ClusterFile.InvalidException {
    var result = Declarations.plan(ClusterFile.read(FOLDER.resolve(vector + ".yaml").toString()));
    if (result instanceof PlanResult.Planned planned) {
      return planned.plan();
    }
    throw new AssertionError(result);
  }
}
