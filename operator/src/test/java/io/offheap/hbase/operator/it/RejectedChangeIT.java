package io.offheap.hbase.operator.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The API server refuses an impossible change that its schema can check, and the running cluster is
 * not changed.
 */
@ExtendWith(ApiServer.class)
@Tag("verify")
class RejectedChangeIT {
  private static InvalidInput input;

  @TempDir private Path folder;

  @BeforeAll
  static void start(ApiServer.Running server) throws IOException {
    input = InvalidInput.start(server, "rejected-change");
  }

  @AfterAll
  static void stop() {
    input.close();
  }

  static List<InvalidCase> rejectedByTheApiServer() throws IOException {
    return InvalidCase.of("apiserver", "updated");
  }

  @ParameterizedTest
  @MethodSource
  void rejectedByTheApiServer(InvalidCase invalid) throws IOException {
    var before = input.runningCluster(folder);
    long generation = input.generation();

    var result = input.apply(invalid);

    assertThat(result.status()).as("exit status of %s", invalid).isNotZero();
    assertThat(result.errors()).contains(invalid.messages());
    assertThat(input.generation()).as("generation").isEqualTo(generation);
    assertThat(input.versions()).isEqualTo(before);
  }
}
