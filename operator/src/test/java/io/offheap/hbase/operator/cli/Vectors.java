package io.offheap.hbase.operator.cli;

import io.offheap.hbase.operator.plan.MemoryPlan;
import java.nio.file.Path;

/** Resources whose plans follow from publications and from HBase's code. */
final class Vectors {
  static final Path FOLDER = Path.of("src", "test", "resources", "plans");

  private Vectors() {}

  static MemoryPlan plan(String vector) throws RefusedException {
    return ClusterFile.read(file(vector)).plan();
  }

  static String file(String vector) {
    return FOLDER.resolve(vector + ".yaml").toString();
  }
}
