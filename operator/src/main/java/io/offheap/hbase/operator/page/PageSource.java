package io.offheap.hbase.operator.page;

import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.hbase.ServerHistory;
import io.offheap.hbase.operator.reconcile.PlanPreview;
import io.offheap.hbase.operator.report.RecentEvents;
import java.time.Clock;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The page's data. All of it is in memory; no call waits for Kubernetes, HBase or a reconciliation.
 *
 * @param leads whether this process reconciles
 * @param leader the leading pod, if known
 * @param clusters all clusters; none if this process does not lead
 * @param cluster a cluster by its id
 * @param history the last hour of region servers
 * @param events the latest events
 * @param preview plans a cluster with the spec of another resource; may take seconds
 * @param clock the time
 */
public record PageSource(
    BooleanSupplier leads,
    Supplier<Optional<String>> leader,
    Supplier<Stream<HBaseCluster>> clusters,
    Function<ResourceID, Optional<HBaseCluster>> cluster,
    ServerHistory history,
    RecentEvents events,
    BiFunction<HBaseCluster, HBaseCluster, PlanPreview.Result> preview,
    Clock clock) {}
