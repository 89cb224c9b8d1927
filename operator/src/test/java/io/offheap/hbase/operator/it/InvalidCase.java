package io.offheap.hbase.operator.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * A resource that must be refused: a file of {@code invalid/}, whose comments name who refuses it
 * and the message.
 *
 * <pre>
 * # rejected-by: apiserver      or operator
 * # reason: PlanRefused         of the condition Planned, if the operator refuses it
 * # when: created               or updated; both by default
 * # message: words              of the response; may be repeated
 * </pre>
 */
record InvalidCase(Path file, String yaml) {
  private static final Path FOLDER = Path.of("src", "test", "resources", "invalid");

  private static List<InvalidCase> all() throws IOException {
    try (Stream<Path> files = Files.list(FOLDER)) {
      return files.sorted().map(InvalidCase::read).toList();
    }
  }

  /** The cases that one of the two refuses, at the creation or at an update. */
  static List<InvalidCase> of(String rejectedBy, String when) throws IOException {
    return all().stream()
        .filter(it -> it.isRejectedBy(rejectedBy) && it.isTriedWhen(when))
        .toList();
  }

  static InvalidCase named(String name) throws IOException {
    return all().stream().filter(it -> it.toString().equals(name)).findFirst().orElseThrow();
  }

  private static InvalidCase read(Path file) {
    try {
      return new InvalidCase(file, Files.readString(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private boolean isRejectedBy(String whom) {
    return values("rejected-by").equals(List.of(whom));
  }

  private boolean isTriedWhen(String when) {
    var only = values("when");
    return only.isEmpty() || only.contains(when);
  }

  String reason() {
    return values("reason").get(0);
  }

  List<String> messages() {
    return values("message");
  }

  String clusterName() {
    return yaml.lines()
        .filter(line -> line.startsWith("metadata: {name: "))
        .map(line -> line.substring("metadata: {name: ".length(), line.length() - 1))
        .findFirst()
        .orElseThrow();
  }

  private List<String> values(String key) {
    var prefix = "# " + key + ": ";
    return yaml.lines()
        .filter(line -> line.startsWith(prefix))
        .map(line -> line.substring(prefix.length()))
        .toList();
  }

  /** For the name of the test. */
  @Override
  public String toString() {
    return file.getFileName().toString().replace(".yaml", "");
  }
}
