package io.offheap.hbase.e2e.measure;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * The JVM's own account of its native memory, and how much of it is resident.
 *
 * <p>What the JVM maps may be committed and never touched, so its resident pages are counted. What
 * it gets from malloc goes by its peak: the C library seldom gives freed memory back.
 *
 * @param resident bytes of the resident pages that the JVM mapped, by the tracker's category
 * @param mallocPeak most bytes that were ever allocated by malloc, by category
 */
record NativeMemory(Map<String, Long> resident, Map<String, Long> mallocPeak) {
  private static final int PAGE_BYTES = 4096;
  private static final long PRESENT = 1L << 63;
  private static final int PAGES_READ = 1 << 16;
  private static final Pattern REGION =
      Pattern.compile(
          "(?m)^\\[0x(\\p{XDigit}+) - 0x(\\p{XDigit}+)] reserved (?:and committed )?\\d+KB for"
              + " (.+?)(?: from)?$");
  private static final Pattern CATEGORY = Pattern.compile("(?m)^- +(.+?) \\(reserved=");
  private static final Pattern MALLOC =
      Pattern.compile("\\((?:malloc|arena)=(\\d+)KB #\\d+\\) \\((?:at peak|peak=(\\d+)KB)");

  /** Of a process with {@code -XX:NativeMemoryTracking=detail}. */
  static NativeMemory of(long pid) throws IOException {
    var process = new ProcessBuilder("jcmd", Long.toString(pid), "VM.native_memory", "detail");
    var tracked = new String(process.start().getInputStream().readAllBytes(), US_ASCII);
    if (!tracked.contains("Virtual memory map:")) {
      throw new IOException("process " + pid + " does not track its native memory: " + tracked);
    }
    return new NativeMemory(resident(pid, tracked), mallocPeak(tracked));
  }

  private static Map<String, Long> resident(long pid, String tracked) throws IOException {
    var resident = new TreeMap<String, Long>();
    try (var pages = new RandomAccessFile("/proc/" + pid + "/pagemap", "r")) {
      for (MatchResult region : REGION.matcher(tracked).results().toList()) {
        long start = Long.parseUnsignedLong(region.group(1), 16);
        long end = Long.parseUnsignedLong(region.group(2), 16);
        resident.merge(region.group(3), residentBytes(pages, start, end), Long::sum);
      }
    }
    return resident;
  }

  private static long residentBytes(RandomAccessFile pages, long start, long end)
      throws IOException {
    var entries = ByteBuffer.allocate(PAGES_READ * Long.BYTES).order(ByteOrder.nativeOrder());
    long present = 0;
    pages.seek(start / PAGE_BYTES * Long.BYTES);
    for (long left = (end - start) / PAGE_BYTES; left > 0; left -= PAGES_READ) {
      int count = (int) Math.min(left, PAGES_READ);
      pages.readFully(entries.array(), 0, count * Long.BYTES);
      for (int i = 0; i < count; i++) {
        present += (entries.getLong(i * Long.BYTES) & PRESENT) == 0 ? 0 : 1;
      }
    }
    return present * PAGE_BYTES;
  }

  private static Map<String, Long> mallocPeak(String tracked) {
    var peaks = new TreeMap<String, Long>();
    var categories = CATEGORY.matcher(tracked.substring(0, tracked.indexOf("Virtual memory map:")));
    int end = tracked.indexOf("Virtual memory map:");
    for (MatchResult category : categories.results().toList()) {
      int next = tracked.indexOf("\n- ", category.end());
      var lines = tracked.substring(category.end(), next < 0 ? end : Math.min(next, end));
      long bytes =
          MALLOC
              .matcher(lines)
              .results()
              .mapToLong(line -> Long.parseLong(line.group(line.group(2) == null ? 1 : 2)) * 1024)
              .sum();
      peaks.merge(category.group(1), bytes, Long::sum);
    }
    return peaks;
  }

  long residentBytes(String category) {
    return resident.getOrDefault(category, 0L);
  }

  long mallocPeakBytes(String category) {
    return mallocPeak.getOrDefault(category, 0L);
  }

  /** The most that was ever resident of a process. */
  static long peakResidentBytes(long pid) throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc", Long.toString(pid), "status"))) {
      if (line.startsWith("VmHWM:")) {
        return Long.parseLong(line.replaceAll("\\D", "")) * 1024;
      }
    }
    throw new IOException("no VmHWM of process " + pid);
  }
}
