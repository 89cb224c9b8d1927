package io.offheap.hbase.report;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ControlGroupTest {
  @TempDir Path folder;

  @Test
  void refusesFoldersThatHaveNoShareOfTheProcessors() throws IOException {
    assertThatThrownBy(() -> ControlGroup.make(List.of(folder, folder.resolve("none")), "shape"))
        .isInstanceOf(IOException.class)
        .hasMessage("no control group with a share of the processors; it takes root");

    assertThat(folder).isEmptyDirectory();
  }

  /** A process that no longer runs: the kernel gives none so high a number. */
  @Test
  void deletesGroupsOfEndedProcesses() throws IOException {
    var ended = Files.createDirectory(folder.resolve("hbase-offheap-report-4194305-shape"));
    var running =
        Files.createDirectory(
            folder.resolve("hbase-offheap-report-" + ProcessHandle.current().pid() + "-other"));
    var ofOthers = Files.createDirectory(folder.resolve("hbase-offheap-report"));

    assertThatThrownBy(() -> ControlGroup.make(List.of(folder), "shape"))
        .isInstanceOf(IOException.class);

    assertThat(ended).doesNotExist();
    assertThat(running).exists();
    assertThat(ofOthers).exists();
  }

  @Test
  void commandJoinsTheGroupFirst() throws Exception {
    var group = new ControlGroup(folder);
    var process =
        new ProcessBuilder(
                group.command(List.of("bash", "-c", "echo $$; cat \"$1\"", "x", "procs")))
            .directory(folder.toFile())
            .redirectErrorStream(true);
    Files.createSymbolicLink(folder.resolve("procs"), Path.of("cgroup.procs"));

    var started = process.start();
    var pid = Long.toString(started.pid());

    assertThat(new String(started.getInputStream().readAllBytes(), UTF_8).lines())
        .containsExactly(pid, pid);
  }

  @Test
  void closeDeletesTheGroup() throws IOException {
    var group = new ControlGroup(Files.createDirectory(folder.resolve("group")));

    group.close();
    group.close();

    assertThat(group.folder()).doesNotExist();
  }
}
