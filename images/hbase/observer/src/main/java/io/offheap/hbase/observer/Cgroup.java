package io.offheap.hbase.observer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * The memory files of this process's control group, version 1 or 2.
 *
 * @param folder folder of the files
 * @param usage name of the file with the bytes in use, page cache included
 * @param limit name of the file with the limit
 * @param inactiveFile key in {@code memory.stat} of page cache that the kernel can drop at once
 */
record Cgroup(Path folder, String usage, String limit, String inactiveFile) {
  /** Version 1 has the largest number of pages for "no limit". */
  private static final long NO_LIMIT = 1L << 60;

  /**
   * Inside a container its own group is the root of the mount. Elsewhere the group's path is in
   * {@code /proc/self/cgroup}; if that folder exists, it is used.
   */
  static Cgroup find(Path root) {
    var mount = root.resolve("sys/fs/cgroup");
    var memory = mount.resolve("memory");
    return Files.isDirectory(memory)
        ? new Cgroup(
            within(memory, path(root, ":memory:"), "memory.usage_in_bytes"),
            "memory.usage_in_bytes",
            "memory.limit_in_bytes",
            "total_inactive_file")
        : new Cgroup(
            within(mount, path(root, "0::"), "memory.current"),
            "memory.current",
            "memory.max",
            "inactive_file");
  }

  private static Path within(Path mount, String path, String file) {
    var folder = mount.resolve(path).normalize();
    return folder.startsWith(mount) && Files.exists(folder.resolve(file)) ? folder : mount;
  }

  private static String path(Path root, String marker) {
    try (Stream<String> lines = Files.lines(root.resolve("proc/self/cgroup"))) {
      return lines
          .filter(line -> line.contains(marker))
          .map(line -> line.substring(line.indexOf(marker) + marker.length()))
          .map(path -> path.startsWith("/") ? path.substring(1) : path)
          .findFirst()
          .orElse("");
    } catch (IOException e) {
      return "";
    }
  }

  /** Bytes in use, page cache included. */
  OptionalLong usageBytes() throws IOException {
    return number(usage);
  }

  /** Empty if there is none. */
  OptionalLong limitBytes() throws IOException {
    var value = number(limit);
    return value.isPresent() && value.getAsLong() < NO_LIMIT ? value : OptionalLong.empty();
  }

  /** Page cache that the kernel drops before anything else, in bytes. */
  long inactiveFileBytes() throws IOException {
    var stat = folder.resolve("memory.stat");
    if (!Files.exists(stat)) {
      return 0;
    }
    for (var line : Files.readAllLines(stat)) {
      if (line.startsWith(inactiveFile + " ")) {
        return Long.parseLong(line.substring(inactiveFile.length() + 1).trim());
      }
    }
    return 0;
  }

  private OptionalLong number(String file) throws IOException {
    var path = folder.resolve(file);
    if (!Files.exists(path)) {
      return OptionalLong.empty();
    }
    var text = Files.readString(path).trim();
    return text.equals("max") ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(text));
  }
}
