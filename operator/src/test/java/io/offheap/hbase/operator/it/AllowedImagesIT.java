package io.offheap.hbase.operator.it;

import static io.offheap.hbase.operator.it.ImagesPolicy.DIGEST;
import static io.offheap.hbase.operator.it.ImagesPolicy.image;
import static io.offheap.hbase.operator.it.ImagesPolicy.ofHdfs;
import static io.offheap.hbase.operator.it.ImagesPolicy.ofZooKeeper;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The chart's policy on images that resources declare. */
@ExtendWith(ImagesPolicy.class)
class AllowedImagesIT {
  private static final String REFUSED = "spec.image.repository is old/hbase; must be one of a/b, c";

  private ImagesPolicy.Installed policy;

  @BeforeEach
  void install(ImagesPolicy.Installed installed) {
    policy = installed;
  }

  @Test
  void refusesUnlistedImage() {
    assertThatThrownBy(() -> policy.create("new", "{repository: old/hbase}"))
        .hasMessageContaining(REFUSED);
    assertThatCode(() -> policy.create("listed", "{repository: a/b}")).doesNotThrowAnyException();
    assertThatThrownBy(() -> policy.patch("listed", hbase("old/hbase", null)))
        .hasMessageContaining(REFUSED);
    assertThatThrownBy(() -> policy.patch("default", hbase("old/hbase", null)))
        .hasMessageContaining(REFUSED);
  }

  /** Annotations for a pause or a restart, and the removal of finalizers, must be possible. */
  @Test
  void permitsChangesThatKeepTheImage() {
    for (var name : List.of("running", "untagged")) {
      assertThatCode(
              () -> {
                policy.patch(name, "{\"metadata\":{\"annotations\":{\"x/y\":\"z\"}}}");
                policy.patch(name, "{\"metadata\":{\"finalizers\":[\"x.io/y\"]}}");
                policy.patch(name, "{\"metadata\":{\"finalizers\":[]}}");
                policy.patch(name, "{\"spec\":{\"image\":{\"pullPolicy\":\"Always\"}}}");
              })
          .doesNotThrowAnyException();
    }
  }

  @Test
  void refusesAnotherVersionOfUnlistedImage() {
    for (var name : List.of("running", "untagged")) {
      assertThatThrownBy(() -> policy.patch(name, hbase("old/hbase", "2")))
          .hasMessageContaining(REFUSED);
      assertThatThrownBy(
              () -> policy.patch(name, "{\"spec\":{\"image\":{\"digest\":\"" + DIGEST + "\"}}}"))
          .hasMessageContaining(REFUSED);
    }
    assertThatThrownBy(() -> policy.patch("running", "{\"spec\":{\"image\":{\"tag\":null}}}"))
        .hasMessageContaining(REFUSED);
    assertThatThrownBy(() -> policy.patch("running", hbase("other/hbase", "1")))
        .hasMessageContaining("spec.image.repository is other/hbase");
  }

  /** Their repository is that of HBase, so only a tag or a digest is declared. */
  @Test
  void refusesAnotherImageOfUnlistedRepositoryForZooKeeperAndHdfs() {
    for (var image : List.of("{\"tag\":\"2\"}", "{\"digest\":\"" + DIGEST + "\"}")) {
      assertThatThrownBy(() -> policy.patch("running", ofZooKeeper(image)))
          .hasMessageContaining("for another image of ZooKeeper or HDFS it must be one of a/b, c");
      assertThatThrownBy(() -> policy.patch("running", ofHdfs(image)))
          .hasMessageContaining("for another image of ZooKeeper or HDFS it must be one of a/b, c");
    }
  }

  /** The way back from an image that does not start, also where its declaration is older. */
  @Test
  void permitsFormerImageForZooKeeperAndHdfs() {
    for (var image : List.of("{\"tag\":\"2\"}", "{\"digest\":\"" + DIGEST + "\"}")) {
      assertThatThrownBy(() -> policy.patch("renewed", ofZooKeeper(image)))
          .hasMessageContaining("for another image of ZooKeeper or HDFS it must be one of a/b, c");
    }
    assertThatThrownBy(() -> policy.patch("renewed", ofHdfs("{\"tag\":\"0.1.0\"}")))
        .as("the default image's tag, of another repository")
        .hasMessageContaining("for another image of ZooKeeper or HDFS it must be one of a/b, c");
    assertThatCode(
            () -> {
              policy.patch("renewed", ofZooKeeper("{\"tag\":\"0\"}"));
              policy.patchStatus("renewed", image("zookeeper", "old/hbase:0"));
            })
        .doesNotThrowAnyException();
    assertThatThrownBy(() -> policy.patch("renewed", ofZooKeeper("{\"tag\":\"bad\"}")))
        .as("it is deleted")
        .hasMessageContaining("for another image of ZooKeeper or HDFS it must be one of a/b, c");
  }

  private static String hbase(String repository, String tag) {
    return "{\"spec\":{\"image\":{\"repository\":\"%s\"%s}}}"
        .formatted(repository, tag == null ? "" : ",\"tag\":\"" + tag + "\"");
  }
}
