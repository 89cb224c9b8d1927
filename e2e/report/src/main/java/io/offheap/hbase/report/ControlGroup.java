package io.offheap.hbase.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A control group, of version 1 or 2, whose processes together get as much of the processors as
 * those of each other such group. Without it, a region server's collector waits for the threads of
 * all servers and loads beside it: one took 18 s for 2 s of processor time, and two in a row were
 * longer than the server's session at ZooKeeper.
 *
 * @param folder of the group
 */
record ControlGroup(Path folder) implements ProcessorGroup {
  private static final List<Path> PARENTS =
      List.of(Path.of("/sys/fs/cgroup/cpu"), Path.of("/sys/fs/cgroup"));
  private static final String NAME = "hbase-offheap-report-";
  private static final int TRIES = 50;
  private static final int MILLIS_A_TRY = 100;

  /**
   * Makes a group of this machine.
   *
   * @throws IOException if there can be none: it takes root
   */
  static ControlGroup make(String name) throws IOException {
    return make(PARENTS, name);
  }

  static ControlGroup make(List<Path> parents, String name) throws IOException {
    IOException refused = null;
    for (Path parent : parents) {
      if (!Files.isDirectory(parent)) {
        continue;
      }
      deleteThoseOfEndedProcesses(parent);
      enableProcessors(parent);
      var group =
          new ControlGroup(parent.resolve(NAME + ProcessHandle.current().pid() + "-" + name));
      // Of a process that had this number before a restart of the machine's container.
      delete(group.folder);
      try {
        Files.createDirectory(group.folder);
      } catch (IOException e) {
        refused = e;
        continue;
      }
      if (Files.exists(group.folder.resolve("cpu.shares"))
          || Files.exists(group.folder.resolve("cpu.weight"))) {
        return group;
      }
      Files.delete(group.folder);
    }
    throw new IOException(
        "no control group with a share of the processors; it takes root", refused);
  }

  /** Of version 2, children have the weights of a controller that is listed here. */
  private static void enableProcessors(Path parent) {
    var controllers = parent.resolve("cgroup.subtree_control");
    if (Files.isWritable(controllers)) {
      try {
        Files.writeString(controllers, "+cpu");
      } catch (IOException e) {
        // It has none; the group will show it.
      }
    }
  }

  /** A killed process leaves its groups. */
  private static void deleteThoseOfEndedProcesses(Path parent) throws IOException {
    List<Path> groups;
    try (Stream<Path> children = Files.list(parent)) {
      groups =
          children.filter(it -> it.getFileName().toString().matches(NAME + "[0-9]+-.*")).toList();
    }
    for (Path group : groups) {
      long process =
          Long.parseLong(group.getFileName().toString().substring(NAME.length()).split("-", 2)[0]);
      if (ProcessHandle.of(process).isEmpty()) {
        delete(group);
      }
    }
  }

  @Override
  public List<String> command(List<String> command) {
    var joined =
        new ArrayList<>(
            List.of(
                "bash",
                "-c",
                "{ echo $$ > \"$0\" || exit 125; } && exec \"$@\"",
                folder.resolve("cgroup.procs").toString()));
    joined.addAll(command);
    return joined;
  }

  /** Deletes the group once its processes have ended; where they do not, a later one does. */
  @Override
  public void close() {
    for (int i = 0; i < TRIES && !delete(folder); i++) {
      try {
        TimeUnit.MILLISECONDS.sleep(MILLIS_A_TRY);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  /** Returns false where it has processes. */
  private static boolean delete(Path group) {
    try {
      Files.deleteIfExists(group);
      return true;
    } catch (IOException busy) {
      return false;
    }
  }
}
