package io.offheap.hbase.e2e;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.declare.Plans;
import io.offheap.hbase.operator.plan.MemoryPlan;
import io.offheap.hbase.operator.plan.PlanResult;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * From {@code kubectl apply} to data that was written and read back:
 *
 * <ol>
 *   <li>{@code examples/demo.yaml} is applied, and a client pod beside it;
 *   <li>the cluster's conditions are shown until it is ready, and a first row is put;
 *   <li>rows are written and flushed, and read back with every byte compared;
 *   <li>each region server's own options and configuration are set against the plan;
 *   <li>the heap's share of the bytes that the allocator handed out during the reads is computed.
 * </ol>
 */
public final class DemoWay {
  static final String RESOURCE = "examples/demo.yaml";
  private static final String TABLE = "demo";
  private static final String CLIENT = "examples/client.yaml";
  private static final Duration READY_WITHIN = Duration.ofMinutes(10);
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Kubectl kubectl;
  private final int rows;
  private final PrintStream out;

  /**
   * On a cluster with the operator.
   *
   * @param rows how many are written and read
   * @param out what happens, a line each
   */
  DemoWay(Shell shell, int rows, PrintStream out) {
    this.kubectl = new Kubectl(shell, "default");
    this.rows = rows;
    this.out = out;
  }

  /**
   * What came out.
   *
   * @param plan the plan of the resource, computed here
   * @param appliedPlanHash the hash in the resource's status
   * @param firstPut time from {@code kubectl apply} to the end of the first put
   * @param written the client's report of the writes
   * @param read the client's report of the reads
   * @param comparisons planned and running values of every region server
   * @param duringReads what the allocators handed out while the rows were read
   */
  public record Report(
      MemoryPlan plan,
      String appliedPlanHash,
      Duration firstPut,
      JsonNode written,
      JsonNode read,
      List<Comparison> comparisons,
      RegionServerPod.AllocatedBytes duringReads) {}

  Report run() {
    long started = System.nanoTime();
    apply();
    awaitReady();
    verify("write", 1, "demo_first_put");
    var firstPut = since(started);
    out.printf("first put %d s after kubectl apply%n", firstPut.toSeconds());
    var plan = plan();
    var servers = regionServers();
    out.printf("writing %,d rows of 1,000 bytes%n", rows);
    var written = verify("write", rows, TABLE);
    flush();
    var before = allocated(servers);
    out.printf("reading them back%n");
    var read = verify("read", rows, TABLE);
    var duringReads = allocated(servers).minus(before);
    out.printf("allocated during the reads: %s%n", duringReads);
    var comparisons =
        servers.stream().flatMap(server -> Comparison.of(plan, server).stream()).toList();
    return new Report(
        plan,
        kubectl.jsonPath("hbc/demo", "{.status.memoryPlan.hash}"),
        firstPut,
        written,
        read,
        comparisons,
        duringReads);
  }

  /**
   * Writes the rows to files. Reads of the memstore take nothing from the allocator, and whether
   * they fill one is a matter of time: the heap's share would be that of the few small requests.
   */
  private void flush() {
    kubectl.output(
        "exec", "demo-master-0", "--", "entrypoint", "admin", "regions", "flush", "--table", TABLE);
  }

  void apply() {
    out.println("kubectl apply -f " + RESOURCE);
    kubectl.output("apply", "-f", RESOURCE);
    kubectl.output("apply", "-f", CLIENT);
  }

  /** Shows the cluster's conditions whenever they change, until it is ready. */
  void awaitReady() {
    long started = System.nanoTime();
    var last = "";
    while (since(started).compareTo(READY_WITHIN) < 0) {
      var now = kubectl.condition("demo", "Ready");
      if (!now.equals(last)) {
        out.printf("%4d s  %s%n", since(started).toSeconds(), now);
        last = now;
      }
      if (now.startsWith("True")) {
        kubectl.output("wait", "--for=condition=Ready", "pod/demo-client", "--timeout=120s");
        return;
      }
      pause();
    }
    kubectl.show("get", "pods", "-o", "wide");
    throw new IllegalStateException("not ready within " + READY_WITHIN + ": " + last);
  }

  /** Runs the verifier in the client pod and returns its report. */
  JsonNode verify(String what, int rows, String table) {
    return verify(kubectl, what, rows, table);
  }

  /** The same in another namespace, whose client pod has the same name. */
  static JsonNode verify(Kubectl kubectl, String what, int rows, String table) {
    var output =
        kubectl.output(
            "exec",
            "demo-client",
            "--",
            "loadgen",
            "verify",
            what,
            "--rows",
            Integer.toString(rows),
            "--table",
            table,
            "--keep");
    var report = output.strip();
    try {
      return JSON.readTree(report.substring(report.lastIndexOf('\n') + 1));
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(output, e);
    }
  }

  List<RegionServerPod> regionServers() {
    return IntStream.range(0, resource().getSpec().regionServers().replicas())
        .mapToObj(ordinal -> new RegionServerPod(kubectl, "demo-regionserver-" + ordinal))
        .toList();
  }

  private HBaseCluster resource() {
    return Serialization.unmarshal(kubectl.shell().output("cat", RESOURCE), HBaseCluster.class);
  }

  MemoryPlan plan() {
    var result = new Plans().ofDefaultGroup(resource());
    if (result instanceof PlanResult.Planned planned) {
      return planned.plan();
    }
    throw new IllegalStateException(result.toString());
  }

  private static RegionServerPod.AllocatedBytes allocated(List<RegionServerPod> servers) {
    return servers.stream()
        .map(RegionServerPod::allocated)
        .reduce(new RegionServerPod.AllocatedBytes(0, 0), RegionServerPod.AllocatedBytes::plus);
  }

  private static Duration since(long nanoTime) {
    return Duration.ofNanos(System.nanoTime() - nanoTime);
  }

  private static void pause() {
    try {
      TimeUnit.SECONDS.sleep(1);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }
}
