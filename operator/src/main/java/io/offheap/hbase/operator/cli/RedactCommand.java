package io.offheap.hbase.operator.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@link Redaction} of all files of a folder, for {@code kubectl hbc report}. */
@Command(
    name = "redact",
    hidden = true,
    description =
        "Leaves the secrets of an HBaseCluster, as JSON at stdin, out of a folder's files.")
final class RedactCommand implements Callable<Integer> {
  @Parameters(paramLabel = "FOLDER", description = "Its files are changed.")
  private Path folder;

  /** Each error leads to no archive. */
  @Override
  public Integer call() throws IOException {
    var redaction = new Redaction(new JsonMapper().readTree(System.in));
    try (var files = Files.walk(folder)) {
      for (var file : files.filter(Files::isRegularFile).toList()) {
        Files.writeString(file, redaction.of(Files.readString(file, ISO_8859_1)), ISO_8859_1);
      }
    }
    return OfflineTool.DONE;
  }
}
