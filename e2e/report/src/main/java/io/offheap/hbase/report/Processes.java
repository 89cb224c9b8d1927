package io.offheap.hbase.report;

import java.io.IOException;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** Processes of scripts that start servers. */
final class Processes {
  // Of SIGINT and SIGTERM.
  private static final Set<Integer> SIGNALLED = Set.of(130, 143);

  private static final double MILLIS_A_MINUTE = 60e3;

  private Processes() {}

  /** What is done while a process runs. */
  interface Attendant {
    /**
     * Attends to it until it has ended.
     *
     * @throws IOException if the process is of no more use
     */
    void attend(Process process) throws IOException;
  }

  /**
   * Runs one, and returns its exit status. Its servers end with it, and it ends with this process,
   * which waits for that: a new run needs the same ports.
   *
   * @param title what a message calls it
   * @param mostMinutes after which it is ended
   * @throws IOException if it took longer, or is of no more use
   * @throws InterruptedException if a signal ended it, which is for whatever would follow as well
   */
  static int run(ProcessBuilder builder, String title, double mostMinutes, Attendant attendant)
      throws IOException, InterruptedException {
    var process = builder.start();
    var atEnd = new Thread(() -> end(process));
    try {
      Runtime.getRuntime().addShutdownHook(atEnd);
    } catch (IllegalStateException e) {
      // This process ends already.
      end(process);
      throw new InterruptedException(e.getMessage());
    }
    try {
      return attended(process, title, mostMinutes, attendant);
    } finally {
      if (!process.isAlive()) {
        keepNoLonger(atEnd);
      }
    }
  }

  /** The number of a process that has ended may be another's later. */
  private static void keepNoLonger(Thread atEnd) {
    try {
      Runtime.getRuntime().removeShutdownHook(atEnd);
    } catch (IllegalStateException e) {
      // It runs.
    }
  }

  private static int attended(
      Process process, String title, double mostMinutes, Attendant attendant)
      throws IOException, InterruptedException {
    var late = new AtomicBoolean();
    watch(process, mostMinutes, late);
    try {
      attendant.attend(process);
    } catch (IOException e) {
      end(process);
      throw e;
    }
    int status = process.waitFor();
    if (late.get()) {
      throw new IOException(
          String.format(Locale.ROOT, "%s took over %.1f min", title, mostMinutes));
    }
    if (SIGNALLED.contains(status)) {
      throw new InterruptedException(title + " was ended by a signal: status " + status);
    }
    return status;
  }

  private static void watch(Process process, double mostMinutes, AtomicBoolean late) {
    var watch =
        new Thread(
            () -> {
              try {
                if (!process.waitFor(
                    Math.round(mostMinutes * MILLIS_A_MINUTE), TimeUnit.MILLISECONDS)) {
                  late.set(true);
                  destroy(process);
                }
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            },
            "limit of a run");
    watch.setDaemon(true);
    watch.start();
  }

  private static void end(Process process) {
    destroy(process);
    process.onExit().join();
  }

  /** A shell carries out its trap when the command that it waits for has ended. */
  private static void destroy(Process process) {
    if (!process.isAlive()) {
      return;
    }
    var children = process.descendants().toList();
    process.destroy();
    children.forEach(ProcessHandle::destroy);
  }
}
