package io.offheap.hbase.observer;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The disk that JFR writes to.
 *
 * <p>It must be monitored: HotSpot ends the process with "An irrecoverable error in Jfr. Shutting
 * down VM..." when a write to the repository finds no space, whichever process filled the disk.
 *
 * @param folder folder that contains JFR's repository
 * @param maxBytes most bytes of complete chunks
 * @param chunkBytes size at which a chunk is complete
 */
record JfrDisk(Path folder, long maxBytes, long chunkBytes) implements DiskSpace {
  /** JFR's own size of a chunk (JfrOptionSet). */
  private static final long DEFAULT_CHUNK_BYTES = 12L << 20;

  /**
   * A chunk ends after its size was exceeded, and then gets its constants (under 0.8 MB, measured).
   */
  private static final long CHUNK_END_BYTES = 1L << 20;

  /** Left free at all times, for writes of other processes between two checks. */
  private static final long RESERVE_BYTES = 32L << 20;

  private static final Pattern SIZE = Pattern.compile("(\\d+)([kmg]?)b?", Pattern.CASE_INSENSITIVE);

  /** From {@code -XX:FlightRecorderOptions} of this process, or JFR's defaults. */
  static JfrDisk ofThisProcess(long maxBytes) {
    var options =
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
            .getVMOption("FlightRecorderOptions")
            .getValue();
    return of(options, System.getProperty("java.io.tmpdir"), maxBytes);
  }

  static JfrDisk of(String flightRecorderOptions, String temporaryFolder, long maxBytes) {
    return new JfrDisk(
        Path.of(option(flightRecorderOptions, "repository").orElse(temporaryFolder)),
        maxBytes,
        option(flightRecorderOptions, "maxchunksize")
            .map(JfrDisk::bytes)
            .orElse(DEFAULT_CHUNK_BYTES));
  }

  private static Optional<String> option(String options, String key) {
    for (var option : (options == null ? "" : options).split(",", -1)) {
      if (option.startsWith(key + "=")) {
        return Optional.of(option.substring(key.length() + 1));
      }
    }
    return Optional.empty();
  }

  private static long bytes(String size) {
    var matcher = SIZE.matcher(size);
    if (!matcher.matches()) {
      return DEFAULT_CHUNK_BYTES;
    }
    var shift =
        switch (matcher.group(2).toLowerCase(Locale.ROOT)) {
          case "k" -> 10;
          case "m" -> 20;
          case "g" -> 30;
          default -> 0;
        };
    return Long.parseLong(matcher.group(1)) << shift;
  }

  /** The most that JFR writes: complete chunks, one just completed, and the current one. */
  long boundBytes() {
    return maxBytes + 2 * (chunkBytes + CHUNK_END_BYTES);
  }

  @Override
  public boolean hasRoomToStart() throws IOException {
    return usableBytes() >= boundBytes() + RESERVE_BYTES;
  }

  @Override
  public boolean hasReserve() throws IOException {
    return usableBytes() >= RESERVE_BYTES;
  }

  private long usableBytes() throws IOException {
    return Files.getFileStore(folder).getUsableSpace();
  }
}
