package io.offheap.hbase.operator.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.offheap.hbase.operator.property.OddTexts;
import java.util.Optional;
import java.util.function.BiFunction;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.apache.hadoop.conf.Configuration;

/** A text has the value that Hadoop's class parses, and none where that throws. */
class KindTest {
  private static final String KEY = "a.key";

  private final Configuration configuration = new Configuration(false);

  @Provide
  Arbitrary<String> texts() {
    return OddTexts.any();
  }

  @Example
  void parsesOddTextsAsHadoopDoes() {
    assertThat(OddTexts.TEXTS).allSatisfy(this::parsesTextAsHadoopDoes);
  }

  @Property
  void parsesTextAsHadoopDoes(@ForAll("texts") String text) {
    configuration.set(KEY, text);
    assertThat(Kind.INT.read(text))
        .as("as an int")
        .isEqualTo(hadoop((conf, key) -> (long) conf.getInt(key, 1)));
    assertThat(Kind.LONG.read(text))
        .as("as a long")
        .isEqualTo(hadoop((conf, key) -> conf.getLong(key, 1)));
    assertThat(Kind.FLOAT.read(text).map(Number::floatValue).map(it -> it + 0f))
        .as("as a float")
        .isEqualTo(hadoop((conf, key) -> conf.getFloat(key, 1) + 0f).filter(Float::isFinite));
    assertThat(Kind.BOOLEAN.read(text))
        .as("as a boolean")
        .isEqualTo(
            Optional.of(configuration.getBoolean(KEY, true))
                .filter(it -> it == configuration.getBoolean(KEY, false)));
  }

  @Property
  void parsesWhatItWrites(@ForAll("texts") String text) {
    assertWritten(Kind.INT, text);
    assertWritten(Kind.LONG, text);
    assertWritten(Kind.FLOAT, text);
    assertWritten(Kind.BOOLEAN, text);
    assertWritten(Kind.TEXT, text);
    assertWritten(Kind.JVM_NUMBER, text);
    assertWritten(Kind.JVM_SIZE, text);
    assertWritten(Kind.JVM_SWITCH, text);
  }

  private <T> Optional<T> hadoop(BiFunction<Configuration, String, T> getter) {
    try {
      return Optional.of(getter.apply(configuration, KEY));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  private static <T> void assertWritten(Kind<T> kind, String text) {
    kind.read(text)
        .ifPresent(
            value -> {
              assertThat(kind.write(value)).hasSizeLessThan(Math.max(60, text.length() + 1));
              assertThat(kind.read(kind.write(value))).as(kind.name()).contains(value);
            });
  }
}
