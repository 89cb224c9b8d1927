package io.offheap.hbase.operator.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Commands and their output as in a terminal: {@code $ hbase-offheap-operator ...}, its output and
 * its errors, and {@code $ echo $?} with the exit status. {@code examples/}, {@code plans/} and
 * {@code conf/} stand for the real folders.
 */
final class Transcript {
  private static final String TOOL = "$ hbase-offheap-operator ";
  private static final String STATUS = "$ echo $?";
  private static final Pattern WORD = Pattern.compile("'([^']*)'|(\\S+)");

  private static final Path SAMPLES = Path.of("src", "test", "resources", "cli");

  private final List<Folder> folders;

  private record Folder(String name, String path) {}

  /**
   * A terminal.
   *
   * @param conf the folder that is written to
   */
  Transcript(Path conf) {
    folders =
        List.of(
            new Folder("examples", Path.of("..", "examples").toString()),
            new Folder("plans", Vectors.FOLDER.toString()),
            new Folder("conf", conf.toString()),
            new Folder("operator/src/test/resources/cli", SAMPLES.toString()));
  }

  /** Runs the commands among these lines and returns the lines as they should be. */
  List<String> replay(List<String> lines) {
    var replayed = new ArrayList<String>();
    var status = 0;
    for (String line : lines) {
      if (line.startsWith(TOOL)) {
        var run = CommandLineRun.of(words(line.substring(TOOL.length())));
        status = run.status();
        replayed.add(line);
        (run.out() + run.err()).lines().map(this::named).forEach(replayed::add);
      } else if (line.equals(STATUS)) {
        replayed.add(line);
        replayed.add(Integer.toString(status));
      }
    }
    return replayed;
  }

  private String[] words(String line) {
    var words = new ArrayList<String>();
    var match = WORD.matcher(line);
    while (match.find()) {
      words.add(match.group(1) == null ? real(match.group(2)) : match.group(1));
    }
    return words.toArray(new String[0]);
  }

  private String real(String word) {
    for (Folder folder : folders) {
      if (word.equals(folder.name()) || word.startsWith(folder.name() + "/")) {
        return folder.path() + word.substring(folder.name().length());
      }
    }
    return word;
  }

  private String named(String line) {
    var text = line;
    for (Folder folder : folders) {
      text = text.replace(folder.path(), folder.name());
    }
    return text;
  }
}
