package io.offheap.hbase.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class ProcessesTest {
  private static ProcessBuilder bash(String script) {
    return new ProcessBuilder("bash", "-c", script);
  }

  @Test
  void returnsTheStatus() throws Exception {
    assertThat(Processes.run(bash("exit 3"), "it", 1, process -> {})).isEqualTo(3);
  }

  @Test
  void signalEndsWhateverWouldFollow() {
    assertThatThrownBy(() -> Processes.run(bash("kill -TERM $$"), "it", 1, process -> {}))
        .isInstanceOf(InterruptedException.class)
        .hasMessage("it was ended by a signal: status 143");
    assertThatThrownBy(() -> Processes.run(bash("exit 130"), "it", 1, process -> {}))
        .isInstanceOf(InterruptedException.class);
  }

  /** The shell's trap needs the command that it waits for to end. */
  @Test
  void processOfNoMoreUseIsEnded() {
    var running = new AtomicReference<Process>();

    assertThatThrownBy(
            () ->
                Processes.run(
                    bash("trap 'exit 130' TERM; sleep 60; true"),
                    "it",
                    10,
                    process -> {
                      running.set(process);
                      while (process.descendants().findAny().isEmpty()) {
                        Thread.onSpinWait();
                      }
                      throw new IOException("a figure is missing");
                    }))
        .hasMessage("a figure is missing");

    assertThat(running.get().isAlive()).isFalse();
  }

  /** A hundredth of a minute; the shell's trap needs the command that it waits for to end. */
  @Test
  void processThatTakesTooLongIsEndedAndFails() {
    assertThatThrownBy(
            () ->
                Processes.run(
                    bash("trap 'exit 130' TERM; sleep 60; true"), "it", 0.01, process -> {}))
        .isInstanceOf(IOException.class)
        .hasMessage("it took over 0.0 min");
  }
}
