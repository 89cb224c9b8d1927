package io.offheap.hbase.operator.declare;

import io.offheap.hbase.operator.api.ImageSpec;
import java.util.OptionalInt;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The version of Java in a declared image, by its name: {@code hbase:2.6-jdk21}, {@code
 * hbase-java21}, {@code hbase:21-jre}. There is no other source before a pod runs.
 */
final class ImageJava {
  private static final Pattern VERSION =
      Pattern.compile("(?:jdk|jre|java|temurin)[-_]?([0-9]{1,2})(?![0-9])");

  /** Applied last: in {@code 2.6.4-1-jdk17} it would match the 1. */
  private static final Pattern VERSION_FIRST =
      Pattern.compile("(?<![0-9.])([0-9]{1,2})-(?:jdk|jre)");

  /** The oldest version that runs HBase 2.6. */
  private static final int OLDEST = 8;

  private ImageJava() {}

  /** The major version; empty where no image is declared, or its name has none. */
  static OptionalInt of(ImageSpec image) {
    return image == null
        ? OptionalInt.empty()
        : Stream.of(VERSION, VERSION_FIRST)
            .flatMap(pattern -> versions(image, pattern))
            .mapToInt(Integer::parseInt)
            .filter(it -> it >= OLDEST)
            .findFirst();
  }

  private static Stream<String> versions(ImageSpec image, Pattern pattern) {
    return Stream.of(image.tag(), image.repository())
        .filter(name -> name != null)
        .flatMap(name -> pattern.matcher(name).results())
        .map(it -> it.group(1));
  }
}
