package io.offheap.hbase.operator.report;

import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.log.LogLine;
import io.offheap.hbase.operator.status.TunedValues;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs the tuned values in a status that are left out, each once while it is there: it stays until
 * tuning writes the status, which may take many reconciliations.
 */
final class LeftOutValues {
  private static final Logger LOG = LoggerFactory.getLogger(LeftOutValues.class);

  /** Those of the last pass, of clusters that have any. */
  private final Map<ResourceID, Set<LeftOut>> logged = new ConcurrentHashMap<>();

  private record LeftOut(String uid, String group, String setting, String value) {}

  /** Logs those that the last pass over this cluster did not find. */
  void log(HBaseCluster cluster) {
    var metadata = cluster.getMetadata();
    var now = new LinkedHashSet<LeftOut>();
    TunedValues.unreadable(cluster)
        .forEach(
            group ->
                group
                    .values()
                    .forEach(
                        it ->
                            now.add(
                                new LeftOut(
                                    metadata.getUid(), group.group(), it.key(), it.value()))));
    var id = ResourceID.fromResource(cluster);
    var before =
        Optional.ofNullable(now.isEmpty() ? logged.remove(id) : logged.put(id, now))
            .orElse(Set.of());
    now.stream()
        .filter(it -> !before.contains(it))
        .forEach(
            it ->
                LOG.warn(
                    "{}",
                    LogLine.of("TunedValueLeftOut")
                        .cluster(metadata.getNamespace(), metadata.getName())
                        .with("group", it.group())
                        .with("setting", it.setting())
                        .with("value", it.value())));
  }

  /** A cluster was deleted. */
  void forget(ResourceID id) {
    logged.remove(id);
  }
}
