package io.offheap.hbase.report;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/** Something that is measured in one go, within {@link RunPlan#MOST_MINUTES}. */
interface Job {
  /** For a person. */
  String title();

  /** Duration on two idle cores. */
  double minutes();

  /**
   * Measures, and keeps the results.
   *
   * @throws IOException if something could not be measured
   */
  void run() throws IOException, InterruptedException;

  /**
   * Carries out the units in turn. A unit that fails does not stop those after it: the whole takes
   * hours and runs unattended.
   *
   * @param out gets the progress
   * @throws IOException if any failed
   * @throws InterruptedException if a signal ended one; those after it are not carried out
   */
  static void runAll(List<Job> jobs, PrintStream out) throws IOException, InterruptedException {
    var failed = new ArrayList<String>();
    double left = jobs.stream().mapToDouble(Job::minutes).sum();
    for (int i = 0; i < jobs.size(); i++) {
      var job = jobs.get(i);
      out.printf(
          "==> run %d of %d: %s, about %.0f min; %s left of all%n",
          i + 1, jobs.size(), job.title(), job.minutes(), time(left));
      try {
        job.run();
      } catch (IOException e) {
        failed.add("%s: %s".formatted(job.title(), e.getMessage()));
        out.println("    failed: " + e.getMessage());
      }
      left -= job.minutes();
    }
    if (!failed.isEmpty()) {
      throw new IOException(
          "%d of %d runs failed; %s".formatted(failed.size(), jobs.size(), failed.get(0)));
    }
  }

  private static String time(double minutes) {
    long whole = Math.round(minutes);
    return "%d h %02d min".formatted(whole / 60, whole % 60);
  }
}
