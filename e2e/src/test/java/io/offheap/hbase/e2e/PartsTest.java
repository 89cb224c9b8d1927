package io.offheap.hbase.e2e;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The inputs of the parts of {@code make verify}, which {@code e2e/parts} names. */
class PartsTest {
  private static final String OPERATOR = "operator/src/main/java/io/offheap/hbase/operator/";

  private static final String PREPARE = "e2e/bin/prepare";

  /** Connects all packages, also those that a part does not use. */
  private static final String START = "boot";

  private static final Pattern IMPORT =
      Pattern.compile("(?m)^import (?:static )?io\\.offheap\\.hbase\\.operator\\.([a-z]+)\\.");

  /** Each line's inputs, by its first word; where another line is named, the inputs of that one. */
  static Map<String, Set<String>> lines() throws IOException {
    var lines = new LinkedHashMap<String, Set<String>>();
    for (String line : Files.readAllLines(Shell.root().resolve("e2e/parts"))) {
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      var words = List.of(line.split(" +", -1));
      // A part has its minutes before its inputs.
      int first = words.get(0).startsWith("@") ? 1 : 2;
      var inputs = new LinkedHashSet<String>();
      for (String word : words.subList(first, words.size())) {
        inputs.addAll(word.startsWith("@") ? lines.get(word) : Set.of(word));
      }
      lines.put(words.get(0), inputs);
    }
    return lines;
  }

  static List<String> parts() throws IOException {
    return lines().keySet().stream().filter(name -> !name.startsWith("@")).toList();
  }

  /** Those that install the operator in kind. */
  static List<String> partsInKind() throws IOException {
    var lines = lines();
    return parts().stream().filter(part -> lines.get(part).contains(PREPARE)).toList();
  }

  @ParameterizedTest
  @MethodSource("parts")
  void namesPathsThatExist(String part) throws IOException {
    assertThat(lines().get(part))
        .isNotEmpty()
        .allSatisfy(path -> assertThat(Shell.root().resolve(path)).exists());
  }

  @ParameterizedTest
  @MethodSource("parts")
  void namesPackagesThatItsPackagesImport(String part) throws IOException {
    var named =
        lines().get(part).stream()
            .filter(path -> path.startsWith(OPERATOR))
            .map(path -> path.substring(OPERATOR.length()))
            .collect(toSet());
    var imported = new TreeSet<String>();
    for (String name : named) {
      if (!name.equals(START)) {
        imported.addAll(importsOf(name));
      }
    }

    assertThat(named).containsAll(imported);
  }

  @ParameterizedTest
  @MethodSource("partsInKind")
  void namesPackagesOfTheOperatorThatRuns(String part) throws IOException {
    assertThat(lines().get(part)).contains(OPERATOR + START, OPERATOR + "reconcile");
  }

  private static Set<String> importsOf(String name) throws IOException {
    try (var files = Files.walk(Shell.root().resolve(OPERATOR + name))) {
      return files
          .filter(file -> file.toString().endsWith(".java"))
          .flatMap(file -> IMPORT.matcher(read(file)).results().map(found -> found.group(1)))
          .collect(toSet());
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
