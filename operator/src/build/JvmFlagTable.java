import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Run by the build: writes the options that this JVM knows as a table, a line each, for the plan to
 * check declared options by. The image's JVM is of the same major version, or the build ends here.
 *
 * <p>Arguments: the image's major version of Java, and the file to write.
 */
final class JvmFlagTable {
  /** Type, name, value, kind: {@code intx ParallelGCThreads = 2 {product} {default}}. */
  private static final Pattern FLAG =
      Pattern.compile("\\s*(\\w+) (\\w+)\\s+=.*?\\{([^{}]*)\\} \\{[^{}]*\\}\\s*");

  private static final Pattern RANGE =
      Pattern.compile("\\s*\\w+ (\\w+)\\s+\\[\\s*(\\S*)\\s+\\.\\.\\.\\s+(\\S*)\\s*\\].*");

  /** Fewer would be another format than this reads. */
  private static final int LEAST = 500;

  private JvmFlagTable() {}

  public static void main(String[] arguments) throws IOException, InterruptedException {
    var major = arguments[0];
    var file = Path.of(arguments[1]);
    if (!major.equals(Integer.toString(Runtime.version().feature()))) {
      System.err.printf(
          "JAVA_HOME %s is Java %s; the image of HBase has Java %s (image.java.version in"
              + " operator/pom.xml), whose options the build reads from its own JVM: build with a JDK"
              + " %s%n",
          System.getProperty("java.home"), Runtime.version(), major, major);
      System.exit(1);
    }
    var ranges = ranges();
    var lines = new ArrayList<String>();
    for (var line : print("-XX:+PrintFlagsFinal")) {
      var flag = FLAG.matcher(line);
      if (flag.matches()) {
        var name = flag.group(2);
        lines.add(
            String.join(
                "\t", name, flag.group(1), kind(flag.group(3)), ranges.getOrDefault(name, "\t")));
      }
    }
    if (lines.size() < LEAST || ranges.size() < LEAST / 2) {
      System.err.printf(
          "%d options and %d ranges of this JVM were understood; some %d were expected%n",
          lines.size(), ranges.size(), LEAST);
      System.exit(1);
    }
    lines.sort(null);
    lines.add(0, "java\t" + major);
    Files.createDirectories(file.getParent());
    Files.writeString(file, String.join("\n", lines) + "\n");
  }

  private static String kind(String text) {
    return text.contains("diagnostic")
        ? "diagnostic"
        : text.contains("experimental") ? "experimental" : "product";
  }

  private static Map<String, String> ranges() throws IOException, InterruptedException {
    var ranges = new HashMap<String, String>();
    for (var line : print("-XX:+PrintFlagsRanges")) {
      var range = RANGE.matcher(line);
      if (range.matches()) {
        ranges.put(range.group(1), range.group(2) + "\t" + range.group(3));
      }
    }
    return ranges;
  }

  private static List<String> print(String option) throws IOException, InterruptedException {
    var process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UnlockExperimentalVMOptions",
                "-XX:+UnlockDiagnosticVMOptions",
                "-Xmx64m",
                option,
                "-version")
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    process.getOutputStream().close();
    var output =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).lines();
    var lines = output.toList();
    if (process.waitFor() != 0) {
      throw new IOException("java " + option + " ended with " + process.exitValue());
    }
    return lines;
  }
}
