package io.offheap.hbase.operator.cli;

import java.util.ArrayList;
import java.util.List;

/**
 * One command of a shell script, split into words with their quotes.
 *
 * @param line its first line
 * @param words its words, without comments
 * @param isConditional whether it is run only if another command succeeds or fails
 */
record ShellStatement(int line, List<String> words, boolean isConditional) {
  ShellStatement {
    words = List.copyOf(words);
  }

  /** The commands of a script in their order. */
  static List<ShellStatement> all(String script) {
    return new Reader(script).read();
  }

  /** Splits a script in one pass. */
  private static final class Reader {
    private final String script;
    private final List<ShellStatement> statements = new ArrayList<>();
    private final StringBuilder word = new StringBuilder();
    private List<String> words = new ArrayList<>();
    private int position;
    private int line = 1;
    private int start = 1;
    private boolean conditional;

    Reader(String script) {
      this.script = script.replace("\r\n", "\n").replaceAll("(?<!\\\\)\\\\\n", "\0");
    }

    List<ShellStatement> read() {
      while (position < script.length()) {
        char next = script.charAt(position);
        if (next == '\0') {
          line++;
          position++;
        } else if (next == '#' && word.isEmpty()) {
          skipComment();
        } else if (next == ' ' || next == '\t') {
          endWord();
          position++;
        } else if (next == '\n' || next == ';' || next == '&' || next == '|') {
          endStatement(next);
        } else {
          take(next);
        }
      }
      endStatement('\n');
      return statements;
    }

    private void skipComment() {
      while (position < script.length() && script.charAt(position) != '\n') {
        // A comment does not continue in the next line, even after a backslash.
        if (script.charAt(position) == '\0') {
          return;
        }
        position++;
      }
    }

    private void take(char next) {
      int end =
          switch (next) {
            case '\\' -> Math.min(position + 2, script.length());
            case '\'', '"', '`' -> quoteEnd(next);
            case '$' -> expansionEnd();
            default -> position + 1;
          };
      if (word.isEmpty() && words.isEmpty()) {
        start = line;
      }
      var taken = script.substring(position, end);
      line += (int) taken.chars().filter(it -> it == '\n' || it == '\0').count();
      word.append(taken.replace("\0", ""));
      position = end;
    }

    private int quoteEnd(char quote) {
      int end = position + 1;
      while (end < script.length() && script.charAt(end) != quote) {
        end += script.charAt(end) == '\\' && quote != '\'' ? 2 : 1;
      }
      return Math.min(end + 1, script.length());
    }

    /** Skips $( and ${, in which blanks do not end a word. */
    private int expansionEnd() {
      int open = position + 1;
      if (open >= script.length() || "({".indexOf(script.charAt(open)) < 0) {
        return open;
      }
      char opening = script.charAt(open);
      char closing = opening == '(' ? ')' : '}';
      int depth = 0;
      for (int end = open; end < script.length(); end++) {
        depth += script.charAt(end) == opening ? 1 : script.charAt(end) == closing ? -1 : 0;
        if (depth == 0) {
          return end + 1;
        }
      }
      return script.length();
    }

    private void endWord() {
      if (!word.isEmpty()) {
        words.add(word.toString());
        word.setLength(0);
      }
    }

    private void endStatement(char separator) {
      endWord();
      if (!words.isEmpty()) {
        statements.add(new ShellStatement(start, words, conditional));
        words = new ArrayList<>();
      }
      boolean twice = script.startsWith("" + separator + separator, position);
      conditional = (separator == '&' || separator == '|') && twice;
      line += separator == '\n' && position < script.length() ? 1 : 0;
      position += conditional ? 2 : 1;
    }
  }
}
