package io.offheap.hbase.operator.plan;

import java.util.List;
import java.util.Optional;

/**
 * A value of {@link HBaseKeys#CACHE_ENGINE}, which decides where a bucket cache stores its blocks.
 *
 * @param scheme {@code offheap}, {@code file}, {@code files}, {@code mmap} or {@code pmem}
 * @param paths the text after the scheme, one file or several with commas between; empty for {@code
 *     offheap}
 */
public record CacheEngine(String scheme, String paths) {
  /** Direct memory. */
  static final CacheEngine OFF_HEAP = new CacheEngine("offheap", "");

  private static final String FILE = "file";
  private static final String SEPARATOR = ":";
  private static final List<String> OF_FILES = List.of(FILE, "files", "mmap", "pmem");

  /** An engine with one file. */
  static CacheEngine inFile(String path) {
    return new CacheEngine(FILE, path);
  }

  /**
   * The engine of a text, as {@code BucketCache.getIOEngineFromName} parses it; empty where a
   * region server does not start with it.
   */
  public static Optional<CacheEngine> of(String text) {
    if (text.startsWith(OFF_HEAP.scheme)) {
      return Optional.of(OFF_HEAP);
    }
    return OF_FILES.stream()
        .map(it -> it + SEPARATOR)
        .filter(text::startsWith)
        .map(
            it ->
                new CacheEngine(
                    it.substring(0, it.length() - SEPARATOR.length()), text.substring(it.length())))
        .findFirst();
  }

  /** Whether the blocks are in direct memory. */
  public boolean isOffHeap() {
    return equals(OFF_HEAP);
  }

  /** The file or files of {@code file}; empty for every other scheme. */
  public Optional<String> file() {
    return Optional.of(paths).filter(it -> scheme.equals(FILE));
  }

  /** The text that HBase parses. */
  String text() {
    return isOffHeap() ? scheme : scheme + SEPARATOR + paths;
  }
}
