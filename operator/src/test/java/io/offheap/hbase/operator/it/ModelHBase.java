package io.offheap.hbase.operator.it;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.cache.Store;
import io.offheap.hbase.operator.hbase.OnlineRevisions;
import io.offheap.hbase.operator.hbase.OnlineRevisions.Wanted;
import io.offheap.hbase.operator.render.OnlineKeys;
import io.offheap.hbase.operator.rollout.HBaseCommand;
import io.offheap.hbase.operator.rollout.HBaseView;
import io.offheap.hbase.operator.rollout.HBaseView.Region;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * A model of HBase for rollouts, in the pods of one cluster of an API server: a region server is
 * live while its pod is ready, or on a node that does not report, and is not {@link #lose lost}.
 * Each region is on one server, and a command takes effect a moment after it was sent. It records
 * violated invariants.
 */
final class ModelHBase implements AutoCloseable {
  private static final int REGIONS_A_SERVER = 5;

  private final KubernetesClient client;
  private final String namespace;
  private final String cluster;
  private final Store<Pod> pods;
  private final Runnable changed;
  private final ScheduledExecutorService loop = Executors.newSingleThreadScheduledExecutor();

  private final Map<String, Set<String>> regions = new TreeMap<>();
  private final Map<String, String> serverOfUid = new HashMap<>();
  private final Set<String> draining = new TreeSet<>();
  private final Set<String> lostPods = new HashSet<>();
  private final List<HBaseCommand> received = new ArrayList<>();
  private final List<String> lost = new ArrayList<>();
  private final Set<String> masters = new TreeSet<>();
  private boolean balancer = true;
  private boolean normalizer;
  private final Map<String, String> online = new HashMap<>();
  private boolean isResponding = true;
  private boolean isArriving = true;
  private int reconfigured;
  private Instant settled = Instant.EPOCH;
  private long startCode = 1_000;
  private HBaseView view;

  /**
   * Starts to follow the pods.
   *
   * @param pods the pods of the namespace
   * @param changed called when its view changes, since a changed view triggers a reconciliation
   */
  ModelHBase(
      KubernetesClient client,
      String namespace,
      String cluster,
      Store<Pod> pods,
      Runnable changed) {
    this.client = client;
    this.namespace = namespace;
    this.cluster = cluster;
    this.pods = pods;
    this.changed = changed;
    var unused = loop.scheduleWithFixedDelay(this::turn, 0, 100, TimeUnit.MILLISECONDS);
  }

  private void turn() {
    try {
      if (isOtherAfterTurn()) {
        changed.run();
      }
    } catch (RuntimeException e) {
      System.err.println("model of HBase: " + e);
    }
  }

  private synchronized boolean isOtherAfterTurn() {
    var before = state();
    var requestedAt = Instant.now();
    follow();
    obey();
    if (isResponding) {
      view = view(requestedAt);
    }
    return !state().equals(before);
  }

  /** Its view without the time. */
  private List<Object> state() {
    return List.of(view().map(it -> it.at(Instant.EPOCH)), Map.copyOf(online));
  }

  private void follow() {
    var alive = new HashSet<String>();
    masters.clear();
    for (Pod pod : pods.list()) {
      var name = pod.getMetadata().getName();
      if (!isServing(pod) || lostPods.contains(name)) {
        continue;
      }
      if (name.startsWith(cluster + "-master-")) {
        masters.add(host(pod) + ",16000," + pod.getMetadata().getUid().hashCode());
      } else if (name.startsWith(cluster + "-regionserver-")) {
        var server =
            serverOfUid.computeIfAbsent(
                pod.getMetadata().getUid(), uid -> host(pod) + ",16020," + startCode++);
        alive.add(server);
        online.computeIfAbsent(server, started -> revision(name));
        if (regions.putIfAbsent(server, new TreeSet<>()) == null && isFirstOf(name)) {
          for (int i = 0; i < REGIONS_A_SERVER; i++) {
            regions.get(server).add(name + "-region-" + i);
          }
        }
      }
    }
    for (String server : List.copyOf(regions.keySet())) {
      if (!alive.contains(server)) {
        var orphans = regions.remove(server);
        if (!orphans.isEmpty()) {
          lost.add(server + " went with " + orphans);
          alive.stream().findFirst().ifPresent(heir -> regions.get(heir).addAll(orphans));
        }
      }
    }
  }

  private boolean isFirstOf(String pod) {
    return serverOfUid.values().stream().filter(it -> it.startsWith(pod + ".")).count() == 1;
  }

  /** A node that does not report leaves the condition of the containers as it was. */
  private static boolean isServing(Pod pod) {
    return pod.getStatus().getConditions().stream()
        .filter(it -> it.getType().equals("Ready") || it.getType().equals("ContainersReady"))
        .anyMatch(it -> it.getStatus().equals("True"));
  }

  /** The process in a pod ends with its node. */
  synchronized void lose(String pod) {
    lostPods.add(pod);
    var ended =
        serverOfUid.entrySet().stream().filter(it -> it.getValue().startsWith(pod + ".")).toList();
    ended.forEach(
        it -> {
          serverOfUid.remove(it.getKey());
          serverOfUid.put("ended: " + it.getValue(), it.getValue());
        });
  }

  /** The next process in a pod starts. */
  synchronized void revive(String pod) {
    lostPods.remove(pod);
  }

  private static String host(Pod pod) {
    return pod.getMetadata().getName() + ".svc";
  }

  private void obey() {
    for (HBaseCommand command : received) {
      if (command instanceof HBaseCommand.SwitchBalancer it) {
        balancer = it.on();
      } else if (command instanceof HBaseCommand.SwitchNormalizer it) {
        normalizer = it.on();
      } else if (command instanceof HBaseCommand.Decommission it) {
        draining.add(it.server());
      } else if (command instanceof HBaseCommand.Recommission it) {
        draining.remove(it.server());
      } else if (command instanceof HBaseCommand.Move it && regions.containsKey(it.destination())) {
        regions.values().forEach(all -> all.remove(it.encodedRegion()));
        regions.get(it.destination()).add(it.encodedRegion());
      } else if (command instanceof HBaseCommand.Reconfigure it
          && regions.containsKey(it.server())) {
        reconfigured++;
        if (isArriving) {
          online.put(it.server(), revision(HBaseView.podOf(it.server())));
        }
      }
      settled = Instant.now();
    }
    received.clear();
  }

  /** The content of the file that the kubelet updates in a pod. */
  private String revision(String pod) {
    var map = pod.substring(0, pod.lastIndexOf('-')) + "-online";
    var file =
        client
            .configMaps()
            .inNamespace(namespace)
            .withName(map)
            .get()
            .getData()
            .get(OnlineKeys.FILE);
    var value = Pattern.compile(OnlineKeys.REVISION + "</name><value>(\\w+)<").matcher(file);
    return value.find() ? value.group(1) : OnlineRevisions.NONE;
  }

  private HBaseView view(Instant requestedAt) {
    var byServer = new HashMap<String, List<Region>>();
    regions.forEach(
        (server, names) ->
            byServer.put(
                server, names.stream().map(name -> new Region(name, false, false)).toList()));
    return new HBaseView(
        requestedAt,
        requestedAt,
        masters.stream().findFirst(),
        Set.copyOf(masters.stream().skip(1).toList()),
        regions.entrySet().stream()
            .map(it -> new HBaseView.Server(it.getKey(), it.getValue().size()))
            .toList(),
        Set.of(),
        Set.of(),
        draining,
        balancer,
        normalizer,
        byServer);
  }

  synchronized Optional<HBaseView> view() {
    return Optional.ofNullable(view);
  }

  synchronized void send(List<HBaseCommand> commands) {
    received.addAll(commands);
  }

  synchronized Optional<Instant> settledAt() {
    return received.isEmpty() ? Optional.of(settled) : Optional.empty();
  }

  /** Whether it responds from now on. */
  synchronized void setResponding(boolean responds) {
    isResponding = responds;
  }

  synchronized Map<String, String> inForce(List<Wanted> wanted) {
    var byUid = new HashMap<String, String>();
    for (Wanted pod : wanted) {
      var server = serverOfUid.get(pod.uid());
      if (server != null) {
        byUid.put(pod.uid(), online.get(server));
      }
    }
    return byUid;
  }

  /** Whether changed files reach the pods from now on. */
  synchronized void letFilesArrive(boolean arrive) {
    isArriving = arrive;
  }

  /** How many commands to reload the configuration the servers got. */
  synchronized int reconfigured() {
    return reconfigured;
  }

  /** Servers that were stopped with regions on them. */
  synchronized List<String> lost() {
    return List.copyOf(lost);
  }

  synchronized boolean isBalancerOn() {
    return balancer;
  }

  synchronized boolean isNormalizerOn() {
    return normalizer;
  }

  synchronized Set<String> draining() {
    return Set.copyOf(draining);
  }

  /** Names of the regions by the pod that their server is in. */
  synchronized Map<String, Set<String>> regionsByPod() {
    var byPod = new TreeMap<String, Set<String>>();
    regions.forEach((server, names) -> byPod.put(HBaseView.podOf(server), Set.copyOf(names)));
    return byPod;
  }

  @Override
  public void close() {
    loop.shutdownNow();
  }
}
