package io.offheap.hbase.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * The commands of the administration tools' page, with what they print of a real HBase. Each HBase
 * has other names of servers and regions, so they are compared by where they occur: a name of the
 * page stands for the same name of HBase's wherever it is. Times and numbers of procedures are
 * compared by their form alone. A line {@code ...} of the page stands for any number of lines.
 */
final class AdminPage {
  private static final Path DOCS = Path.of("..", "..", "..", "docs");
  private static final String PAGE = "admin-tools.md";
  private static final String COMMAND = "$ ";
  private static final Pattern TOOL =
      Pattern.compile("\\$ (kubectl exec \\S+ -- entrypoint )?admin ");
  private static final String FENCE = "```";
  private static final String LEFT_OUT = "...";
  private static final Pattern NAME = Pattern.compile("localhost,\\d+,\\d{13}|\\b[0-9a-f]{32}\\b");
  private static final Pattern PORT = Pattern.compile("localhost:(\\d+)");

  /** A time that is not of a server's name, or the number of a procedure before its row. */
  private static final Pattern VALUE =
      Pattern.compile(
          "\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}Z"
              + "|(?<!localhost,\\d{1,5},)\\b\\d{13}\\b|^\\d+ +(?=- )");

  private final Map<String, String> ofHBase = new HashMap<>();
  private final Map<String, String> ofPage = new HashMap<>();

  /** Runs a command. */
  @FunctionalInterface
  interface Terminal {
    /** What the command prints, errors last. */
    String print(String command) throws Exception;
  }

  /** A text of the page that stands for another one. */
  void substitute(String onPage, String real) {
    ofHBase.put(onPage, real);
    ofPage.put(real, onPage);
  }

  /** Runs each command of the page, and compares what it prints. */
  void check(Terminal terminal) throws Exception {
    var file = DOCS.resolve(PAGE);
    var lines = Files.readAllLines(file);
    var replayed = replay(lines, terminal);
    if (Boolean.getBoolean("golden.update")) {
      Files.write(file, replayed);
      return;
    }
    assertThat(lines)
        .as("%s; where the change is meant, run again with -Dgolden.update=true", file)
        .containsExactlyElementsOf(replayed);
  }

  private List<String> replay(List<String> lines, Terminal terminal) throws Exception {
    var replayed = new ArrayList<String>();
    int commands = 0;
    for (int i = 0; i < lines.size(); ) {
      var line = lines.get(i++);
      replayed.add(line);
      var tool = TOOL.matcher(line);
      if (tool.lookingAt()) {
        int end = i;
        while (!lines.get(end).startsWith(COMMAND) && !lines.get(end).equals(FENCE)) {
          end++;
        }
        var printed = terminal.print(command(line.substring(tool.end())));
        replayed.addAll(inNamesOfPage(lines.subList(i, end), printed.lines().toList()));
        commands++;
        i = end;
      } else {
        assertThat(line).as("a command that is none of the tools").doesNotStartWith(COMMAND);
      }
    }
    assertThat(commands).as("commands of %s", PAGE).isPositive();
    return replayed;
  }

  private String command(String onPage) {
    var command = PORT.matcher(onPage).replaceAll(it -> "localhost:" + portOfHBase(it.group(1)));
    for (var name : ofHBase.entrySet()) {
      command = command.replace(name.getKey(), name.getValue());
    }
    return command;
  }

  private String portOfHBase(String onPage) {
    return ofHBase.entrySet().stream()
        .filter(it -> it.getKey().startsWith("localhost," + onPage + ","))
        .map(it -> it.getValue().replaceFirst(".*,(\\d+),.*", "$1"))
        .findAny()
        .orElseThrow(() -> new AssertionError("no server has port " + onPage + " on the page"));
  }

  private List<String> inNamesOfPage(List<String> page, List<String> printed) {
    var lines = new ArrayList<String>();
    int next = 0;
    for (var line : printed) {
      if (isLeftOut(page, next)) {
        if (next + 1 >= page.size() || !form(page.get(next + 1)).equals(form(line))) {
          continue;
        }
        lines.add(page.get(next++));
      }
      lines.add(inNamesOfPage(next < page.size() ? page.get(next) : "", line));
      next++;
    }
    if (isLeftOut(page, next)) {
      lines.add(page.get(next));
    }
    return lines;
  }

  private static boolean isLeftOut(List<String> page, int line) {
    return line < page.size() && page.get(line).equals(LEFT_OUT);
  }

  private String inNamesOfPage(String page, String printed) {
    boolean isSameForm = form(page).equals(form(printed));
    if (isSameForm) {
      var shown = NAME.matcher(page).results().map(MatchResult::group).toList();
      var real = NAME.matcher(printed).results().map(MatchResult::group).toList();
      for (int i = 0; i < real.size(); i++) {
        if (!ofHBase.containsKey(shown.get(i)) && !ofPage.containsKey(real.get(i))) {
          substitute(shown.get(i), real.get(i));
        }
      }
    }
    var line = printed;
    for (var name : ofPage.entrySet()) {
      line = line.replace(name.getKey(), name.getValue());
    }
    if (isSameForm) {
      var values = VALUE.matcher(page).results().map(MatchResult::group).iterator();
      line = VALUE.matcher(line).replaceAll(it -> values.next());
    }
    return line;
  }

  /** A line without what each HBase has anew. */
  private String form(String line) {
    var text = line;
    for (var name : ofPage.entrySet()) {
      if (!NAME.matcher(name.getKey()).matches()) {
        text = text.replace(name.getKey(), name.getValue());
      }
    }
    return VALUE.matcher(NAME.matcher(text).replaceAll("NAME")).replaceAll("VALUE");
  }
}
