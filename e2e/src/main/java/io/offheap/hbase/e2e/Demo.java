package io.offheap.hbase.e2e;

import io.offheap.hbase.operator.cli.CommandLineTools;
import java.util.ArrayList;
import java.util.List;

/** Goes the {@link DemoWay} and prints what came out; exits 1 when any of it is not as promised. */
public final class Demo {
  /** Index and bloom blocks are read into the heap, and little else. */
  static final double LARGEST_HEAP_SHARE = 0.01;

  private static final int ROWS = 100_000;

  private Demo() {}

  /** Runs the demo on the cluster that is up. */
  public static void main(String[] args) {
    var report = new DemoWay(Shell.ofCluster(), ROWS, System.out).run();
    System.out.println();
    CommandLineTools.run("plan", DemoWay.RESOURCE);
    print(report);
    var failures = failures(report);
    failures.forEach(failure -> System.out.println("NOT SO: " + failure));
    System.out.println(
        """

        Inspect it:
          eval "$(e2e/cluster/cluster env)"
          kubectl get hbc demo
          kubectl describe hbc demo
          kubectl exec demo-regionserver-0 -- cat /etc/hbase/conf/hbase-site.xml
          kubectl edit hbc demo          # another heap or offHeap: servers restart one by one
        Take it down:
          make down
        """);
    System.exit(failures.isEmpty() ? 0 : 1);
  }

  private static void print(DemoWay.Report report) {
    var pod = "";
    for (Comparison row : report.comparisons()) {
      if (!row.pod().equals(pod)) {
        pod = row.pod();
        System.out.printf("%n%s: planned and running%n", pod);
      }
      System.out.println(row);
    }
    var bytes = report.duringReads();
    System.out.printf("%nwritten  %s%nread     %s%n", report.written(), report.read());
    System.out.printf(
        "allocated during the reads: pool %,d bytes, heap %,d bytes, heap share %.4f %%%n",
        bytes.pool(), bytes.heap(), 100 * bytes.heapShare());
    System.out.printf("first put %d s after kubectl apply%n", report.firstPut().toSeconds());
  }

  static List<String> failures(DemoWay.Report report) {
    var failures = new ArrayList<String>();
    report.comparisons().stream()
        .filter(row -> !row.isEqual())
        .forEach(
            row ->
                failures.add(
                    row.pod()
                        + " runs with "
                        + row.key()
                        + " "
                        + row.running()
                        + ", planned was "
                        + row.planned()));
    if (!report.plan().hash().equals(report.appliedPlanHash())) {
      failures.add(
          "the applied plan is "
              + report.appliedPlanHash()
              + ", planned was "
              + report.plan().hash());
    }
    if (report.read().path("wrong").asInt(-1) != 0
        || report.read().path("missing").asInt(-1) != 0) {
      failures.add("rows were wrong or missing: " + report.read());
    }
    var bytes = report.duringReads();
    if (bytes.pool() == 0) {
      failures.add("no block was read through the allocator's pool");
    }
    if (bytes.heapShare() > LARGEST_HEAP_SHARE) {
      failures.add("the heap's share of allocated bytes is over " + LARGEST_HEAP_SHARE);
    }
    return failures;
  }
}
