package io.offheap.hbase.report;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;

/** What a run that failed left in its folder. */
final class FailedRun {
  private static final Pattern LOG = Pattern.compile("see (/\\S+\\.log)");
  private static final Pattern EXCEPTION = Pattern.compile("\\b[A-Z]\\w*(Exception|Error): ");
  private static final int LONGEST = 300;
  private static final String REASON = "failure";
  private static final String VARIANT = "failure-variant";

  private FailedRun() {}

  /**
   * The script's own reason, where it wrote one, with the last exception of the log that it names:
   * the log itself is not kept with the results. Without folders of this machine.
   */
  static String reason(Path folder, IOException failure) throws IOException {
    var own = folder.resolve(REASON);
    var reason = Files.exists(own) ? Files.readString(own).strip() : failure.getMessage();
    var exception = lastException(reason).map(it -> ": " + it).orElse("");
    return withoutFolders(reason) + withoutFolders(exception);
  }

  private static String withoutFolders(String text) {
    var names = text.replaceAll("/\\S*/", "");
    return names.substring(0, Math.min(names.length(), LONGEST));
  }

  private static Optional<String> lastException(String reason) throws IOException {
    var log = LOG.matcher(reason);
    if (!log.find() || !Files.exists(Path.of(log.group(1)))) {
      return Optional.empty();
    }
    // What it says is not known to be UTF-8.
    try (var lines = Files.lines(Path.of(log.group(1)), ISO_8859_1)) {
      return lines
          .filter(it -> EXCEPTION.matcher(it).find())
          .reduce((earlier, later) -> later)
          .map(String::strip);
    }
  }

  /** The script shows the servers of a round when all were measured, so it names the one itself. */
  static String variant(Path folder) throws IOException {
    var own = folder.resolve(VARIANT);
    return Files.exists(own) ? Files.readString(own).strip() : "";
  }

  /**
   * Keeps the folder of a run that failed beside that of the unit's next run, which is to begin
   * with none, until that fails and a third one begins.
   */
  static void keep(Path folder) throws IOException {
    if (Files.exists(folder.resolve(REASON))) {
      var kept = folder.resolveSibling(folder.getFileName() + "-failed");
      Runner.delete(kept);
      Files.move(folder, kept);
    }
  }

  /** Forgets why an attempt of a run failed that begins again in its folder. */
  static void forget(Path folder) throws IOException {
    Files.deleteIfExists(folder.resolve(REASON));
    Files.deleteIfExists(folder.resolve(VARIANT));
  }
}
