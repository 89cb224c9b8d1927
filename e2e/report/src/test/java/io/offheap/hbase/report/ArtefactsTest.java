package io.offheap.hbase.report;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.JarOutputStream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ArtefactsTest {
  @TempDir Path root;

  private void jar(String name, Map<String, String> entries, long packed) throws IOException {
    Files.createDirectories(root.resolve("lib"));
    try (var jar = new JarOutputStream(Files.newOutputStream(root.resolve("lib").resolve(name)))) {
      for (var entry : entries.entrySet()) {
        var present = new ZipEntry(entry.getKey());
        present.setLastModifiedTime(FileTime.fromMillis(packed));
        jar.putNextEntry(present);
        jar.write(entry.getValue().getBytes(UTF_8));
        jar.closeEntry();
      }
    }
  }

  private String word(String... paths) throws IOException {
    return new Artefacts(root).word(List.of(paths));
  }

  @Test
  void jarCountsByTheContentOfItsEntries() throws IOException {
    var entries = new LinkedHashMap<String, String>();
    entries.put("META-INF/MANIFEST.MF", "Build-Jdk: 17");
    entries.put("A.class", "a");
    entries.put("B.class", "b");
    jar("one.jar", entries, 1_000_000_000_000L);
    var before = word("lib");

    var others = new LinkedHashMap<String, String>();
    others.put("B.class", "b");
    others.put("META-INF/maven/group/artifact/pom.properties", "today");
    others.put("A.class", "a");
    jar("one.jar", others, 1_700_000_000_000L);
    assertThat(word("lib")).isEqualTo(before).hasSize(16);

    others.put("A.class", "c");
    jar("one.jar", others, 1_700_000_000_000L);
    assertThat(word("lib")).isNotEqualTo(before);
  }

  @Test
  void partOfAJarIsThatOfTheEntriesWhoseNamesBeginSo() throws IOException {
    jar("one.jar", Map.of("plan/A.class", "a", "rollout/B.class", "b"), 0);
    var before = word("lib/one.jar!plan/");

    jar("one.jar", Map.of("plan/A.class", "a", "rollout/B.class", "other"), 0);
    assertThat(word("lib/one.jar!plan/")).isEqualTo(before);

    jar("one.jar", Map.of("plan/A.class", "other", "rollout/B.class", "b"), 0);
    assertThat(word("lib/one.jar!plan/")).isNotEqualTo(before);
  }

  @Test
  void folderCountsByTheNamesAndContentsOfItsFiles() throws IOException {
    Files.createDirectories(root.resolve("bin/more"));
    Files.writeString(root.resolve("bin/more/run"), "one");
    var before = word("bin");

    Files.setLastModifiedTime(root.resolve("bin/more/run"), FileTime.fromMillis(0));
    assertThat(word("bin")).isEqualTo(before);

    Files.move(root.resolve("bin/more/run"), root.resolve("bin/more/walk"));
    assertThat(word("bin")).isNotEqualTo(before);
  }

  @Test
  void filesWhosePathsBeginSoAreLeftOut() throws IOException {
    jar("tools-1.jar", Map.of("A.class", "a"), 0);
    jar("server-1.jar", Map.of("B.class", "b"), 0);
    var before = word("lib", "!lib/tools-");

    jar("tools-1.jar", Map.of("A.class", "other"), 0);
    jar("tools-2.jar", Map.of("A.class", "a"), 0);
    assertThat(word("lib", "!lib/tools-")).isEqualTo(before);

    jar("server-1.jar", Map.of("B.class", "other"), 0);
    assertThat(word("lib", "!lib/tools-")).isNotEqualTo(before);
  }

  @Test
  void whatIsNotBuiltHasNoWord() {
    assertThatThrownBy(() -> word("images/target/lib"))
        .isInstanceOf(IOException.class)
        .hasMessage("images/target/lib is not there; --build makes it");
  }
}
