package io.offheap.hbase.operator;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The tables of {@code docs/architecture.md} are those of the code. */
@AnalyzeClasses(
    packages = ArchitectureDocTest.OURS,
    importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureDocTest {
  static final String OURS = "io.offheap.hbase.operator";
  private static final Path FILE = Path.of("../docs/architecture.md");
  private static final Pattern NAME = Pattern.compile("`([\\w.]+)`");

  @ArchTest
  static void eachPackageHasTheDependenciesOfItsRow(JavaClasses classes) throws IOException {
    var uses = new TreeMap<String, Set<String>>();
    for (var type : classes) {
      var own = uses.computeIfAbsent(room(type.getPackageName()), it -> new TreeSet<>());
      type.getDirectDependenciesFromSelf().stream()
          .map(it -> room(it.getTargetClass().getPackageName()))
          .filter(it -> !it.isEmpty())
          .forEach(own::add);
    }
    uses.forEach((name, others) -> others.remove(name));
    // It connects the others.
    uses.remove("boot");

    assertThat(dependencies()).isEqualTo(uses);
  }

  @ArchTest
  static void eachRuleHasARow(JavaClasses classes) throws IOException {
    var rules =
        Stream.of(WallsTest.class.getDeclaredFields())
            .filter(it -> it.getType() == ArchRule.class)
            .map(it -> it.getName())
            .collect(Collectors.toCollection(TreeSet::new));
    rules.add(BuildersTest.class.getSimpleName());

    assertThat(
            rows("| Classes in | Must not depend on | Rule in WallsTest |")
                .flatMap(row -> names(row[3]).stream())
                .toList())
        .containsExactlyInAnyOrderElementsOf(rules);
  }

  private static Map<String, Set<String>> dependencies() throws IOException {
    var table = new TreeMap<String, Set<String>>();
    rows("| Package | Depends on |")
        .filter(row -> !row[1].contains("`boot`"))
        .forEach(row -> names(row[1]).forEach(name -> table.put(name, names(row[2]))));
    return table;
  }

  /** The rows of the table with that head. */
  private static Stream<String[]> rows(String head) throws IOException {
    return Files.readAllLines(FILE, UTF_8).stream()
        .dropWhile(line -> !line.equals(head))
        .skip(2)
        .takeWhile(line -> line.startsWith("|"))
        .map(line -> line.split("\\|", -1));
  }

  private static Set<String> names(String cell) {
    return NAME.matcher(cell)
        .results()
        .map(it -> it.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** The first package below ours; empty for those of others. */
  private static String room(String packageName) {
    return packageName.startsWith(OURS + ".")
        ? packageName.substring(OURS.length() + 1).replaceFirst("\\..*", "")
        : "";
  }
}
