package io.offheap.hbase.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;

class ScriptsTest {
  /** The smoke set is for a machine that does other things as well. */
  @Test
  void patientBenchGivesARunMoreTime() throws Exception {
    var most = new ArrayList<Double>();

    Scripts.patient(6, (folder, minutes, measured) -> most.add(minutes))
        .measure(Path.of("run"), 8.5, figures -> {});

    assertThat(most).containsExactly(51.0);
  }
}
