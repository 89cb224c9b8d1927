package io.offheap.hbase.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * When a checkpoint is made, and that nothing ends the process that makes them. Java is a script;
 * {@code ImageIT} has a real name node.
 */
class CheckpointTest {
  private static final Path IMAGE = Path.of("").toAbsolutePath();
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  @TempDir private Path folder;
  private Path home;
  private Process process;

  @BeforeEach
  void image() throws IOException {
    home = Files.createDirectories(folder.resolve("home"));
    for (var file : List.of("bin/checkpoint", "bin/java.sh", "conf/jvm-base.options")) {
      Files.createDirectories(home.resolve(file).getParent());
      Files.copy(IMAGE.resolve(file), home.resolve(file), StandardCopyOption.COPY_ATTRIBUTES);
    }
    var configuration = Files.createDirectory(folder.resolve("conf"));
    for (var file : List.of("core-site.xml", "hdfs-site.xml", "jvm.options")) {
      Files.writeString(configuration.resolve(file), "");
    }
  }

  /**
   * What it has started would continue for a moment, and write to the folder that is deleted next.
   */
  @AfterEach
  void end() throws InterruptedException {
    var started = process.descendants().toList();
    process.destroyForcibly().waitFor();
    started.forEach(ProcessHandle::destroyForcibly);
    await("the end of each process").atMost(PATIENCE).until(this::areEnded);
  }

  private boolean areEnded() {
    var left =
        ProcessHandle.allProcesses()
            .filter(it -> it.info().commandLine().orElse("").contains(folder.toString()))
            .toList();
    left.forEach(ProcessHandle::destroyForcibly);
    return left.isEmpty();
  }

  @Test
  void oneIsMadeInEachPeriodWithPublishedJarsAndNothingOfTheLast() throws Exception {
    start("mkdir " + folder + "/checkpoint || exit 1", "1", "3600", "3600");

    awaitCheckpoints(3);

    assertThat(checkpoints())
        .allMatch(it -> it.contains(home + "/hadoop/published/*"))
        .allMatch(it -> it.endsWith("namenode.SecondaryNameNode -checkpoint force"));
    assertThat(Files.readString(folder.resolve("messages"))).isEmpty();
    assertThat(process.isAlive()).isTrue();
  }

  @Test
  void oneThatFailsIsTriedAgainAndNothingEnds() throws Exception {
    start("exit 1", "3600", "1", "3600");

    awaitCheckpoints(3);

    assertThat(process.isAlive()).isTrue();
    assertThat(Files.readString(folder.resolve("messages")))
        .contains("checkpoint: a checkpoint failed, the next one is tried in 1 s")
        .contains("checkpoint: a checkpoint failed, the next one is tried in 2 s");
  }

  @Test
  void oneThatHangsIsEndedAndTriedAgain() throws Exception {
    start("exec sleep 3600", "3600", "1", "1");

    awaitCheckpoints(2);

    assertThat(process.isAlive()).isTrue();
  }

  @Test
  void aPodThatStopsWaitsForNone() throws Exception {
    start("exec sleep 3600", "3600", "3600", "3600");
    awaitCheckpoints(1);

    process.destroy();

    assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isEqualTo(143);
  }

  @Test
  void aPodThatStopsWaitsForNoPeriod() throws Exception {
    start("exit 0", "3600", "3600", "3600");
    awaitCheckpoints(1);

    process.destroy();

    assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isEqualTo(143);
  }

  private void start(String java, String period, String retry, String timeout) throws IOException {
    var script = Files.createDirectories(folder.resolve("jdk/bin")).resolve("java");
    Files.writeString(
        script, "#!/bin/sh\necho \"$@\" >> %s/checkpoints\n%s\n".formatted(folder, java));
    assertThat(script.toFile().setExecutable(true)).isTrue();
    var builder =
        new ProcessBuilder(home + "/bin/checkpoint")
            .redirectError(folder.resolve("messages").toFile());
    builder.environment().put("HBASE_HOME", home.toString());
    builder.environment().put("HBASE_CONF_DIR", folder.resolve("conf").toString());
    builder.environment().put("JAVA_HOME", folder.resolve("jdk").toString());
    builder.environment().put("CHECKPOINT_DIR", folder.resolve("checkpoint").toString());
    builder.environment().put("CHECKPOINT_PERIOD", period);
    builder.environment().put("CHECKPOINT_RETRY", retry);
    builder.environment().put("CHECKPOINT_TIMEOUT", timeout);
    process = builder.start();
  }

  private void awaitCheckpoints(int count) {
    await(count + " checkpoints").atMost(PATIENCE).until(() -> checkpoints().size() >= count);
  }

  private List<String> checkpoints() throws IOException {
    var file = folder.resolve("checkpoints");
    return Files.exists(file) ? Files.readAllLines(file) : List.of();
  }
}
