package io.offheap.hbase.operator.observe;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The lines of a process' last output that show why it ended, short enough for a condition.
 *
 * <p>Lines that name an error come before others, and later ones before earlier ones; the chosen
 * lines are in the order of the output. Frames of stack traces are left out, and so are statistics
 * of the JVM, which it logs in an error and which may be all that fits a termination message.
 */
final class LogExcerpt {
  /** Limits of lines and characters. */
  private static final int LINES = 5;

  private static final int LENGTH = 600;

  /** Of the JVM and its launcher, of Java's exceptions, and the levels of HBase's log. */
  private static final Pattern ERROR =
      Pattern.compile(
          "\\b\\w*(Error|Exception)\\b|\\b[Uu]nrecognized\\b|\\bERROR\\b|\\bFATAL\\b|\\bfatal error\\b"
              + "|\\bSIG[A-Z]+\\b");

  /** The JVM's unified log below the level of warnings: decorations in brackets. */
  private static final Pattern STATISTIC =
      Pattern.compile("(\\[[^\\]]*\\]){0,9}?\\[(trace|debug|info) *\\]");

  private static final Pattern FRAME = Pattern.compile("at \\S+\\(.*|\\.\\.\\. \\d+ more");

  private LogExcerpt() {}

  static String of(String log) {
    var all = lines(log).toList();
    var shown = all.stream().filter(it -> !isStatistic(it) && !isFrame(it)).toList();
    var chosen = chosen(shown.isEmpty() ? all : shown);
    int length = chosen.stream().mapToInt(String::length).sum();
    int limit = length > LENGTH ? LENGTH / chosen.size() : LENGTH;
    return chosen.stream().map(it -> start(it, limit)).collect(Collectors.joining(" | "));
  }

  /** Without control characters, which terminals would execute, and without empty lines. */
  static Stream<String> lines(String text) {
    return text.lines()
        .map(it -> it.replaceAll("[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}]", " ").strip())
        .filter(it -> !it.isEmpty());
  }

  private static List<String> chosen(List<String> lines) {
    var errors = IntStream.range(0, lines.size()).filter(it -> isError(lines.get(it))).boxed();
    var named = last(errors.toList(), LINES);
    var others =
        IntStream.range(0, lines.size()).filter(it -> !isError(lines.get(it))).boxed().toList();
    return Stream.concat(named.stream(), last(others, LINES - named.size()).stream())
        .sorted()
        .map(lines::get)
        .toList();
  }

  private static <T> List<T> last(List<T> list, int count) {
    return list.subList(Math.max(0, list.size() - count), list.size());
  }

  private static String start(String line, int limit) {
    return line.length() <= limit ? line : line.substring(0, limit) + "...";
  }

  private static boolean isError(String line) {
    return ERROR.matcher(line).find() && !isStatistic(line) && !isFrame(line);
  }

  private static boolean isStatistic(String line) {
    return STATISTIC.matcher(line).lookingAt();
  }

  private static boolean isFrame(String line) {
    return FRAME.matcher(line).matches();
  }
}
