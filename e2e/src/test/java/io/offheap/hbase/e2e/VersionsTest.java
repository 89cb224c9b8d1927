package io.offheap.hbase.e2e;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The parent {@code pom.xml} alone decides on versions; documents that name one name the same. */
class VersionsTest {
  private static final String UPGRADE = "docs/how-to/upgrade-hbase.md";
  private static final Versions BUILD = Versions.ofBuild();

  /** What a document calls a product, and the versions of it that the build uses. */
  private static final Map<String, Set<String>> VERSIONS_OF =
      Map.of(
          "HBase", Set.of(BUILD.hbase(), BUILD.oldHBase()),
          "Hadoop", Set.of(BUILD.hadoop()),
          "HDFS", Set.of(BUILD.hadoop()),
          "ZooKeeper", Set.of(BUILD.zookeeper()));

  /** A version given to one of the three products in a {@code pom.xml}, but not as a property. */
  private static final Pattern OWN_IN_POM =
      Pattern.compile(
          "<(?:hbase|hadoop|zookeeper)[\\w.-]*>\\d+\\.[^<]*<"
              + "|<groupId>org\\.apache\\.(?:hbase|hadoop|zookeeper)</groupId>"
              + "\\s*<artifactId>[^<]*</artifactId>\\s*<version>\\d[^<]*<");

  /**
   * Documents that describe the project as it is. All but one in {@code docs}, and the change log,
   * name the version that a formula was read from or a figure was measured with.
   */
  static List<String> documents() {
    return Stream.of(tracked("*.md", ":!docs", ":!CHANGELOG.md"), tracked(UPGRADE))
        .flatMap(List::stream)
        .toList();
  }

  static List<String> otherPoms() {
    return tracked("*/pom.xml");
  }

  @ParameterizedTest
  @MethodSource("documents")
  void documentNamesTheVersionsOfTheBuild(String document) throws IOException {
    assertThat(NamedVersion.in(read(document)))
        .allSatisfy(named -> assertThat(VERSIONS_OF.get(named.product())).contains(named.number()));
  }

  /** Else the test above would pass for a document that names its versions in another form. */
  @ParameterizedTest
  @ValueSource(strings = {"README.md", "images/hbase/README.md", "patches/README.md", UPGRADE})
  void documentNamesTheReleaseInTheImage(String document) throws IOException {
    assertThat(NamedVersion.in(read(document))).contains(new NamedVersion("HBase", BUILD.hbase()));
  }

  @ParameterizedTest
  @MethodSource("otherPoms")
  void moduleTakesItsVersionsFromTheParent(String pom) throws IOException {
    assertThat(OWN_IN_POM.matcher(read(pom)).results().map(own -> own.group())).isEmpty();
  }

  /** Comments may name the version that a formula was read from. */
  @Test
  void noCodeStatesAVersionOfTheBuild() throws IOException {
    var versions =
        Stream.of(BUILD.hbase(), BUILD.oldHBase(), BUILD.hadoop(), BUILD.zookeeper())
            .map(Pattern::quote)
            .collect(joining("|"));
    var stated = Pattern.compile("(?m)^(?!\\s*(?:/?\\*|//|#)).*(?<![\\d.])(?:" + versions + ")\\b");
    var code =
        new String[] {"*.java", "*.yaml", "*.properties", "*Dockerfile", "*/bin/*", "*/build"};
    for (String file : tracked(code)) {
      assertThat(stated.matcher(read(file)).results().map(match -> match.group()))
          .as(file)
          .isEmpty();
    }
  }

  private static List<String> tracked(String... patterns) {
    var command = Stream.concat(Stream.of("git", "ls-files", "--"), Stream.of(patterns));
    return Shell.plain()
        .output(command.toArray(String[]::new))
        .lines()
        .filter(file -> Files.exists(Shell.root().resolve(file)))
        .toList();
  }

  private static String read(String file) throws IOException {
    return Files.readString(Shell.root().resolve(file));
  }
}
