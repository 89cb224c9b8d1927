package io.offheap.hbase.operator.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.utils.Serialization;
import io.offheap.hbase.operator.api.HBaseClusterSpec;
import io.offheap.hbase.operator.api.HBaseClusterStatus.Images;
import io.offheap.hbase.operator.deploy.Role;
import org.junit.jupiter.api.Test;

class InfrastructureImagesTest {
  private static final Images MADE_WITH = new Images("ours/hbase:2", "ours/hbase:1");
  private static final String DIGEST = "sha256:" + "0".repeat(64);

  @Test
  void keepsImageThatPodsWereMadeWith() {
    var images = InfrastructureImages.declared(MADE_WITH, spec("", "", ""));

    assertThat(images).isEqualTo(MADE_WITH);
    assertThat(of(images)).containsExactly("ours/hbase:1", "ours/hbase:1", "ours/hbase:1");
  }

  @Test
  void takesDeclaredTagOrDigestOfTheRepository() {
    var images =
        InfrastructureImages.declared(
            MADE_WITH,
            spec("", "image: {tag: '3'}", "image: {tag: '3', digest: '" + DIGEST + "'}"));

    assertThat(of(images))
        .containsExactly("ours/hbase:3", "ours/hbase@" + DIGEST, "ours/hbase@" + DIGEST);
  }

  @Test
  void takesRepositoryOfHBase() {
    var images =
        InfrastructureImages.declared(
            MADE_WITH,
            spec("image: {repository: 'host:5000/hbase', tag: '7'}", "", "image: {tag: '3'}"));

    assertThat(of(images))
        .containsExactly("ours/hbase:1", "host:5000/hbase:3", "host:5000/hbase:3");
  }

  /** A name node does not start with the files of a later version. */
  @Test
  void keepsDeclaredImageThatIsLeftOutAgain() {
    var declared =
        InfrastructureImages.declared(
            MADE_WITH, spec("", "image: {tag: '3'}", "image: {tag: '4'}"));

    var images = InfrastructureImages.declared(declared, spec("", "", ""));

    assertThat(of(images)).containsExactly("ours/hbase:3", "ours/hbase:4", "ours/hbase:4");
  }

  private static String[] of(Images images) {
    return new String[] {
      InfrastructureImages.of(images, Role.ZOOKEEPER),
      InfrastructureImages.of(images, Role.NAMENODE),
      InfrastructureImages.of(images, Role.DATANODE)
    };
  }

  private static HBaseClusterSpec spec(String hbase, String zookeeper, String hdfs) {
    return Serialization.unmarshal(
        """
        ---
        %s
        zookeeper: {managed: {%s}}
        storage: {managed: {%s}}
        regionServers: {memory: {heap: 1Gi, offHeap: 512Mi}}
        """
            .formatted(hbase, zookeeper, hdfs),
        HBaseClusterSpec.class);
  }
}
