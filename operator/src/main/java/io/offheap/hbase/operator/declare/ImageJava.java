package io.offheap.hbase.operator.declare;

import io.offheap.hbase.operator.api.ImageSpec;
import java.util.OptionalInt;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The version of Java in a declared image, by its name: {@code hbase:2.6-jdk21}, {@code
 * hbase-java21}, {@code hbase:21-jre}. Nothing else tells it before a pod runs.
 */
final class ImageJava {
  private static final Pattern VERSION =
      Pattern.compile(
          "(?:jdk|jre|java|temurin)[-_]?([0-9]{1,2})(?![0-9])|(?<![0-9.])([0-9]{1,2})-(?:jdk|jre)");

  private ImageJava() {}

  /** The major version; empty where no image is declared, or its name has none. */
  static OptionalInt of(ImageSpec image) {
    return image == null
        ? OptionalInt.empty()
        : Stream.of(image.tag(), image.repository())
            .filter(name -> name != null)
            .flatMap(name -> VERSION.matcher(name).results())
            .mapToInt(it -> Integer.parseInt(it.group(1) == null ? it.group(2) : it.group(1)))
            .findFirst();
  }
}
