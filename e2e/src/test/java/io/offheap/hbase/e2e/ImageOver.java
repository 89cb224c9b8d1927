package io.offheap.hbase.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** An image that a test makes over another one: with files of the test, in the same repository. */
final class ImageOver implements AutoCloseable {
  private final Shell shell;
  private final String image;
  private final Path folder;

  private ImageOver(Shell shell, String image, Path folder) {
    this.shell = shell;
    this.image = image;
    this.folder = folder;
  }

  /** Of an image with a tag, in a temporary folder that {@link #close} removes. */
  static ImageOver of(Shell shell, String image) throws IOException {
    return new ImageOver(shell, image, Files.createTempDirectory("image"));
  }

  /** Where the files are that the Dockerfile copies. */
  Path folder() {
    return folder;
  }

  /** Builds it with this tag, and loads it into each node. */
  void load(String tag, String dockerfile) throws IOException {
    var other = image.replaceFirst(":[^:/]*$", ":" + tag);
    Files.writeString(folder.resolve("Dockerfile"), "FROM " + image + "\n" + dockerfile);
    shell.output("docker", "build", "-q", "-t", other, folder.toString());
    shell.output("e2e/cluster/cluster", "load", other);
  }

  @Override
  public void close() throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
