package io.offheap.hbase.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ScriptsTest {
  private static final String BUSY = "other processes take 3.5 % of the processors' time";

  @TempDir Path folder;

  /** The smoke set is for a machine that does other things as well. */
  @Test
  void patientBenchGivesARunMoreTime() throws Exception {
    var most = new ArrayList<Double>();

    Scripts.patient(6, (folder, minutes, measured) -> most.add(minutes))
        .measure(Path.of("run"), 8.5, figures -> {});

    assertThat(most).containsExactly(51.0);
  }

  /** Fails with the reason so many times, as the script does. */
  private static Runner.Bench failing(int times, String reason, List<String> attempts) {
    return (folder, minutes, measured) -> {
      assertThat(folder.resolve("failure")).doesNotExist();
      attempts.add(reason);
      if (attempts.size() <= times) {
        Files.writeString(folder.resolve("failure"), reason + "\n");
        Files.writeString(folder.resolve("failure-variant"), "e\n");
        throw new IOException("slice ended with 2");
      }
    };
  }

  private void measure(Runner.Bench bench) throws IOException, InterruptedException {
    Scripts.whenIdle(Duration.ZERO, new PrintStream(OutputStream.nullOutputStream()), bench)
        .measure(folder, 1, figures -> {});
  }

  @Test
  void runBeginsAgainWhereTheMachineWasNotIdle() throws Exception {
    var attempts = new ArrayList<String>();

    measure(failing(2, BUSY, attempts));

    assertThat(attempts).hasSize(3);
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void runOnABusyMachineFails() {
    var attempts = new ArrayList<String>();

    assertThatThrownBy(() -> measure(failing(100, BUSY, attempts)))
        .hasMessage("slice ended with 2");

    assertThat(attempts).hasSize(4);
    assertThat(folder.resolve("failure")).hasContent(BUSY);
  }

  @Test
  void runThatFailsForAnotherReasonDoesNotBeginAgain() {
    var attempts = new ArrayList<String>();

    assertThatThrownBy(() -> measure(failing(1, "the server did not start", attempts)))
        .isInstanceOf(IOException.class);

    assertThat(attempts).hasSize(1);
  }

  @Test
  void reasonOfABusyMachineIsThatOfTheScript() {
    assertThat(Path.of("slice")).content().contains("die \"" + Scripts.NOT_IDLE);
  }
}
