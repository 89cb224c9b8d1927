package io.offheap.hbase.operator.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The registry has every key once, and no other class contains a key's name. */
class KeysTest {
  private static final Path SOURCES = Path.of("src/main/java");

  /** A text in a file of Java; an escaped quotation mark does not end it. */
  private static final Pattern LITERAL = Pattern.compile("\"((?:[^\"\\\\]|\\\\.)*)\"");

  private static final Set<String> REGISTRY =
      Set.of("Keys.java", "HBaseKeys.java", "OnlineProperties.java", "JvmKeys.java");

  @Test
  void everyConstantIsRegistered() throws IllegalAccessException {
    var constants = new ArrayList<Object>();
    for (Class<?> registry : List.of(Keys.class, HBaseKeys.class, JvmKeys.class)) {
      for (var field : registry.getDeclaredFields()) {
        if (Modifier.isStatic(field.getModifiers()) && field.getType() == Key.class) {
          constants.add(field.get(null));
        }
      }
    }

    assertThat(constants).hasSizeGreaterThan(60).allMatch(Keys.all()::contains);
    assertThat(Keys.all())
        .allMatch(key -> Keys.find(key.target(), key.name()).orElseThrow().equals(key));
  }

  @Test
  void namesAreUnique() {
    assertThat(Keys.all().stream().map(key -> key.target() + " " + key.name()))
        .doesNotHaveDuplicates();
  }

  @Test
  void defaultIsValueOfItsKey() {
    for (Key<?> key : Keys.all()) {
      defaultOf(key).ifPresent(it -> assertThat(key.kind().read(it)).as("%s", key).isPresent());
    }
    assertThat(Keys.all().stream().filter(key -> defaultOf(key).isPresent()))
        .hasSizeGreaterThan(40);
  }

  private static Optional<String> defaultOf(Key<?> key) {
    return key.ownDefault()
        .apply(
            new Key.Context(
                8,
                8L << 30,
                8L << 30,
                OptionalLong.of(32L << 30),
                name -> Keys.find(key.target(), name).flatMap(KeysTest::defaultOf)));
  }

  @Test
  void noOtherLiteralIsAKey() throws IOException {
    var names =
        Keys.all().stream()
            .filter(key -> key.target() != Target.CONTAINER)
            .map(Key::name)
            .collect(Collectors.toSet());
    try (Stream<Path> files = Files.walk(SOURCES)) {
      var found =
          files
              .filter(file -> file.toString().endsWith(".java"))
              .filter(file -> !REGISTRY.contains(file.getFileName().toString()))
              .flatMap(KeysTest::literals)
              .filter(it -> names.contains(it.text()))
              .toList();
      assertThat(found).isEmpty();
    }
  }

  /** A key's name as a word in a longer text: an option, a sentence, an expression. */
  @Test
  void noOtherLiteralHasAKeyInIt() throws IOException {
    var word =
        Pattern.compile(
            Keys.all().stream()
                .filter(key -> key.target() != Target.CONTAINER)
                .map(key -> Pattern.quote(key.name()))
                .collect(Collectors.joining("|", "(?<![\\w.])(?:", ")(?![\\w-]|\\.\\w)")));
    try (Stream<Path> files = Files.walk(SOURCES)) {
      var found =
          files
              .filter(file -> file.toString().endsWith(".java"))
              .filter(file -> !REGISTRY.contains(file.getFileName().toString()))
              .filter(file -> !isDescription(file))
              .flatMap(KeysTest::literals)
              .filter(it -> word.matcher(it.text()).find())
              .toList();
      assertThat(found).isEmpty();
    }
  }

  /** Descriptions of fields and commands are constants of annotations. */
  private static boolean isDescription(Path file) {
    return file.getParent().endsWith("api") || file.endsWith("RenderCommand.java");
  }

  private record Literal(Path file, String text) {}

  private static Stream<Literal> literals(Path file) {
    try {
      return Arrays.stream(Files.readString(file).split("\n"))
          .flatMap(line -> LITERAL.matcher(line).results())
          .map(it -> new Literal(file, it.group(1)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
