package io.offheap.hbase.report;

import java.io.IOException;
import java.util.Set;

/** Processes of scripts that start servers. */
final class Processes {
  // Of SIGINT and SIGTERM.
  private static final Set<Integer> SIGNALLED = Set.of(130, 143);

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
   * @throws InterruptedException if a signal ended it, which is for whatever would follow as well
   */
  static int run(ProcessBuilder builder, Attendant attendant)
      throws IOException, InterruptedException {
    var process = builder.start();
    try {
      Runtime.getRuntime().addShutdownHook(new Thread(() -> end(process)));
    } catch (IllegalStateException e) {
      // This process ends already.
      end(process);
      throw new InterruptedException(e.getMessage());
    }
    try {
      attendant.attend(process);
    } catch (IOException e) {
      end(process);
      throw e;
    }
    int status = process.waitFor();
    if (SIGNALLED.contains(status)) {
      throw new InterruptedException(
          builder.command().get(0) + " was ended by a signal: status " + status);
    }
    return status;
  }

  private static void end(Process process) {
    process.destroy();
    process.onExit().join();
  }
}
