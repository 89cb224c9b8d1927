package io.offheap.hbase.operator.hbase;

import io.offheap.hbase.operator.render.HadoopXml;
import io.offheap.hbase.operator.render.OnlineKeys;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A process of HBase's own classes, with its configuration and log in a folder. */
final class HBaseJvm implements AutoCloseable {
  /** Threads of HBase's clients in this JVM, which one test counts: for {@code @ResourceLock}. */
  static final String CLIENT_THREADS = "threads of HBase's clients";

  private final Process process;

  private HBaseJvm(Process process) {
    this.process = process;
  }

  static HBaseJvm start(
      Path folder, String name, int heapMiB, Map<String, String> site, String... main) {
    try {
      var conf = Files.createDirectories(folder.resolve(name));
      Files.writeString(conf.resolve("hbase-site.xml"), HadoopXml.including(OnlineKeys.FILE, site));
      var command =
          new ArrayList<>(
              List.of(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-Xmx" + heapMiB + "m",
                  "-XX:+UseSerialGC",
                  "-XX:TieredStopAtLevel=1",
                  "-Dzookeeper.admin.enableServer=false",
                  "--add-opens=java.base/java.lang=ALL-UNNAMED",
                  "--add-opens=java.base/java.nio=ALL-UNNAMED",
                  "-cp",
                  conf + File.pathSeparator + System.getProperty("java.class.path")));
      command.addAll(List.of(main));
      return new HBaseJvm(
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(folder.resolve(name + ".log").toFile())
              .start());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** SIGSTOP: the process keeps its connections and does not respond. */
  void freeze() {
    signal("STOP");
  }

  void thaw() {
    signal("CONT");
  }

  private void signal(String name) {
    try {
      int code =
          new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
      if (code != 0) {
        throw new IllegalStateException("kill -" + name + " ended with " + code);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** SIGKILL. */
  @Override
  public void close() {
    try {
      process.destroyForcibly().waitFor(10, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
