package io.offheap.hbase.operator.benchmark;

import io.fabric8.kubernetes.client.utils.Serialization;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.declare.Plans;
import io.offheap.hbase.operator.plan.PlanResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** How long a plan takes, from the resource to the plan or to its refusal. Must be under 100 us. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(3)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class PlanBenchmark {
  private static final Path RESOURCES = Path.of("src", "test", "resources");

  /** The smallest resource, one with every field, one with tuned options, and one refused. */
  @Param({
    "plans/defaults",
    "plans/xiaomi-test-after-tuning",
    "plans/hbase-21879-case-1",
    "valid/everything-declared",
    "invalid/container-limit-below-the-sum"
  })
  public String resource;

  private HBaseCluster cluster;

  /** Reads the resource; the operator has it from its informer. */
  @Setup
  public void read() throws IOException {
    var yaml = Files.readString(RESOURCES.resolve(resource + ".yaml"));
    cluster = Serialization.unmarshal(yaml, HBaseCluster.class);
  }

  /** A plan as each pass of the operator derives it. */
  @Benchmark
  public PlanResult plan() {
    return new Plans().ofDefaultGroup(cluster);
  }
}
