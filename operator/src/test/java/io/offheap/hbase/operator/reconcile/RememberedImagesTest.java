package io.offheap.hbase.operator.reconcile;

import static java.time.ZoneOffset.UTC;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.utils.Serialization;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.HBaseClusterStatus.Images;
import io.offheap.hbase.operator.api.HBaseClusterStatus.LastGood;
import io.offheap.hbase.operator.api.RolloutStatus.RolledBack;
import io.offheap.hbase.operator.declare.PodRights;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Which remembered images count: those that the chart's policy permits in a status that has none
 * yet. Another one would be refused with each status that the operator writes.
 */
class RememberedImagesTest {
  private static final String OWN = "ours/hbase:2";
  private static final String DIGEST = "sha256:" + "0".repeat(64);
  private static final Instant NOW = Instant.parse("2025-11-02T02:00:00Z");

  @ParameterizedTest
  @CsvSource(
      nullValues = "none",
      value = {
        // image, declared repository, listed repository, permitted
        "ours/hbase:9, none, none, true",
        "ours/hbase@DIGEST, none, none, true",
        "ours/hbase:9@DIGEST, none, none, false",
        "evil/hbase:1, none, none, false",
        "ours/hbase2:1, none, none, false",
        "evil:5000/ours/hbase:1, none, none, false",
        "ours/hbase, none, none, false",
        "theirs/hbase:9, theirs/hbase, none, true",
        "theirs/hbase:1, theirs/hbase, a/b, true",
        "theirs/hbase:9, theirs/hbase, a/b, false",
        "a/b:9, theirs/hbase, a/b, true",
        "'a/b:1 x', theirs/hbase, a/b, false",
      })
  void imagesAreHeldAgainstWhatMayBeDeclared(
      String template, String declared, String listed, boolean isPermitted) {
    var image = template.replace("DIGEST", DIGEST);
    var hbase = declared == null ? "" : "image: {repository: " + declared + ", tag: '1'}";
    var check = check(cluster(hbase, "", ""), listed == null ? Set.of() : Set.of(listed));

    var left = check.check(remembered(new Images(OWN, OWN, null, image)));

    assertThat(left.images()).isEqualTo(new Images(OWN, OWN, null, isPermitted ? image : null));
    assertThat(check.problems()).hasSize(isPermitted ? 0 : 1);
  }

  /** Otherwise they would be another version's after the status is deleted. */
  @Test
  void imagesOfDeclaredTagsCountForTheirRoleAlone() {
    var cluster =
        cluster(
            "image: {repository: 'reg:5000/hbase', tag: '1'}",
            "image: {tag: '2'}",
            "image: {tag: '3', digest: '" + DIGEST + "'}");
    var images =
        new Images(OWN, "reg:5000/hbase:1", "reg:5000/hbase:2", "reg:5000/hbase@" + DIGEST);
    var check = check(cluster, Set.of("a/b"));

    assertThat(check.check(remembered(images)).images()).isEqualTo(images);
    assertThat(check.problems()).isEmpty();

    var others =
        new Images(OWN, "reg:5000/hbase:1", "reg:5000/hbase@" + DIGEST, "reg:5000/hbase:3");

    assertThat(check.check(remembered(others)).images())
        .isEqualTo(new Images(OWN, "reg:5000/hbase:1"));
    assertThat(check.problems())
        .satisfiesExactly(
            it ->
                assertThat(it).startsWith("images.zookeeper is left out: reg:5000/hbase@" + DIGEST),
            it -> assertThat(it).startsWith("images.hdfs is left out: reg:5000/hbase:3"));
  }

  /** What spec leaves out is that of the image that the cluster was made with. */
  @Test
  void versionThatSpecLeavesOutIsThatOfTheRememberedDefault() {
    var images = new Images("ours/hbase:1", "theirs/hbase:1");
    var check = check(cluster("image: {repository: theirs/hbase}", "", ""), Set.of("a/b"));

    assertThat(check.check(remembered(images)).images()).isEqualTo(images);
    assertThat(check.check(remembered(new Images("ours/hbase:1", "theirs/hbase:2"))).images())
        .isEqualTo(images);
  }

  /** The policy permits it in no status: it would permit any version of this repository. */
  @Test
  void defaultImageIsOfTheOperatorsRepositoryOrAListedOne() {
    var check =
        check(cluster("image: {repository: theirs/hbase, tag: '1'}", "", ""), Set.of("a/b"));

    var left =
        check.check(remembered(new Images("theirs/hbase:1", "theirs/hbase:1", null, "a/b:3")));

    assertThat(left.images()).isEqualTo(new Images(OWN, "theirs/hbase:1", null, "a/b:3"));
    assertThat(check.problems())
        .singleElement()
        .asString()
        .startsWith("images.defaultImage is left out: theirs/hbase:1");
  }

  @Test
  void aRefusedImageIsLeftOutAndTheRestCounts() {
    var cluster = cluster("", "", "");
    var back = new RolledBack("", "0123456789", "NotServing", List.of(), "2025-11-01T02:00:00Z");
    var good = new LastGood(cluster.getSpec(), null);
    var check = check(cluster, Set.of());

    var left =
        check.check(
            new Remembered(
                1,
                "",
                new Images("ours/hbase:1", "evil/hbase:1", "ours/hbase:0", null),
                null,
                null,
                good,
                List.of(back),
                null,
                null,
                null));

    assertThat(left.images())
        .isEqualTo(new Images("ours/hbase:1", "ours/hbase:1", "ours/hbase:0", null));
    assertThat(left.lastGood()).isEqualTo(good);
    assertThat(left.rolledBack()).containsExactly(back);
    assertThat(check.problems())
        .singleElement()
        .asString()
        .startsWith("images.infrastructure is left out: evil/hbase:1");
  }

  private static RememberedCheck check(HBaseCluster cluster, Set<String> allowed) {
    return new RememberedCheck(
        cluster, new PermittedImages(OWN, allowed), PodRights.NONE, Clock.fixed(NOW, UTC));
  }

  private static Remembered remembered(Images images) {
    return new Remembered(1, "", images, null, null, null, null, null, null, null);
  }

  private static HBaseCluster cluster(String hbase, String zookeeper, String hdfs) {
    return Serialization.unmarshal(
        """
        metadata: {name: hb, namespace: ns, generation: 1}
        spec:
          %s
          zookeeper: {managed: {%s}}
          storage: {managed: {%s}}
          regionServers: {memory: {heap: 1Gi, offHeap: 512Mi}}
        """
            .formatted(hbase, zookeeper, hdfs),
        HBaseCluster.class);
  }
}
