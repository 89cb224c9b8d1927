package io.offheap.hbase.operator.it;

import static io.offheap.hbase.operator.Waits.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.client.dsl.NonNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.offheap.hbase.operator.api.HBaseCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * An impossible cluster is refused, by the API server if its schema can check it, else by the
 * operator: with the field, the value and what it must be.
 */
@ExtendWith(ApiServer.class)
@Tag("verify")
class BadInputIT {
  private static InvalidInput input;

  @BeforeAll
  static void start(ApiServer.Running server) throws IOException {
    input = InvalidInput.start(server, "bad-input");
  }

  @AfterAll
  static void stop() {
    input.close();
  }

  /** So that a case that is accepted by mistake fails no other case. */
  @AfterEach
  void empty() {
    clusters().delete();
    await("deletion")
        .pollDelay(Duration.ZERO)
        .atMost(LONG)
        .until(() -> clusters().list().getItems().isEmpty());
  }

  static List<InvalidCase> rejectedByTheApiServer() throws IOException {
    return InvalidCase.of("apiserver", "created");
  }

  static List<InvalidCase> refusedByTheOperator() throws IOException {
    return InvalidCase.of("operator", "created");
  }

  @ParameterizedTest
  @MethodSource
  void rejectedByTheApiServer(InvalidCase invalid) throws IOException {
    var result = input.apply(invalid);

    assertThat(result.status()).as("exit status of %s", invalid).isNotZero();
    assertThat(result.errors()).contains(invalid.messages());
    assertThat(clusters().list().getItems()).isEmpty();
  }

  @ParameterizedTest
  @MethodSource
  void refusedByTheOperator(InvalidCase invalid) throws IOException {
    input.apply(invalid).orThrow();

    input.awaitRefusal(invalid);

    assertThat(Clusters.owned(input.client(), input.namespace().name())).isEmpty();
    assertThat(input.namespace().condition(invalid.clusterName(), "Ready"))
        .hasValue("False NotPlanned: nothing was made; see condition Planned");
    assertThat(input.namespace().condition(invalid.clusterName(), "Progressing"))
        .hasValue("False " + invalid.reason() + ": the resource is refused; see condition Planned");
  }

  private static NonNamespaceOperation<
          HBaseCluster, KubernetesResourceList<HBaseCluster>, Resource<HBaseCluster>>
      clusters() {
    return input.client().resources(HBaseCluster.class).inNamespace(input.namespace().name());
  }
}
