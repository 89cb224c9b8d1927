package io.offheap.hbase.operator.property;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * A JVM that was started with a plan's options and made one young collection.
 *
 * @param flags its effective flags
 * @param output its output
 */
record StartedJvm(Map<String, String> flags, String output) {
  private static final Pattern FLAG = Pattern.compile("\\s*\\w+ (\\w+) += (\\S*).*");
  private static final Pattern DESIRED = Pattern.compile("Desired survivor size (\\d+) bytes");

  /**
   * Starts it with the smallest young generation, which is what a plan's figures are for.
   *
   * @param newSizePercent the plan's own {@code G1NewSizePercent}
   */
  static StartedJvm of(List<String> options, long newSizePercent)
      throws IOException, InterruptedException {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.add("-XX:G1MaxNewSizePercent=" + newSizePercent);
    command.add("-XX:+ExplicitGCInvokesConcurrent");
    command.add("-Xlog:gc+age=debug:stdout");
    command.add("-XX:+PrintFlagsFinal");
    command.add("-cp");
    command.add(Path.of("target", "test-classes").toString());
    command.add(YoungCollection.class.getName());
    var process = new ProcessBuilder(command).redirectErrorStream(true).start();
    var output = new String(process.getInputStream().readAllBytes(), UTF_8);

    int exit = process.waitFor();
    assertThat(exit).as("%s%n%s", command, tail(output)).isZero();
    assertThat(output).doesNotContain("VM warning:");
    return new StartedJvm(parse(output), output);
  }

  private static Map<String, String> parse(String output) {
    var flags = new HashMap<String, String>();
    output
        .lines()
        .map(FLAG::matcher)
        .filter(match -> match.matches())
        .forEach(match -> flags.put(match.group(1), match.group(2)));
    return flags;
  }

  /** G1's log of the first young collection. */
  long desiredSurvivorBytes() {
    var match = DESIRED.matcher(output);
    assertThat(match.find()).as("%s", tail(output)).isTrue();
    return Long.parseLong(match.group(1));
  }

  /** The list of all flags comes first and is long. */
  private static String tail(String output) {
    return output.substring(Math.max(0, output.length() - 1000));
  }
}
