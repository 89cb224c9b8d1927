package io.offheap.hbase.operator.it;

import static io.offheap.hbase.operator.it.ImagesPolicy.ANOTHER_DIGEST;
import static io.offheap.hbase.operator.it.ImagesPolicy.DEFAULT;
import static io.offheap.hbase.operator.it.ImagesPolicy.DIGEST;
import static io.offheap.hbase.operator.it.ImagesPolicy.image;
import static io.offheap.hbase.operator.it.ImagesPolicy.images;
import static io.offheap.hbase.operator.it.ImagesPolicy.ofHdfs;
import static io.offheap.hbase.operator.it.ImagesPolicy.ofZooKeeper;
import static io.offheap.hbase.operator.it.ImagesPolicy.status;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.offheap.hbase.operator.api.HBaseClusterStatus;
import io.offheap.hbase.operator.api.HBaseClusterStatus.Images;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The chart's policy on images in status: it permits those that the operator writes there. */
@ExtendWith(ImagesPolicy.class)
class AllowedStatusImagesIT {
  private ImagesPolicy.Installed policy;

  @BeforeEach
  void install(ImagesPolicy.Installed installed) {
    policy = installed;
  }

  /** The operator creates pods with images from status too, so the policy checks its writers. */
  @Test
  void refusesUnlistedImageInStatus() {
    for (var status :
        List.of(
            "{\"status\":{\"images\":{\"defaultImage\":\"evil/x:1\"}}}",
            "{\"status\":{\"images\":{\"infrastructure\":\"evil/x:1\"}}}",
            "{\"status\":{\"images\":{\"defaultImage\":\"c:5000/evil:1\"}}}",
            "{\"status\":{\"images\":{\"defaultImage\":\"a/b/evil:1\"}}}")) {
      assertThatThrownBy(() -> policy.patchStatus("default", status))
          .as(status)
          .hasMessageContaining("; must be of a/b, c, hbase-offheap/hbase");
    }
    for (var status :
        List.of(
            "{\"status\":{\"appliedSpec\":{\"image\":{\"repository\":\"evil/x\"}}}}",
            "{\"status\":{\"lastGood\":{\"spec\":{\"image\":{\"repository\":\"evil/x\"}}}}}")) {
      assertThatThrownBy(() -> policy.patchStatus("default", status))
          .as(status)
          .hasMessageContaining("status.appliedSpec and status.lastGood must be");
    }
    assertThatThrownBy(() -> policy.patchStatus("running", status("old/hbase:2", "old/hbase", "2")))
        .hasMessageContaining("status.images.defaultImage is old/hbase:2; must be of");
  }

  @Test
  void permitsImagesInStatusThatTheOperatorWrites() {
    assertThatCode(
            () -> {
              policy.patchStatus("running", status("old/hbase:1", "old/hbase", "1"));
              policy.patchStatus("untagged", images("hbase-offheap/hbase:7", "old/hbase:7"));
              policy.patchStatus("default", status("hbase-offheap/hbase:0.1.0", "a/b", "1"));
              policy.patchStatus("default", status("c@" + DIGEST, "c", "1"));
              policy.patchStatus("default", "{\"status\":{\"replicas\":3}}");
            })
        .doesNotThrowAnyException();
  }

  /** The version comes from the default image where spec declares none. */
  @Test
  void refusesAnotherVersionInStatusThanTheDefault() {
    for (var image : List.of("old/hbase:8", "old/hbase", "old/hbase:", "old/hbase:7x")) {
      assertThatThrownBy(
              () -> policy.patchStatus("untagged", images("hbase-offheap/hbase:7", image)))
          .as(image)
          .hasMessageContaining("status.images.infrastructure is " + image);
    }
    assertThatThrownBy(
            () ->
                policy.patchStatus(
                    "untagged",
                    "{\"status\":{\"images\":{\"defaultImage\":null,"
                        + "\"infrastructure\":\"old/hbase\"}}}"))
        .hasMessageContaining("status.images.infrastructure is old/hbase");
  }

  @Test
  void refusesImagesInStatusThatOnlyBeginLikePermittedOnes() {
    for (var image :
        List.of(
            "",
            ":1",
            "c",
            "c:",
            "c-evil:1",
            "a/b-evil:1",
            "a/b:1@" + DIGEST,
            "a/b@" + DIGEST + "/evil",
            "a/b:1/evil",
            "a/b@sha256:0",
            "evil/a/b:1",
            "c:5000/evil@" + DIGEST)) {
      for (var field : List.of("defaultImage", "infrastructure", "zookeeper", "hdfs")) {
        assertThatThrownBy(() -> policy.patchStatus("empty", image(field, image)))
            .as(field + " " + image)
            .hasMessageContaining("status.images." + field + " is " + image);
      }
    }
  }

  /** A status that is written with the resource is dropped by the API server. */
  @Test
  void createsNoStatus() {
    var cluster = ImagesPolicy.cluster("with-status", "{}");
    cluster.setStatus(
        HBaseClusterStatus.empty()
            .remembering(null, new Images("evil/x:1", "evil/x:1"), null, null, null, null));

    assertThat(policy.create(cluster).getStatus()).isNull();
  }

  /** An expression that fails refuses. */
  @Test
  void refusesImageInStatusThatIsNoImage() {
    for (var image : List.of("{\"repository\":[\"a/b\"]}", "{\"repository\":5}", "[]")) {
      for (var status :
          List.of(
              "{\"status\":{\"appliedSpec\":{\"image\":" + image + "}}}",
              "{\"status\":{\"lastGood\":{\"spec\":{\"image\":" + image + "}}}}")) {
        assertThatThrownBy(() -> policy.patchStatus("empty", status))
            .as(status)
            .hasMessageContaining("ValidatingAdmissionPolicy");
      }
    }
  }

  /**
   * The default image names the repository where spec names none: a resource that is moved to its
   * own unlisted repository as the default could declare any version of it.
   */
  @Test
  void refusesUnlistedDefaultImageThatAnotherFieldHas() {
    for (var image : List.of("old/hbase:1", "old/hbase:2", "old/hbase:3")) {
      assertThatThrownBy(() -> policy.patchStatus("swapped", image("defaultImage", image)))
          .as(image)
          .hasMessageContaining("status.images.defaultImage is " + image);
    }
    assertThatThrownBy(() -> policy.patchStatus("swapped", image("infrastructure", "old/hbase:2")))
        .hasMessageContaining("status.images.infrastructure is old/hbase:2");
    assertThatThrownBy(() -> policy.patchStatus("swapped", image("zookeeper", "old/hbase:3")))
        .hasMessageContaining("status.images.zookeeper is old/hbase:3");
    assertThatThrownBy(() -> policy.patchStatus("swapped", image("hdfs", "old/hbase:2")))
        .hasMessageContaining("status.images.hdfs is old/hbase:2");
    assertThatCode(
            () -> {
              policy.patchStatus("swapped", image("hdfs", "old/hbase:3"));
              policy.patchStatus("swapped", image("zookeeper", "old/hbase:1"));
              policy.patchStatus("swapped", "{\"status\":{\"images\":{\"hdfs\":null}}}");
            })
        .doesNotThrowAnyException();
  }

  @Test
  void permitsStatusOfDeclaredImagesForZooKeeperAndHdfsAlone() {
    policy.patch("older", ofZooKeeper("{\"tag\":\"2\"}"));
    policy.patch("older", ofHdfs("{\"tag\":\"3\"}"));

    for (var image :
        List.of("older/hbase:4", "older/hbase/evil:2", "evil/hbase:2", "older:2", "older/hbase")) {
      for (var field : List.of("zookeeper", "hdfs")) {
        assertThatThrownBy(() -> policy.patchStatus("older", image(field, image)))
            .as(field + " " + image)
            .hasMessageContaining("status.images." + field + " is " + image + "; must be of");
      }
    }
    assertThatThrownBy(() -> policy.patchStatus("older", image("zookeeper", "older/hbase:3")))
        .as("declared for HDFS alone")
        .hasMessageContaining("status.images.zookeeper is older/hbase:3");
    assertThatCode(
            () -> {
              policy.patchStatus("older", image("zookeeper", "older/hbase:2"));
              policy.patchStatus("older", image("hdfs", "older/hbase:3"));
              policy.patchStatus("older", image("hdfs", "hbase-offheap/hbase:4"));
            })
        .doesNotThrowAnyException();
  }

  /** The repository is that of HBase, and no other that the cluster had once. */
  @Test
  void refusesDeclaredTagOfAnEarlierRepositoryInStatus() {
    policy.patch("moved", ofZooKeeper("{\"tag\":\"evil\"}"));

    for (var field : List.of("defaultImage", "infrastructure", "zookeeper", "hdfs")) {
      assertThatThrownBy(() -> policy.patchStatus("moved", image(field, "old/hbase:evil")))
          .as(field)
          .hasMessageContaining("status.images." + field + " is old/hbase:evil");
    }
    assertThatCode(
            () -> {
              policy.patchStatus("moved", image("zookeeper", "a/b:evil"));
              policy.patchStatus("moved", images(DEFAULT, "old/hbase:1"));
            })
        .doesNotThrowAnyException();
  }

  /** A status that was deleted: nothing before says what the images were. */
  @Test
  void permitsStatusOfDeclaredImagesAfterNone() {
    assertThatCode(
            () ->
                policy.patchStatus(
                    "blank",
                    """
                    {"status": {"images": {"defaultImage": "%s", "infrastructure": "old/hbase:1",
                     "zookeeper": "old/hbase:2"},
                     "appliedSpec": {"image": {"repository": "old/hbase", "tag": "1"}}}}
                    """
                        .formatted(DEFAULT)))
        .doesNotThrowAnyException();
  }

  @Test
  void refusesStatusOfImagesThatAreDeclaredForOtherPods() {
    for (var field : List.of("defaultImage", "infrastructure", "hdfs")) {
      assertThatThrownBy(() -> policy.patchStatus("blank", image(field, "old/hbase:2")))
          .as(field)
          .hasMessageContaining("status.images." + field + " is old/hbase:2");
    }
  }

  /**
   * The image has served, and its declaration was removed while no operator ran. Each status that
   * the operator writes has that image.
   */
  @Test
  void permitsStatusOfTheOperatorWithAnImageThatIsDeclaredNoMore() {
    policy.patch("forgotten", ofZooKeeper("null"));
    var kept = image("zookeeper", "old/hbase:2");

    assertThatThrownBy(() -> policy.patchStatus("forgotten", kept))
        .as("by another writer of status")
        .hasMessageContaining("status.images.zookeeper is old/hbase:2; must be of");
    assertThatCode(() -> policy.patchStatusAsOperator("forgotten", kept))
        .doesNotThrowAnyException();
    assertThatThrownBy(() -> policy.patchStatus("forgotten", image("zookeeper", "old/hbase:3")))
        .as("by another writer, afterwards")
        .hasMessageContaining("status.images.zookeeper is old/hbase:3; must be of");
    assertThatCode(() -> policy.patchStatus("forgotten", "{\"status\":{\"replicas\":3}}"))
        .doesNotThrowAnyException();
  }

  /** Of spec in the one, of the default image in the other, where a digest is declared as well. */
  @ParameterizedTest
  @CsvSource({
    "port, reg:5000/hbase:2, reg:5000/hbase@sha256:1",
    "older-port, reg:5000/hbase@sha256:1, reg:5000/hbase:2"
  })
  void permitsStatusOfDeclaredImagesOfRegistryWithPort(
      String name, String declared, String another) {
    for (var image :
        List.of(
            "reg:2",
            "reg:5000/hbase:1",
            "reg:5000/hbase:3",
            "reg:5000/hbase-evil:2",
            another.replace("sha256:1", ANOTHER_DIGEST))) {
      assertThatThrownBy(() -> policy.patchStatus(name, image("hdfs", image)))
          .as(image)
          .hasMessageContaining("status.images.hdfs is " + image);
    }
    assertThatCode(
            () -> {
              policy.patchStatus(name, image("infrastructure", "reg:5000/hbase@" + DIGEST));
              policy.patchStatus(name, image("hdfs", declared.replace("sha256:1", ANOTHER_DIGEST)));
            })
        .doesNotThrowAnyException();
  }
}
