package io.offheap.hbase.operator.it;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The operator refuses a change that gives no plan: sizes that do not fit, or contradictions. */
@ExtendWith(ApiServer.class)
class RefusedPlanIT {
  static final String REASON = "PlanRefused";

  private static InvalidInput input;

  @TempDir private Path folder;

  @BeforeAll
  static void start(ApiServer.Running server) throws IOException {
    input = InvalidInput.start(server, "refused-plan");
  }

  @AfterAll
  static void stop() {
    input.close();
  }

  static List<InvalidCase> refusedByTheOperator() throws IOException {
    return InvalidCase.of("operator", "updated").stream()
        .filter(it -> it.reason().equals(REASON))
        .toList();
  }

  @ParameterizedTest
  @MethodSource
  void refusedByTheOperator(InvalidCase invalid) throws IOException {
    input.assertRefusedWithoutChange(invalid, folder);
  }
}
