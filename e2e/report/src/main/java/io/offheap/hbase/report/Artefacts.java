package io.offheap.hbase.report;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Predicate;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;

/**
 * One word for what was built: the files that a measurement runs, and not the sources that they
 * come from. A jar counts by the content of its entries, in whatever order and at whatever time
 * they were packed.
 */
final class Artefacts {
  private static final int LENGTH = 16;
  // Separates a jar from the beginning of the names of its entries, of which alone it counts.
  private static final String WITHIN = "!";
  // Begins a path that does not count.
  private static final String LEFT_OUT = "!";

  private final Path root;

  /**
   * Creates one.
   *
   * @param root of the project
   */
  Artefacts(Path root) {
    this.root = root;
  }

  /**
   * Returns the word.
   *
   * @param paths below the root, of files and folders; {@code JAR!PREFIX} is that part of a jar,
   *     and {@code !PREFIX} leaves out the files of folders whose paths begin so
   * @throws IOException if one is not there
   */
  String word(List<String> paths) throws IOException {
    var leftOut =
        paths.stream()
            .filter(path -> path.startsWith(LEFT_OUT))
            .map(path -> path.substring(LEFT_OUT.length()))
            .toList();
    var digest = digest();
    for (String path : paths.stream().filter(path -> !path.startsWith(LEFT_OUT)).toList()) {
      int within = path.indexOf(WITHIN);
      if (within >= 0) {
        var jar = present(path.substring(0, within));
        addJar(digest, jar, entry -> entry.getName().startsWith(path.substring(within + 1)));
      } else {
        add(digest, present(path), leftOut);
      }
    }
    return HexFormat.of().formatHex(digest.digest()).substring(0, LENGTH);
  }

  private Path present(String path) throws IOException {
    var file = root.resolve(path);
    if (!Files.exists(file)) {
      throw new IOException(path + " is not there; --build makes it");
    }
    return file;
  }

  private void add(MessageDigest digest, Path path, List<String> leftOut) throws IOException {
    try (var files = Files.walk(path)) {
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
        var below = root.relativize(file).toString();
        if (leftOut.stream().anyMatch(below::startsWith)) {
          continue;
        }
        if (file.toString().endsWith(".jar")) {
          addJar(digest, file, entry -> true);
        } else {
          name(digest, file);
          digest.update(digest().digest(Files.readAllBytes(file)));
        }
      }
    }
  }

  /** By the checksums that the jar has of its entries, which takes milliseconds. */
  private void addJar(MessageDigest digest, Path file, Predicate<ZipEntry> which)
      throws IOException {
    name(digest, file);
    try (var jar = new JarFile(file.toFile())) {
      jar.stream()
          .filter(entry -> !entry.isDirectory() && !isOfBuild(entry.getName()) && which.test(entry))
          .sorted(Comparator.comparing(ZipEntry::getName))
          .forEach(
              entry ->
                  digest.update(
                      "%s %d %d\n"
                          .formatted(entry.getName(), entry.getSize(), entry.getCrc())
                          .getBytes(UTF_8)));
    }
  }

  /** What says when, where and of which commit it was built. */
  private static boolean isOfBuild(String entry) {
    return entry.equals(JarFile.MANIFEST_NAME) || entry.startsWith("META-INF/maven/");
  }

  private void name(MessageDigest digest, Path file) {
    digest.update((root.relativize(file) + "\n").getBytes(UTF_8));
  }

  private static MessageDigest digest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("each JVM has SHA-256", e);
    }
  }
}
