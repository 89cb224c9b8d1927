package io.offheap.hbase.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MemoryBenchTest {
  private static final Machine MACHINE = new Machine("p", 2, 4, "17", "6");
  private static final MemoryShape SHAPE =
      new MemoryShape("memory-lru-2", "Lru", 2, 60, 500, null, 3, null);

  @TempDir Path folder;

  private MemoryBench bench(int status) throws IOException {
    var script = folder.resolve("measure-" + status);
    Files.writeString(
        script,
        """
        #!/usr/bin/env bash
        echo "$*" > "%1$s/arguments"
        echo "$PORT_BASE $GROUP" > "%1$s/port-$2"
        printf '%%s' '{"name": "x", "container": {"item": "container", "predicted": 100,
          "measured": 98}, "parts": [], "pauses": {}}' > "${8}/$2-2Gi.json"
        exit %2$d
        """
            .formatted(folder, status));
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
    return new MemoryBench(
        script,
        folder.resolve("results"),
        folder.resolve("scratch"),
        "abc",
        MACHINE,
        () -> {},
        Named::new);
  }

  /** A group that its processes know by a variable. */
  private record Named(String name) implements ProcessorGroup {
    @Override
    public List<String> command(List<String> command) {
      return Stream.concat(Stream.of("env", "GROUP=" + name), command.stream()).toList();
    }

    @Override
    public void close() {
      // There is nothing.
    }
  }

  private List<Job> jobs(int status, String files) throws IOException {
    return bench(status).jobs(List.of(SHAPE), files);
  }

  private static void run(List<Job> jobs) throws IOException, InterruptedException {
    Job.runAll(jobs, new PrintStream(PrintStream.nullOutputStream()));
  }

  @Test
  void measuresByTheScriptAndKeepsWhatItWrote() throws Exception {
    run(jobs(0, "files"));

    var result = Store.read(folder.resolve("results"), "memory-lru-2", MemoryResult.class);
    assertThat(result.orElseThrow().memory().container().measured()).isEqualTo(98);
    assertThat(result.orElseThrow().commit()).isEqualTo("abc");
    assertThat(result.orElseThrow().minutes()).isBetween(0.0, 1.0);
    assertThat(folder.resolve("arguments"))
        .content()
        .startsWith("--mode Lru --size 2Gi --seconds 60 --out ")
        .endsWith(" --rows 500\n");
  }

  @Test
  void shapesAtOnceHavePortsAndResultsOfTheirOwn() throws Exception {
    var shapes =
        Stream.of("OffHeap", "Lru")
            .map(mode -> new MemoryShape("memory-" + mode, mode, 2, 60, 500, "hour", 7, null))
            .toList();

    var jobs = bench(0).jobs(shapes, "files");

    assertThat(jobs).extracting(Job::title).containsExactly("memory-OffHeap, memory-Lru");
    assertThat(jobs).extracting(Job::minutes).containsExactly(7.0);
    run(jobs);
    assertThat(folder.resolve("port-OffHeap")).hasContent("27000 memory-OffHeap");
    assertThat(folder.resolve("port-Lru")).hasContent("29000 memory-Lru");
    assertThat(bench(0).jobs(shapes, "files")).isEmpty();
  }

  @Test
  void planThatDoesNotHoldIsAResult() throws Exception {
    run(jobs(1, "files"));

    assertThat(Store.read(folder.resolve("results"), "memory-lru-2", MemoryResult.class))
        .isPresent();
  }

  @Test
  void shapeThatWasNotMeasuredFails() throws Exception {
    var jobs = jobs(2, "files");

    assertThatThrownBy(() -> run(jobs))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("memory-lru-2 ended with 2");
  }

  @Test
  void onlyWhatOtherInputsGaveIsDueAgain() throws Exception {
    run(jobs(0, "files"));

    assertThat(jobs(0, "files")).isEmpty();
    assertThat(jobs(0, "other")).hasSize(1);
  }
}
