package io.offheap.hbase.operator.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The commands of one section of a page of the docs, {@code $ kubectl ...} in its blocks, with what
 * they print. What differs from run to run is shown by fixed values: ages, times, identities, the
 * namespace, start codes of servers, durations. Events of short waits between two steps, which come
 * or not, are left out, and texts that only a program reads are cut. With {@code
 * -Dgolden.update=true} the page is written.
 */
final class RecordedSection {
  private static final Path DOCS = Path.of("..", "docs");
  private static final String COMMAND = "$ kubectl ";
  private static final String BLOCK = "```console";
  private static final String END = "```";
  private static final Pattern TIME =
      Pattern.compile("\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?Z");
  private static final Pattern UUID = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");
  private static final Pattern VERSION = Pattern.compile("(?m)^( *Resource Version: +)\\d+$");
  private static final Pattern START_CODE = Pattern.compile("(,16020,)\\d+");
  private static final Pattern DURATION = Pattern.compile("(to \\w+ )\\d+\\.\\d");
  private static final Pattern MILLIS = Pattern.compile("(?m)^( +\\w+ Millis: +)[1-9]\\d*$");

  /** As long as the metrics happen to be when a rule has enough of them. */
  private static final Pattern WINDOW = Pattern.compile("(window of )\\d+ s");

  /** JSON of a spec, and a compressed plan, whose bytes depend on the JDK. */
  private static final Pattern PROGRAM_TEXT =
      Pattern.compile("(?m)^( +(?:Json|Values): +(?:\\{\"\\w+\"|H4sI)).*$");

  private static final String SHORT_WAIT = "HeldBack";
  private static final Pattern AGE = Pattern.compile("(?m) \\d+[smh](\\d+[sm])?$");

  /** The ages of the plugin's events, in the first column. */
  private static final Pattern AGO = Pattern.compile("(?m)^\\d+[smhd] +(?=[A-Z])");

  private static final String EVENTS = "Events:";

  private final Path page;
  private final String heading;

  /**
   * A section.
   *
   * @param page its file in {@code docs/}
   * @param heading its line, with the number signs
   */
  RecordedSection(String page, String heading) {
    this.page = DOCS.resolve(page);
    this.heading = heading;
  }

  /**
   * Runs each command in a namespace, and compares what it prints with the page.
   *
   * @param options further options of each command, which a reader does not need
   */
  void check(Tool kubectl, String namespace, String... options) throws IOException {
    var section = PageLines.of(this).section();
    var all = new ArrayList<>(List.of("--namespace", namespace));
    all.addAll(List.of(options));
    var recorded = recorded(section, command -> print(command, kubectl, namespace, all));
    if (Boolean.getBoolean("golden.update")) {
      update(recorded);
      return;
    }
    var description = "%s, '%s'; where the change is meant, run again with -Dgolden.update=true";
    assertThat(withoutEvents(section))
        .as(description, page, heading)
        .containsExactlyElementsOf(withoutEvents(recorded));
    assertThat(events(section))
        .as(description + ". Events of the same second have no order", page, heading)
        .containsExactlyInAnyOrderElementsOf(events(recorded));
  }

  /** Other tests may have written other sections of the page in the meantime. */
  private void update(List<String> recorded) throws IOException {
    synchronized (RecordedSection.class) {
      var before = PageLines.of(this);
      var whole = new ArrayList<>(before.lines().subList(0, before.from()));
      whole.addAll(recorded);
      whole.addAll(before.lines().subList(before.to(), before.lines().size()));
      Files.write(page, whole);
    }
  }

  private List<String> read() throws IOException {
    synchronized (RecordedSection.class) {
      return Files.readAllLines(page);
    }
  }

  /** The lines of the page, of which those of the section are from one index to another. */
  private record PageLines(List<String> lines, int from, int to) {
    static PageLines of(RecordedSection section) throws IOException {
      var lines = section.read();
      int from = lines.indexOf(section.heading) + 1;
      assertThat(from).as("heading '%s' in %s", section.heading, section.page).isPositive();
      int to = from;
      while (to < lines.size() && !isHeading(lines.get(to))) {
        to++;
      }
      return new PageLines(lines, from, to);
    }

    List<String> section() {
      return lines.subList(from, to);
    }

    private static boolean isHeading(String line) {
      return line.matches("#{1,3} .*");
    }
  }

  @FunctionalInterface
  private interface Terminal {
    List<String> print(String command) throws IOException;
  }

  private static List<String> recorded(List<String> section, Terminal terminal) throws IOException {
    var recorded = new ArrayList<String>();
    boolean isPrinted = false;
    int commands = 0;
    for (var line : section) {
      if (line.startsWith(COMMAND)) {
        commands++;
        isPrinted = true;
        recorded.add(line);
        recorded.addAll(terminal.print(line.substring(COMMAND.length())));
      } else if (line.equals(END)) {
        isPrinted = false;
        recorded.add(line);
      } else if (!isPrinted) {
        recorded.add(line);
      }
    }
    assertThat(commands).as("commands in blocks that begin with %s", BLOCK).isPositive();
    return recorded;
  }

  private static List<String> print(
      String command, Tool kubectl, String namespace, List<String> options) throws IOException {
    var arguments = new ArrayList<>(List.of(command.split(" ")));
    arguments.addAll(options);
    var text = kubectl.run(arguments).orThrow().replace(namespace, "default");
    text = TIME.matcher(text).replaceAll("2026-01-01T12:00:00Z");
    text = UUID.matcher(text).replaceAll("00000000-0000-0000-0000-000000000000");
    text = VERSION.matcher(text).replaceAll("$11000");
    text = START_CODE.matcher(text).replaceAll("$11767268800000");
    text = MILLIS.matcher(text).replaceAll("$11000");
    text = WINDOW.matcher(text).replaceAll("$110 s");
    text = PROGRAM_TEXT.matcher(text).replaceAll("$1...");
    if (arguments.get(0).equals("get")) {
      text = AGE.matcher(text).replaceAll(" 5m");
    } else if (arguments.get(0).equals("hbc")) {
      text = AGO.matcher(text).replaceAll("%-8s ".formatted("5m"));
    }
    return laidOut(text.lines().map(String::stripTrailing).toList());
  }

  /** The table of events again, since kubectl makes columns as wide as the ages are. */
  private static List<String> laidOut(List<String> lines) {
    var all = new ArrayList<String>();
    boolean isEvent = false;
    for (var line : lines) {
      var cells = line.strip().split(" {2,}", 5);
      if (isEvent && cells.length == 5 && cells[1].equals(SHORT_WAIT)) {
        continue;
      }
      if (isEvent && cells.length == 5) {
        boolean isHead = cells[0].matches("Type|-+");
        all.add(
            "  %-8s %-20s %-5s %-24s %s"
                .formatted(
                    cells[0],
                    cells[1],
                    isHead ? cells[2] : "5m",
                    cells[3],
                    DURATION.matcher(cells[4]).replaceAll("$11.0")));
      } else {
        all.add(line);
      }
      isEvent |= line.startsWith(EVENTS);
    }
    return all;
  }

  private static List<String> events(List<String> lines) {
    return lines.stream().filter(RecordedSection::isEvent).sorted().toList();
  }

  private static List<String> withoutEvents(List<String> lines) {
    return lines.stream().filter(it -> !isEvent(it)).toList();
  }

  private static boolean isEvent(String line) {
    return line.matches("  (Normal|Warning) +\\S+ +5m .*");
  }
}
