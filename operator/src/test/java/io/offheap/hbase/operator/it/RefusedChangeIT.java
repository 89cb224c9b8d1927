package io.offheap.hbase.operator.it;

import static io.offheap.hbase.operator.Waits.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.offheap.hbase.operator.api.HBaseCluster;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The operator refuses an impossible change that the API server accepts, and still reconciles the
 * running cluster. {@link RefusedPlanIT} has the changes that give no plan.
 */
@ExtendWith(ApiServer.class)
class RefusedChangeIT {
  private static InvalidInput input;

  @TempDir private Path folder;

  @BeforeAll
  static void start(ApiServer.Running server) throws IOException {
    input = InvalidInput.start(server, "refused-change");
  }

  @AfterAll
  static void stop() {
    input.close();
  }

  static List<InvalidCase> refusedByTheOperator() throws IOException {
    return InvalidCase.of("operator", "updated").stream()
        .filter(it -> !it.reason().equals(RefusedPlanIT.REASON))
        .toList();
  }

  @ParameterizedTest
  @MethodSource
  void refusedByTheOperator(InvalidCase invalid) throws IOException {
    input.assertRefusedWithoutChange(invalid, folder);
  }

  @Test
  void restoresDeletedObjectsOfRefusedResource() throws IOException {
    input.runningCluster(folder);
    var set =
        input
            .client()
            .apps()
            .statefulSets()
            .inNamespace(input.namespace().name())
            .withName("hb-master");
    var before = set.get().getSpec();
    var invalid = InvalidCase.named("good-changes-with-a-bad-one");
    input.apply(invalid).orThrow();
    input.awaitRefusal(invalid);

    set.delete();

    await("StatefulSet restored").atMost(LONG).until(() -> set.get() != null);
    assertThat(set.get().getSpec()).isEqualTo(before);
  }

  @Test
  void waitsForConfigurationOfExternalHdfs(ApiServer.Running server) throws IOException {
    var invalid = InvalidCase.named("external-configuration-missing");
    try (var external = InvalidInput.start(server, "external-hdfs")) {
      var namespace = external.namespace();
      external.apply(invalid).orThrow();
      external.awaitRefusal(invalid);

      var configMap =
          external
              .client()
              .resource(
                  new ConfigMapBuilder()
                      .withNewMetadata()
                      .withName("hdfs-site")
                      .withNamespace(namespace.name())
                      .endMetadata()
                      .addToData("hdfs-site.xml", "<configuration/>")
                      .build())
              .create();

      namespace.awaitReady("hb");
      assertThat(Clusters.configMapsOf(external.client(), namespace.name(), "hb-regionserver"))
          .contains("hdfs-site");

      // The running pods have read it already.
      var before = external.versions();
      external.client().resource(configMap).delete();
      external
          .client()
          .resources(HBaseCluster.class)
          .inNamespace(namespace.name())
          .withName("hb")
          .scale(5);
      external.awaitRefusal(invalid);
      namespace.awaitQuiet();
      assertThat(external.versions()).isEqualTo(before);
    }
  }
}
