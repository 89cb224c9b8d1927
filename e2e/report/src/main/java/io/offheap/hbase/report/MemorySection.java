package io.offheap.hbase.report;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** The section of planned and resident memory. */
final class MemorySection {
  private static final double TOLERANCE = 1.03;
  private static final double MIB = 1 << 20;
  private static final double LEAST_PERCENT = 0.1;

  private MemorySection() {}

  /**
   * The section; empty without shapes.
   *
   * @param results folder with what was measured
   */
  static String text(List<MemoryShape> shapes, Path results) throws IOException {
    if (shapes.isEmpty()) {
      return "";
    }
    var text =
        new StringBuilder(
            """

            ## Memory, planned and resident

            Goal, written down before: the container's planned memory, without what is left of the reserve, is within %.0f %% of the most that was resident, and the plan is never below it. The goal is of the container, whose limit ends a server; a part that is over its own plan is marked, and takes from what is left of the others. Each shape has as much memory off the heap as on it.

            | Shape | Planned, MiB | In use, MiB | Resident, MiB | In use / resident | Goal | Machine, commit |
            | --- | ---: | ---: | ---: | ---: | --- | --- |
            """
                .formatted(100 * (TOLERANCE - 1)));
    for (MemoryShape shape : shapes) {
      var present = Store.read(results, shape.name(), MemoryResult.class);
      text.append(
          "| `%s`: %s, heap %s%s |"
              .formatted(
                  shape.name(),
                  shape.mode(),
                  shape.size(),
                  present.isPresent() && isStale(shape, present.get(), results)
                      ? ", **stale**"
                      : ""));
      text.append(present.map(MemorySection::row).orElse(" | | | | not measured yet | |\n"));
    }
    for (MemoryShape shape : shapes) {
      var present = Store.read(results, shape.name(), MemoryResult.class);
      if (present.isPresent()) {
        text.append(parts(present.get()));
        if (shape.note() != null) {
          text.append("\n%s\n".formatted(shape.note()));
        }
      }
    }
    return text.toString();
  }

  private static boolean isStale(MemoryShape shape, MemoryResult present, Path results)
      throws IOException {
    var now = Inputs.read(results);
    return now.isPresent() && !MemoryBench.key(shape, now.get().files()).equals(present.inputs());
  }

  private static String row(MemoryResult result) {
    var container = result.memory().container();
    return " %s | %s | %s | %s | %s | %d cores, %s |\n"
        .formatted(
            mib(container.predicted()),
            mib(result.plannedInUse()),
            mib(container.measured()),
            String.format(Locale.ROOT, "%.3f", result.ratio()),
            result.holds(TOLERANCE) ? "met" : "**missed**",
            result.machine().cores(),
            result.commit());
  }

  private static String parts(MemoryResult result) {
    var text =
        new StringBuilder(
            """

            | Part of `%s` | Planned, MiB | Resident, MiB |
            | --- | ---: | ---: |
            """
                .formatted(result.shape()));
    result
        .memory()
        .parts()
        .forEach(
            part ->
                text.append(
                    "| %s | %s | %s |\n"
                        .formatted(
                            part.item(),
                            mib(part.predicted()),
                            mib(part.measured()) + over(part))));
    return text.toString();
  }

  private static String over(MemoryResult.Part part) {
    double percent = 100.0 * (part.measured() - part.predicted()) / part.predicted();
    return percent < LEAST_PERCENT ? "" : String.format(Locale.ROOT, ", **%.1f %% over**", percent);
  }

  private static String mib(long bytes) {
    return String.format(Locale.ROOT, "%,.1f", bytes / MIB);
  }
}
