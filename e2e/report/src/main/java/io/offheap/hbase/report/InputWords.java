package io.offheap.hbase.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What the results of each unit depend on, as one text without spaces: {@code NAME=WORD}, with
 * commas between them. The word of a unit is of the artefacts that all units have, and of the
 * configuration that its variants get of the operator's plan; that of a unit with the operator's
 * own steps is of its tuning as well; that of the shapes, of their plans. So a change of the
 * operator makes the units and shapes due whose servers it configures otherwise, and no others.
 */
final class InputWords {
  /** The shapes, which have one word. */
  static final String MEMORY = "memory";

  /** What writes the tables, which runs of equal tables share. */
  static final String TABLES = "tables";

  /** Each file that a run reads: it must not change while the report runs. */
  private static final String FILES = "files";

  private static final String OPERATOR = "operator/target/hbase-offheap-operator.jar";

  private InputWords() {}

  /** What the operator's plan gives servers, the same on each machine. */
  interface Configurations {
    /**
     * Returns the configuration of a unit's variants.
     *
     * @param folder for what it writes
     */
    String of(Unit unit, Path folder) throws IOException, InterruptedException;

    /** Returns the plans of shapes, and the configuration by them. */
    String of(List<MemoryShape> shapes) throws IOException, InterruptedException;
  }

  /**
   * Returns the text.
   *
   * @param units all of which results are kept
   * @param scratch a folder
   */
  static String text(
      Artefacts artefacts,
      Units units,
      MeasuredSet set,
      Configurations configurations,
      Path scratch)
      throws IOException, InterruptedException {
    var words = new LinkedHashMap<String, String>();
    var ofAll = artefacts.word(units.inputs());
    var ofSteps = artefacts.word(units.stepsInputs());
    words.put(FILES, files(artefacts, units));
    words.put(TABLES, ofAll);
    words.put(
        MEMORY,
        Units.key(
            List.of(artefacts.word(units.memoryInputs()), configurations.of(units.memoryOf(set)))));
    for (Unit unit : units.of(set)) {
      var folder = scratch.resolve(unit.name());
      Runner.delete(folder);
      Files.createDirectories(folder);
      var ofUnit = new ArrayList<>(List.of(ofAll, configurations.of(unit, folder)));
      if (unit.load().stepsSeconds() != null) {
        ofUnit.add(ofSteps);
      }
      words.put(unit.name(), Units.key(ofUnit));
    }
    return words.entrySet().stream().map(Map.Entry::toString).collect(Collectors.joining(","));
  }

  private static String files(Artefacts artefacts, Units units) throws IOException {
    var all = new LinkedHashSet<>(units.inputs());
    all.addAll(units.memoryInputs());
    all.add(OPERATOR);
    // Apart: what is left out of the inputs of all would be left out of these.
    var ofSteps = units.stepsInputs().stream().filter(path -> !path.startsWith(OPERATOR)).toList();
    return artefacts.word(new ArrayList<>(all)) + artefacts.word(ofSteps);
  }

  /** Returns the word of a unit, or of what else there is; the text itself where it has none. */
  static String of(String text, String name) {
    return Stream.of(text.split(","))
        .filter(word -> word.startsWith(name + "="))
        .map(word -> word.substring(name.length() + 1))
        .findFirst()
        .orElse(text);
  }

  /**
   * Checks that nothing was built anew since the text was made.
   *
   * @throws IOException if something was: results would be kept as those of other files
   */
  static void requireSame(String text, Artefacts artefacts, Units units) throws IOException {
    if (!of(text, FILES).equals(files(artefacts, units))) {
      throw new IOException("jars or scripts have changed since the report began; run it again");
    }
  }
}
