package io.offheap.hbase.admin;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apache.hbase.thirdparty.com.google.gson.Gson;
import org.apache.hbase.thirdparty.com.google.gson.GsonBuilder;

/**
 * What a command found or did.
 *
 * @param text for people; ends with a line's end unless it is empty
 * @param json for programs: maps, lists, strings, numbers, Booleans and nulls
 * @param note a sentence for standard error, for example that there is more than is shown
 */
record Output(String text, Object json, Optional<String> note) {
  private static final Gson GSON =
      new GsonBuilder().setPrettyPrinting().disableHtmlEscaping().serializeNulls().create();

  /** The forms of an output; their names are the values of {@code -o}. */
  enum Format {
    table,
    json
  }

  String in(Format format) {
    return format == Format.json ? GSON.toJson(json) + "\n" : text;
  }

  Output withNote(String sentence) {
    return new Output(text, json, Optional.of(sentence));
  }

  /** Something that was done, as a sentence and as facts. */
  static Output done(String sentence, Object... namesAndValues) {
    return new Output(sentence + "\n", facts(namesAndValues), Optional.empty());
  }

  /** Facts in the order given: a line each for people, an object for programs. */
  static Output of(Map<String, ?> facts) {
    int width = facts.keySet().stream().mapToInt(name -> heading(name).length()).max().orElse(0);
    var text = new StringBuilder();
    facts.forEach(
        (name, value) ->
            text.append(pad(heading(name), width + 2)).append(cell(value)).append('\n'));
    return new Output(text.toString(), facts, Optional.empty());
  }

  static Map<String, Object> facts(Object... namesAndValues) {
    var facts = new LinkedHashMap<String, Object>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      facts.put((String) namesAndValues[i], namesAndValues[i + 1]);
    }
    return facts;
  }

  /** Starts a listing. */
  static Listing listing(String... names) {
    return new Listing(List.of(names));
  }

  /** Rows with the same facts each: an aligned table for people, a list of objects for programs. */
  static final class Listing {
    private final List<String> names;
    private final List<List<Object>> rows = new ArrayList<>();

    private Listing(List<String> names) {
      this.names = names;
    }

    /** One value for each name. */
    void add(Object... values) {
      rows.add(Arrays.asList(values));
    }

    int size() {
      return rows.size();
    }

    Output output() {
      var objects = new ArrayList<Map<String, Object>>();
      for (var row : rows) {
        var object = new LinkedHashMap<String, Object>();
        for (int i = 0; i < names.size(); i++) {
          object.put(names.get(i), row.get(i));
        }
        objects.add(object);
      }
      return new Output(table(), objects, Optional.empty());
    }

    private String table() {
      var lines = new ArrayList<List<String>>();
      lines.add(names.stream().map(Output::heading).toList());
      for (var row : rows) {
        lines.add(row.stream().map(Output::cell).toList());
      }
      var widths = new int[names.size()];
      for (var line : lines) {
        for (int i = 0; i < widths.length; i++) {
          widths[i] = Math.max(widths[i], line.get(i).length());
        }
      }
      var text = new StringBuilder();
      for (var line : lines) {
        var aligned = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
          aligned.append(pad(line.get(i), widths[i] + 2));
        }
        text.append(aligned.toString().stripTrailing()).append('\n');
      }
      return text.toString();
    }
  }

  /** {@code startKey} to {@code START KEY}. */
  private static String heading(String name) {
    return name.replaceAll("([A-Z])", " $1").toUpperCase(Locale.ROOT);
  }

  /** An empty cell would shift the columns of a line that is split at white space. */
  private static String cell(Object value) {
    if (value == null || value.equals("")) {
      return "-";
    }
    return value instanceof List<?> list
        ? String.join(",", list.stream().map(Output::cell).toList())
        : value.toString();
  }

  private static String pad(String text, int width) {
    return text + " ".repeat(Math.max(0, width - text.length()));
  }
}
