package io.offheap.hbase.reference;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * The reference of a command line as Markdown: each command with its synopsis, description,
 * arguments, options and exit statuses. Options that all commands have, such as {@code --help}, are
 * listed once, before the first command.
 *
 * <p>A page has an introduction written by hand, which ends in the line {@link #MARK}. What follows
 * it is made here, and compared by a test.
 */
public final class CommandReference {
  /** The line after which a page is made. */
  public static final String MARK =
      "<!-- Made from the programs by a test; -Dgolden.update=true writes it again. -->";

  /** No line of a synopsis is wrapped. */
  private static final int WIDE = 500;

  /** A name and what it stands for, in columns. */
  private static final Pattern NAMES = Pattern.compile("[A-Z_]{4,} {2,}.*");

  private final StringBuilder text = new StringBuilder();
  private final List<String> bare = new ArrayList<>();
  private final int depth;

  private CommandReference(int depth) {
    this.depth = depth;
  }

  /**
   * The reference of a command line.
   *
   * @param line the command line, which is of no other use afterwards
   * @param depth the number of {@code #} of the first command's heading
   * @throws AssertionError if a command, an argument or an option has no description
   */
  public static String of(CommandLine line, int depth) {
    var reference = new CommandReference(depth);
    reference.common(line.getCommandSpec());
    reference.commands(line, 0);
    if (!reference.bare.isEmpty()) {
      throw new AssertionError("without a description: " + reference.bare);
    }
    return reference.text.toString();
  }

  /**
   * Compares what follows {@link #MARK} in a page, or writes it with {@code -Dgolden.update=true}.
   *
   * @throws AssertionError if it differs
   */
  public static void check(Path page, String made) throws IOException {
    var before = Files.readString(page);
    int mark = before.indexOf(MARK);
    if (mark < 0) {
      throw new AssertionError(page + " must have the line " + MARK);
    }
    var after = before.substring(0, mark) + MARK + "\n\n" + made;
    if (Boolean.getBoolean("golden.update")) {
      Files.writeString(page, after);
    } else if (!after.equals(before)) {
      throw new AssertionError(
          page + " is not what the program has; run again with -Dgolden.update=true:\n" + made);
    }
  }

  /** Takes the options of all commands from each of them. */
  private void common(CommandSpec root) {
    var rows = root.options().stream().filter(CommandReference::isCommon).toList();
    if (!rows.isEmpty()) {
      text.append("Options of every command:\n\n");
      table("Option", rows);
    }
  }

  private static boolean isCommon(ArgSpec argument) {
    return argument instanceof OptionSpec option
        && (option.usageHelp()
            || option.versionHelp()
            || option.inherited()
            || option.scopeType() == CommandLine.ScopeType.INHERIT);
  }

  private void commands(CommandLine line, int level) {
    var spec = line.getCommandSpec();
    List.copyOf(spec.options()).stream().filter(CommandReference::isCommon).forEach(spec::remove);
    if (level > 0) {
      command(spec, level);
    }
    line.getSubcommands().values().stream()
        .distinct()
        .filter(it -> !it.getCommandSpec().usageMessage().hidden())
        .forEach(it -> commands(it, level + 1));
  }

  private void command(CommandSpec spec, int level) {
    text.append("#".repeat(Math.min(depth + level - 1, 6)))
        .append(' ')
        .append(spec.qualifiedName())
        .append("\n\n");
    if (spec.usageMessage().description().length == 0) {
      bare.add(spec.qualifiedName());
    }
    description(spec.usageMessage().description());
    if (!spec.subcommands().isEmpty() && spec.args().isEmpty()) {
      return;
    }
    spec.usageMessage().width(WIDE);
    var synopsis = new Help(spec, Help.defaultColorScheme(Help.Ansi.OFF)).synopsis(0).strip();
    text.append("```text\n").append(synopsis).append("\n```\n\n");
    var arguments =
        Stream.concat(
                spec.positionalParameters().stream().map(ArgSpec.class::cast),
                spec.options().stream().map(ArgSpec.class::cast))
            .toList();
    if (!arguments.isEmpty()) {
      table("Argument or option", arguments);
    }
    statuses(spec);
  }

  /**
   * A sentence may continue on the next line; an empty line and a list of names end a paragraph.
   */
  private void description(String... lines) {
    var paragraph = new ArrayList<String>();
    var names = new ArrayList<String>();
    for (var line : lines) {
      if (NAMES.matcher(line).matches()) {
        names.add(line.strip());
      } else if (line.isBlank()) {
        paragraph(paragraph);
      } else {
        paragraph.add(cell(line));
      }
    }
    paragraph(paragraph);
    if (!names.isEmpty()) {
      text.append("```text\n").append(String.join("\n", names)).append("\n```\n\n");
    }
  }

  private void paragraph(List<String> lines) {
    if (!lines.isEmpty()) {
      text.append(String.join(" ", lines)).append("\n\n");
      lines.clear();
    }
  }

  private void table(String heading, List<? extends ArgSpec> arguments) {
    text.append("| ").append(heading).append(" | Meaning |\n| --- | --- |\n");
    arguments.stream()
        .filter(it -> !it.hidden())
        .forEach(
            it ->
                text.append("| `")
                    .append(name(it))
                    .append("` | ")
                    .append(meaning(it))
                    .append(" |\n"));
    text.append('\n');
  }

  private static String name(ArgSpec argument) {
    var label = argument.paramLabel();
    if (argument instanceof OptionSpec option) {
      var names = String.join(", ", option.names());
      return option.arity().max() == 0 ? names : names + " " + label;
    }
    return label;
  }

  private String meaning(ArgSpec argument) {
    var sentences =
        Arrays.stream(argument.description())
            .map(CommandReference::cell)
            .filter(it -> !it.isEmpty())
            .collect(Collectors.joining(" "));
    if (sentences.isEmpty()) {
      bare.add(argument.command().qualifiedName() + " " + name(argument));
    }
    boolean isRequired =
        argument instanceof OptionSpec && argument.required() && argument.group() == null;
    return isRequired ? sentences + " Required." : sentences;
  }

  private void statuses(CommandSpec spec) {
    var statuses = spec.usageMessage().exitCodeList();
    boolean isAsParent =
        spec.parent() != null && spec.parent().usageMessage().exitCodeList().equals(statuses);
    if (statuses.isEmpty() || isAsParent) {
      return;
    }
    text.append("Exit status: ")
        .append(
            statuses.entrySet().stream()
                .map(it -> "`" + it.getKey() + "` " + cell(it.getValue()))
                .collect(Collectors.joining("; ")))
        .append(".\n\n");
  }

  private static String cell(String text) {
    return text.strip().replaceAll("\\s+", " ").replace("|", "\\|").replace("<", "&lt;");
  }
}
