package io.offheap.hbase.operator.cli;

import io.offheap.hbase.operator.plan.JvmKeys;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The variables of {@code hbase-env.sh} from which {@code bin/hbase} builds a region server's
 * options. The script is parsed and not run: assignments are evaluated, and other statements that
 * may set one of these variables are reported as not understood.
 */
final class ShellFile {
  private static final String OPTS = "HBASE_OPTS";
  private static final String GC_OPTS = "SERVER_GC_OPTS";
  private static final String SERVER_OPTS = "HBASE_REGIONSERVER_OPTS";
  private static final String HEAP = "HBASE_HEAPSIZE";
  private static final String OFF_HEAP = "HBASE_OFFHEAPSIZE";

  /** Assumed to be unset before the script, since the environment is not in the folder. */
  private static final Set<String> RELEVANT = Set.of(OPTS, GC_OPTS, SERVER_OPTS, HEAP, OFF_HEAP);

  private static final Pattern ASSIGNMENT = Pattern.compile("([A-Za-z_]\\w*)(\\+?)=(?s:(.*))");
  private static final Set<String> PREFIXES = Set.of("then", "else", "do", "export", "readonly");
  private static final Set<String> OPENING = Set.of("if", "for", "while", "until", "case", "{");
  private static final Set<String> CLOSING = Set.of("fi", "done", "esac", "}");

  private static final String CONDITION = "is set under a condition, which is not evaluated";

  private final Map<String, PlacedValue> variables = new LinkedHashMap<>();
  private final List<Finding> unclear = new ArrayList<>();

  /** Evaluates another script after those before it. */
  void read(String file, String content) {
    int depth = 0;
    for (ShellStatement statement : ShellStatement.all(BareMetalFiles.withoutGuard(content))) {
      var words = statement.words();
      var first = words.isEmpty() ? "" : words.get(0);
      if (CLOSING.contains(first)) {
        depth = Math.max(0, depth - 1);
      } else if (OPENING.contains(first) || first.endsWith("()")) {
        depth++;
        reportWhatMaySet(file, statement, CONDITION);
      } else if (depth > 0 || statement.isConditional()) {
        reportWhatMaySet(file, statement, CONDITION);
      } else if (first.equals(".") || first.equals("source")) {
        unclear.add(
            Finding.unclear(
                place(file, statement),
                String.join(" ", words),
                "is another script, which is not read; its variables must be set in " + file));
      } else if (first.equals("unset")) {
        words.forEach(variables::remove);
      } else {
        assign(file, statement);
      }
    }
  }

  private static String place(String file, ShellStatement statement) {
    return file + " line " + statement.line();
  }

  private void assign(String file, ShellStatement statement) {
    for (String word : statement.words()) {
      var match = ASSIGNMENT.matcher(word);
      if (!match.matches()) {
        if (PREFIXES.contains(word)) {
          continue;
        }
        return;
      }
      var name = match.group(1);
      var value = new ShellWord(match.group(3)).expand(this::value);
      var before = match.group(2).isEmpty() ? "" : value(name);
      variables.put(name, new PlacedValue(before + value, file + " " + name));
    }
  }

  /** A variable that no script sets may be set in the environment, so it is not expanded. */
  private String value(String name) {
    var found = variables.get(name);
    if (found != null) {
      return found.value();
    }
    return RELEVANT.contains(name) ? "" : "${" + name + "}";
  }

  private void reportWhatMaySet(String file, ShellStatement statement, String why) {
    for (String word : statement.words()) {
      var match = ASSIGNMENT.matcher(word);
      if (match.matches() && RELEVANT.contains(match.group(1))) {
        unclear.add(Finding.unclear(place(file, statement), match.group(1), why));
      }
    }
  }

  /** The statements that were not understood. */
  List<Finding> unclear() {
    return List.copyOf(unclear);
  }

  /** The options in the order in which {@code bin/hbase} passes them to {@code java}. */
  List<PlacedValue> options() {
    return Stream.of(
            size(HEAP, "-" + JvmKeys.HEAP),
            size(OFF_HEAP, "-XX:" + JvmKeys.DIRECT_MEMORY + "="),
            split(OPTS),
            split(GC_OPTS),
            split(SERVER_OPTS))
        .flatMap(List::stream)
        .toList();
  }

  private List<PlacedValue> size(String variable, String option) {
    var found = variables.get(variable);
    if (found == null || found.value().isBlank()) {
      return List.of();
    }
    var size = found.value().strip();
    // As in bin/hbase: MiB without one of these suffixes.
    var unit = "mMgG".indexOf(size.charAt(size.length() - 1)) < 0 ? "m" : "";
    return List.of(new PlacedValue(option + size + unit, found.place()));
  }

  private List<PlacedValue> split(String variable) {
    var found = variables.get(variable);
    return found == null
        ? List.of()
        : Arrays.stream(found.value().split("\\s+"))
            .filter(option -> !option.isEmpty())
            .map(option -> new PlacedValue(option, found.place()))
            .toList();
  }
}
