package io.offheap.hbase.e2e.measure;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.offheap.hbase.e2e.measure.CaseReport.Part;
import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Prints the reports that {@link Measurement} wrote; exits 1 when a plan does not hold. */
final class Verdict {
  private static final double MIB = 1 << 20;

  private Verdict() {}

  /** Arguments: the reports' files. */
  public static void main(String[] args) throws IOException {
    var json = new ObjectMapper().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);
    var reports = new ArrayList<CaseReport>();
    for (String file : args) {
      reports.add(json.readValue(new File(file), CaseReport.class));
    }
    System.out.print(markdown(reports));
    System.exit(reports.stream().allMatch(CaseReport::holds) ? 0 : 1);
  }

  private static String markdown(List<CaseReport> reports) {
    var text = new StringBuilder();
    text.append(
        "| Case | Container, MiB | Without reserve left, MiB | Resident, MiB | Ratio | |\n");
    text.append("| --- | ---: | ---: | ---: | ---: | --- |\n");
    for (CaseReport report : reports) {
      text.append(
          "| %s | %.1f | %.1f | %.1f | %.3f | %s |%n"
              .formatted(
                  report.name(),
                  report.container().predicted() / MIB,
                  report.predictedInUse() / MIB,
                  report.container().measured() / MIB,
                  report.ratio(),
                  report.holds() ? "holds" : "DOES NOT HOLD"));
    }
    reports.forEach(report -> append(text, report));
    return text.toString();
  }

  private static void append(StringBuilder text, CaseReport report) {
    text.append("\n### %s%n%n".formatted(report.name()));
    text.append(
        "| Part | Predicted, MiB | Measured, MiB | Ratio |\n| --- | ---: | ---: | ---: |\n");
    report.parts().forEach(part -> text.append(row(part, MIB)));
    text.append(row(report.container(), MIB));
    text.append(row(report.survivors(), MIB));
    text.append(row(report.ihop(), MIB));
    text.append(row(report.poolBuffers(), 1));
    text.append("\nThe last part: ");
    report
        .natives()
        .forEach((name, bytes) -> text.append("%s %.1f, ".formatted(name, bytes / MIB)));
    text.append("\nPauses: ").append(report.pauses()).append('\n');
  }

  private static String row(Part part, double unit) {
    return "| %s | %.1f | %.1f | %s |%n"
        .formatted(
            part.item(),
            part.predicted() / unit,
            part.measured() / unit,
            part.measured() == 0 ? "" : "%.3f".formatted(part.ratio()));
  }
}
