package io.offheap.hbase.operator.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.informers.impl.cache.CacheImpl;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Names of pods by cluster, beside the informer's own cache. */
class NameIndexTest {
  private static final ResourceID HB = new ResourceID("hb", "ns");
  private static final ResourceID OTHER = new ResourceID("hb-2", "ns");

  private final CacheImpl<Pod> cache = new CacheImpl<>();
  private final NameIndex<ResourceID, Pod> names =
      new NameIndex<>(pod -> OwnPods.owner(pod).stream().toList(), this::cached);

  /** The result of a read while the cache moves a pod in its indexes. */
  private final List<List<String>> readMeanwhile = new ArrayList<>();

  NameIndexTest() {
    cache.addIndexers(
        Map.of(
            "cluster",
            pod -> {
              readMeanwhile.add(versions(HB));
              names.add(pod);
              return List.of();
            }));
  }

  @Test
  void findsPodWhileItChanges() {
    cache.put(pod("hb", 0, "1"));
    readMeanwhile.clear();

    cache.put(pod("hb", 0, "2"));

    assertThat(readMeanwhile).isNotEmpty().allSatisfy(it -> assertThat(it).containsExactly("2"));
  }

  /** The reason for the class: a reconciliation would take this for a deletion. */
  @Test
  void indexOfCacheMissesPodWhileItChanges() {
    var indexed = new CacheImpl<Pod>();
    var read = new ArrayList<Integer>();
    indexed.addIndexers(
        Map.of(
            "cluster",
            pod -> {
              read.add(indexed.byIndex("cluster", "hb").size());
              return List.of("hb");
            }));
    indexed.put(pod("hb", 0, "1"));
    read.clear();

    indexed.put(pod("hb", 0, "2"));

    assertThat(read).as("before it is taken out, and before it is put in").containsExactly(1, 0);
  }

  @Test
  void eachClusterHasItsOwnPods() {
    cache.put(pod("hb", 0, "1"));
    cache.put(pod("hb", 1, "2"));
    cache.put(pod("hb-2", 0, "3"));

    assertThat(versions(HB)).containsExactlyInAnyOrder("1", "2");
    assertThat(versions(OTHER)).containsExactly("3");
  }

  @Test
  void relabelledPodBelongsOnlyToNewCluster() {
    cache.put(pod("hb", 0, "1"));
    var moved = pod("hb", 0, "2");
    moved.getMetadata().setLabels(pod("hb-2", 0, "").getMetadata().getLabels());
    cache.put(moved);

    assertThat(versions(HB)).isEmpty();
    assertThat(versions(OTHER)).as("its name is of another StatefulSet").isEmpty();
  }

  @Test
  void deletedPodLeavesNoName() {
    var pod = pod("hb", 0, "1");
    cache.put(pod);
    cache.remove(pod);
    assertThat(versions(HB)).isEmpty();

    names.remove(pod);
    assertThat(names.size()).isZero();
  }

  /** A StatefulSet creates a pod of the same name, and the deletion's event may be late. */
  @Test
  void recreatedPodKeepsItsName() {
    var deleted = pod("hb", 0, "1");
    cache.put(deleted);
    cache.remove(deleted);
    cache.put(pod("hb", 0, "2"));

    names.remove(deleted);

    assertThat(versions(HB)).containsExactly("2");
  }

  private List<String> versions(ResourceID cluster) {
    return names.of(cluster).stream().map(it -> it.getMetadata().getResourceVersion()).toList();
  }

  private Optional<Pod> cached(ResourceID name) {
    return Optional.ofNullable(
        cache.getByKey(name.getNamespace().orElseThrow() + "/" + name.getName()));
  }

  private static Pod pod(String cluster, int ordinal, String version) {
    return new PodBuilder()
        .withNewMetadata()
        .withName(cluster + "-master-" + ordinal)
        .withNamespace("ns")
        .withResourceVersion(version)
        .addToLabels("app.kubernetes.io/name", "hbase")
        .addToLabels(Labels.MANAGED_BY, Labels.OPERATOR)
        .addToLabels(Labels.INSTANCE, cluster)
        .addToLabels(Labels.COMPONENT, "master")
        .endMetadata()
        .build();
  }
}
