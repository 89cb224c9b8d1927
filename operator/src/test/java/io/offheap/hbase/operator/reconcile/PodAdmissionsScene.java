package io.offheap.hbase.operator.reconcile;

import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.offheap.hbase.operator.deploy.PodDryRun;
import io.offheap.hbase.operator.deploy.PodDryRun.Response;
import io.offheap.hbase.operator.observe.PodAdmissions;
import io.offheap.hbase.operator.observe.RestartScope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/** Pods of one cluster that are checked by a dry run, with a clock and responses of the test. */
abstract class PodAdmissionsScene {
  static final String SERVERS = "hb-regionserver";
  static final Response ADMITTED = new PodDryRun.Admitted();
  static final Response SILENT = new PodDryRun.NoResponse();
  static final Response REFUSED = new PodDryRun.Refused("exceeded quota: q");
  static final ResourceID ID = new ResourceID("hb", "ns");

  final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1);
  final Set<ResourceID> there = ConcurrentHashMap.newKeySet();
  final List<String> requested = new ArrayList<>();
  final DryRunCluster cluster = new DryRunCluster();
  final Map<String, Response> responses = new HashMap<>();
  Response response = ADMITTED;
  final PodAdmissions admissions = new PodAdmissions(nanos::get, there::contains, dryRun());

  PodAdmissionsScene() {
    there.add(ID);
  }

  final PodAdmissions.DryRun dryRun() {
    return (client, set, ordinal, isReplaced) -> {
      var pod = set.getMetadata().getName() + "-" + ordinal;
      requested.add(pod + (isReplaced ? "" : " missing"));
      return responses.getOrDefault(pod, response);
    };
  }

  /** The pods that are refused. */
  Map<String, String> refused() {
    return refused(RestartScope.ALL);
  }

  Map<String, String> refused(RestartScope scope) {
    return admissions.refused(cluster.observed(), cluster.rollout(), role -> scope, null);
  }

  Map<String, String> refusedAfter(Duration time) {
    nanos.addAndGet(time.toNanos());
    return refused();
  }

  /** Names of the pods that were checked since the last call. */
  List<String> requested() {
    var names = List.copyOf(requested);
    requested.clear();
    return names;
  }

  static Map<String, String> all(String message, int... ordinals) {
    var pods = new TreeMap<String, String>();
    IntStream.of(ordinals).forEach(it -> pods.put(SERVERS + "-" + it, message));
    return pods;
  }
}
