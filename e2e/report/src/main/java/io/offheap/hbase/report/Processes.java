package io.offheap.hbase.report;

import java.io.IOException;

/** Processes of scripts that start servers. */
final class Processes {
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
   */
  static int run(ProcessBuilder builder, Attendant attendant)
      throws IOException, InterruptedException {
    var process = builder.start();
    Runtime.getRuntime().addShutdownHook(new Thread(() -> end(process)));
    try {
      attendant.attend(process);
    } catch (IOException e) {
      end(process);
      throw e;
    }
    return process.waitFor();
  }

  private static void end(Process process) {
    process.destroy();
    process.onExit().join();
  }
}
