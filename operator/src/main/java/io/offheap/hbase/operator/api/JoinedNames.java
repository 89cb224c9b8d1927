package io.offheap.hbase.operator.api;

import com.fasterxml.jackson.databind.util.StdConverter;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * Names of regions in status, as one element of their list: {@code kubectl describe} prints each
 * element on a line of its own, and a region server may have hundreds of regions.
 *
 * <p>The list stays one, since a definition of an earlier version, which Helm does not update,
 * refuses a text in its place. Encoded names of regions contain no space.
 */
final class JoinedNames {
  private JoinedNames() {}

  /** Joins names. */
  static final class Writer extends StdConverter<List<String>, List<String>> {
    @Override
    public List<String> convert(List<String> names) {
      return names.isEmpty() ? names : List.of(String.join(" ", names));
    }
  }

  /** Reads names, also those that an earlier version wrote one by one. */
  static final class Reader extends StdConverter<List<String>, List<String>> {
    @Override
    public List<String> convert(List<String> elements) {
      return elements.stream()
          .filter(Objects::nonNull)
          .flatMap(element -> Stream.of(element.split("\\s+")))
          .filter(name -> !name.isEmpty())
          .toList();
    }
  }
}
