package io.offheap.hbase.operator.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * A picture of the docs that shows what a command prints in a terminal, with its colours, as SVG.
 * With {@code -Dgolden.update=true} the picture is written.
 */
final class TerminalPicture {
  private static final Path PICTURES = Path.of("..", "docs", "pictures");

  /** A longer line is continued on the next one, as in a terminal. */
  private static final int COLUMNS = 100;

  private static final double COLUMN = 8.4;
  private static final int LINE = 19;
  private static final int MARGIN = 16;
  private static final Pattern COLOUR = Pattern.compile("\u001b\\[(\\d+)m");

  /** By the number of the escape sequence; 0 is the terminal's own. */
  private static final Map<String, String> STYLES =
      Map.of(
          "0", "fill=\"#d0d7de\"",
          "1", "fill=\"#ffffff\" font-weight=\"bold\"",
          "31", "fill=\"#ff8f87\"",
          "32", "fill=\"#7ee787\"",
          "33", "fill=\"#e3b341\"");

  private final StringBuilder rows = new StringBuilder();
  private int row;

  private TerminalPicture() {}

  /** A part of a line in one colour. */
  private record Part(String style, String text) {}

  /**
   * Compares a picture with what a command prints.
   *
   * @param name the file in docs/pictures
   * @param command what a person types
   * @param output what it prints, the same in each run
   */
  static void check(String name, String command, String output) throws IOException {
    var picture = of(command, output);
    var file = PICTURES.resolve(name);
    if (Boolean.getBoolean("golden.update")) {
      Files.writeString(file, picture);
      return;
    }
    assertThat(picture)
        .as("%s; where the change is meant, run again with -Dgolden.update=true", file)
        .isEqualTo(Files.readString(file));
  }

  static String of(String command, String output) {
    var picture = new TerminalPicture();
    picture.line("$ " + command);
    output.stripTrailing().lines().forEach(picture::line);
    int width = (int) Math.ceil(COLUMNS * COLUMN) + 2 * MARGIN;
    int height = picture.row * LINE + 2 * MARGIN;
    return """
    <svg xmlns="http://www.w3.org/2000/svg" width="%1$d" height="%2$d" viewBox="0 0 %1$d %2$d" role="img">
    <title>%3$s</title>
    <rect width="%1$d" height="%2$d" rx="8" fill="#161b22"/>
    <g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="14">
    %4$s</g>
    </svg>
    """
        .formatted(width, height, escaped(command), picture.rows);
  }

  private void line(String line) {
    int column = 0;
    row++;
    for (var part : parts(line)) {
      for (int from = 0; from < part.text().length(); ) {
        if (column == COLUMNS) {
          column = 0;
          row++;
        }
        int to = Math.min(part.text().length(), from + COLUMNS - column);
        text(column, part.style(), part.text().substring(from, to));
        column += to - from;
        from = to;
      }
    }
  }

  private static List<Part> parts(String line) {
    var parts = new ArrayList<Part>();
    var style = "0";
    int from = 0;
    var colour = COLOUR.matcher(line);
    while (colour.find()) {
      parts.add(new Part(style, line.substring(from, colour.start())));
      style = colour.group(1);
      from = colour.end();
    }
    parts.add(new Part(style, line.substring(from)));
    return parts;
  }

  /** With its length, so that columns stand below each other in any font. */
  private void text(int column, String style, String text) {
    if (text.isBlank()) {
      return;
    }
    var shown = text.stripTrailing();
    rows.append(
        String.format(
            Locale.ROOT,
            "<text x=\"%.1f\" y=\"%d\" textLength=\"%.1f\" %s>%s</text>%n",
            MARGIN + column * COLUMN,
            MARGIN + row * LINE - 5,
            shown.length() * COLUMN,
            STYLES.get(style),
            // Blanks in a row would be shown as one.
            escaped(shown).replace(' ', '\u00a0')));
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
