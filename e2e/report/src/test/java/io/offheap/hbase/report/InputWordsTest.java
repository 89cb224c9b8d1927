package io.offheap.hbase.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class InputWordsTest {
  private static final Unit UNIT = RunPlanTest.unit(2, 1, new Unit.Minutes(2, 0, 3));
  private static final Unit OTHER = UnitBuilder.builder(UNIT).name("other").build();
  private static final Unit STEPS =
      UnitBuilder.builder(UNIT)
          .name("steps")
          .load(
              new Unit.Load(
                  Unit.Load.Operation.get, 100, 2, 10, "uniform", null, null, null, null, 900))
          .build();
  private static final Units UNITS =
      new Units(
          List.of("slice"),
          List.of("measure"),
          List.of("tuner"),
          0,
          List.of(UNIT, OTHER, STEPS),
          List.of(),
          List.of(),
          List.of());

  @TempDir Path root;
  private String optionsOfOther = "-Xmx1g";
  private String planOf = "2432Mi of ";

  @BeforeEach
  void build() throws IOException {
    Files.writeString(root.resolve("slice"), "one");
    Files.writeString(root.resolve("measure"), "one");
    Files.writeString(root.resolve("tuner"), "one");
    Files.createDirectories(root.resolve("operator/target"));
    // An empty jar.
    var jar = root.resolve("operator/target/hbase-offheap-operator.jar");
    try (var empty = new JarOutputStream(Files.newOutputStream(jar), new Manifest())) {
      empty.finish();
    }
  }

  private String text() throws IOException, InterruptedException {
    return InputWords.text(
        new Artefacts(root),
        UNITS,
        MeasuredSet.WHOLE,
        new InputWords.Configurations() {
          @Override
          public String of(Unit unit, Path folder) {
            return unit.equals(OTHER) ? optionsOfOther : "-Xmx512m";
          }

          @Override
          public String of(List<MemoryShape> shapes) {
            return planOf + shapes;
          }
        },
        root.resolve("scratch"));
  }

  private static String key(Unit unit, String text) throws IOException {
    return Units.key(unit, text);
  }

  @Test
  void changeOfAConfigurationIsOfItsUnitAlone() throws Exception {
    var before = text();

    optionsOfOther = "-Xmx2g";

    assertThat(text()).doesNotContain(" ");
    assertThat(key(OTHER, text())).isNotEqualTo(key(OTHER, before));
    assertThat(key(UNIT, text())).isEqualTo(key(UNIT, before));
  }

  @Test
  void changeOfWhatIsRunIsOfEachUnitAndOfNoShape() throws Exception {
    var before = text();

    Files.writeString(root.resolve("slice"), "two");

    assertThat(key(UNIT, text())).isNotEqualTo(key(UNIT, before));
    assertThat(InputWords.of(text(), InputWords.TABLES))
        .isNotEqualTo(InputWords.of(before, InputWords.TABLES));
    assertThat(InputWords.of(text(), InputWords.MEMORY))
        .isEqualTo(InputWords.of(before, InputWords.MEMORY));
  }

  @Test
  void changeOfAPlanIsOfTheShapesAlone() throws Exception {
    var before = text();

    planOf = "2433Mi of ";

    assertThat(InputWords.of(text(), InputWords.MEMORY))
        .isNotEqualTo(InputWords.of(before, InputWords.MEMORY));
    assertThat(key(UNIT, text())).isEqualTo(key(UNIT, before));
  }

  /** A run that has begun ends all the same: its plans may be of either. */
  @Test
  void otherClassesOfTheSamePlanMakeNoShapeDue() throws Exception {
    var before = text();

    var jar = root.resolve("operator/target/hbase-offheap-operator.jar");
    try (var other = new JarOutputStream(Files.newOutputStream(jar), new Manifest())) {
      other.putNextEntry(new ZipEntry("io/offheap/hbase/operator/plan/MemoryPlan.class"));
      other.closeEntry();
    }

    assertThat(InputWords.of(text(), InputWords.MEMORY))
        .isEqualTo(InputWords.of(before, InputWords.MEMORY));
    assertThatThrownBy(() -> InputWords.requireSame(before, new Artefacts(root), UNITS))
        .isInstanceOf(IOException.class);
  }

  @Test
  void changeOfTheTuningIsOfTheOperatorsStepsAlone() throws Exception {
    var before = text();

    Files.writeString(root.resolve("tuner"), "two");

    assertThat(key(STEPS, text())).isNotEqualTo(key(STEPS, before));
    assertThat(key(UNIT, text())).isEqualTo(key(UNIT, before));
    assertThat(InputWords.of(text(), InputWords.TABLES))
        .isEqualTo(InputWords.of(before, InputWords.TABLES));
  }

  @ParameterizedTest
  @ValueSource(strings = {"measure", "tuner"})
  void whatIsBuiltMeanwhileEndsTheReport(String file) throws Exception {
    var text = text();
    var artefacts = new Artefacts(root);
    assertThatCode(() -> InputWords.requireSame(text, artefacts, UNITS)).doesNotThrowAnyException();

    Files.writeString(root.resolve(file), "two");

    assertThatThrownBy(() -> InputWords.requireSame(text, artefacts, UNITS))
        .isInstanceOf(IOException.class)
        .hasMessage("jars or scripts have changed since the report began; run it again");
  }

  @Test
  void wordWithoutNamesIsThatOfEach() {
    assertThat(InputWords.of("files", "unit")).isEqualTo("files");
    assertThat(InputWords.of("a=1,unit=2", "unit")).isEqualTo("2");
  }
}
