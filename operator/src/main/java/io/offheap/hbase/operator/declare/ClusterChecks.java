package io.offheap.hbase.operator.declare;

import static java.util.Comparator.comparingInt;

import io.fabric8.kubernetes.api.model.Quantity;
import io.offheap.hbase.operator.api.BlockCacheSpec;
import io.offheap.hbase.operator.api.CacheVolumeSpec;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.HBaseClusterSpec;
import io.offheap.hbase.operator.api.NetworkPolicySpec;
import io.offheap.hbase.operator.api.ResourcesSpec;
import io.offheap.hbase.operator.api.RolloutSpec;
import io.offheap.hbase.operator.api.WebPagesSpec;
import io.offheap.hbase.operator.api.ZooKeeperSpec;
import io.offheap.hbase.operator.plan.Names;
import io.offheap.hbase.operator.plan.PlanProblem;
import io.offheap.hbase.operator.tune.Rules;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What the schema cannot say of a resource: the API server does not estimate the cost of rules over
 * unbounded names, and its messages do not tell the values of two fields.
 */
public final class ClusterChecks {
  private static final int LONGEST_SET_NAME = 52;

  /** Each reading in it is kept in memory, for each server. */
  public static final Duration LONGEST_WINDOW = Duration.ofHours(24);

  private static final Pattern IN_USE =
      Pattern.compile(
          "/|/(bin|boot|data|dev|etc|lib|lib64|opt|proc|root|run|sbin|sys|tmp|usr)(/.*)?");

  private static final Pattern LABEL =
      Pattern.compile(
          "([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?"
              + "[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?");

  private static final Pattern SERVER = Pattern.compile("[^\\s,:/]+(?::(?<port>[0-9]{1,5}))?");

  private static final int LAST_PORT = 65_535;

  /** Of the name of a label: a domain, a slash and a word. */
  private static final int LONGEST_DOMAIN = 253;

  private static final int LONGEST_LABEL = LONGEST_DOMAIN + 1 + 63;

  private ClusterChecks() {}

  /** Everything that keeps a cluster of this resource from being made; empty where nothing does. */
  public static List<PlanProblem> problems(HBaseCluster cluster) {
    return problems(cluster, PodRights.ALL);
  }

  /**
   * The same by an operator.
   *
   * @param rights what its settings permit to pod templates
   */
  public static List<PlanProblem> problems(HBaseCluster cluster, PodRights rights) {
    var problems = new ArrayList<PlanProblem>();
    var name = cluster.getMetadata().getName();
    if (!name.matches("[a-z]([-a-z0-9]*[a-z0-9])?")) {
      problems.add(
          new PlanProblem(
              "metadata.name",
              "'"
                  + name
                  + "' gives no service name; must be a letter, then lower case letters,"
                  + " digits and dashes"));
    }
    var hdfs = cluster.getSpec().storage().managed();
    if (hdfs != null && hdfs.replication() > hdfs.dataNodes()) {
      problems.add(
          new PlanProblem(
              "spec.storage.managed.replication",
              hdfs.replication()
                  + " copies cannot be kept on "
                  + hdfs.dataNodes()
                  + " dataNodes; must be at most "
                  + hdfs.dataNodes()));
    }
    checkQuorum(cluster.getSpec().zookeeper().external(), problems);
    checkCounts(cluster.getSpec(), problems);
    ServerGroups.of(cluster.getSpec())
        .forEach(
            group -> {
              checkName(name, group, problems);
              checkCount(group.path() + ".replicas", group.spec().replicas(), 1000, problems);
              checkResources(group, problems);
              checkCacheFolder(group, problems);
            });
    checkRollout(cluster.getSpec().rollout(), problems);
    checkPeers("networkPolicy.clients", cluster.getSpec().networkPolicy().clients(), problems);
    checkPeers("networkPolicy.hdfs", cluster.getSpec().networkPolicy().hdfs(), problems);
    checkPeers("networkPolicy.metrics", cluster.getSpec().networkPolicy().metrics(), problems);
    checkPeers("webPages.clients", WebPagesSpec.of(cluster.getSpec()).clients(), problems);
    var tuning = cluster.getSpec().tuning();
    checkDuration("tuning.window", tuning.window(), problems);
    checkDuration("tuning.warmUp", tuning.warmUp(), problems);
    RolloutSettings.duration(tuning.window())
        .filter(it -> it.compareTo(LONGEST_WINDOW) > 0)
        .ifPresent(
            it ->
                problems.add(
                    new PlanProblem(
                        "spec.tuning.window",
                        tuning.window()
                            + " is longer than what is kept of the servers' metrics; must be at most"
                            + " 24h")));
    checkDuration("tuning.coolDown", tuning.coolDown(), problems);
    checkDisabledRules(tuning.disabledRules(), problems);
    problems.addAll(GroupNames.problems(cluster.getSpec()));
    problems.addAll(changedVolumes(cluster));
    problems.addAll(RoleConfigs.problems(cluster.getSpec()));
    problems.addAll(PodTemplateChecks.problems(cluster.getSpec(), rights));
    return problems;
  }

  /**
   * The bounds of the schema, for those that read none: the hosts of a billion servers, of which
   * somebody asks what would become, would take all memory.
   */
  private static void checkCounts(HBaseClusterSpec spec, List<PlanProblem> problems) {
    checkCount("spec.masters.replicas", spec.masters().replicas(), 9, problems);
    var zookeeper = spec.zookeeper().managed();
    if (zookeeper != null) {
      checkCount("spec.zookeeper.managed.replicas", zookeeper.replicas(), 5, problems);
    }
    var hdfs = spec.storage().managed();
    if (hdfs != null) {
      checkCount("spec.storage.managed.dataNodes", hdfs.dataNodes(), 1000, problems);
    }
  }

  private static void checkCount(String field, int count, int most, List<PlanProblem> problems) {
    if (count < 1 || count > most) {
      problems.add(new PlanProblem(field, count + " must be 1 to " + most));
    }
  }

  /** The command line reads resources that no schema has checked. */
  private static void checkQuorum(ZooKeeperSpec.External external, List<PlanProblem> problems) {
    if (external == null) {
      return;
    }
    Arrays.stream(external.quorum().split(",", -1))
        .filter(server -> !isServer(server))
        .findFirst()
        .ifPresent(
            server ->
                problems.add(
                    new PlanProblem(
                        "spec.zookeeper.external.quorum",
                        "'"
                            + server
                            + "' is not a server; must be host or host:port, without a path: the"
                            + " znode is spec.zookeeper.external.znodeParent")));
  }

  private static boolean isServer(String text) {
    var server = SERVER.matcher(text);
    if (!server.matches()) {
      return false;
    }
    var port = server.group("port");
    return port == null || (Integer.parseInt(port) > 0 && Integer.parseInt(port) <= LAST_PORT);
  }

  /** The API server would refuse the policies, again and again. */
  private static void checkPeers(
      String field, List<NetworkPolicySpec.Peer> peers, List<PlanProblem> problems) {
    for (int i = 0; i < peers.size(); i++) {
      var path = "spec." + field + "[" + i + "]";
      var namespaces = Optional.ofNullable(peers.get(i).namespaceLabels()).orElse(Map.of());
      checkLabels(path + ".namespaceLabels", namespaces, problems);
      checkLabels(path + ".podLabels", peers.get(i).podLabels(), problems);
    }
  }

  private static void checkLabels(
      String field, Map<String, String> labels, List<PlanProblem> problems) {
    labels.keySet().stream()
        .filter(name -> !isLabel(name))
        .sorted()
        .forEach(
            name ->
                problems.add(
                    new PlanProblem(
                        field,
                        "'"
                            + name
                            + "' is not a label's name; must be such as app or example.com/app")));
  }

  /** Lengths first: the pattern calls itself for each part of a domain. */
  static boolean isLabel(String name) {
    return name.length() <= LONGEST_LABEL
        && name.indexOf('/') <= LONGEST_DOMAIN
        && LABEL.matcher(name).matches();
  }

  private static void checkRollout(RolloutSpec rollout, List<PlanProblem> problems) {
    checkDuration("rollout.drainTimeout", rollout.drainTimeout(), problems);
    checkDuration("rollout.startTimeout", rollout.startTimeout(), problems);
    checkDuration("rollout.canary.window", rollout.canary().window(), problems);
    for (int i = 0; i < rollout.windows().size(); i++) {
      var window = rollout.windows().get(i);
      if (RolloutSettings.zone(window).isEmpty()) {
        problems.add(
            new PlanProblem(
                "spec.rollout.windows[" + i + "].timeZone",
                "'" + window.timeZone() + "' is not a time zone; must be such as Europe/Paris"));
      }
    }
  }

  private static void checkDuration(String field, String text, List<PlanProblem> problems) {
    if (RolloutSettings.duration(text).isEmpty()) {
      problems.add(
          new PlanProblem(
              "spec." + field,
              "'"
                  + text
                  + "' is not a time over 0; must be hours, minutes and seconds, such as 1h30m"));
    }
  }

  /** The schema permits any name, so that a new rule does not change it. */
  private static void checkDisabledRules(List<String> disabled, List<PlanProblem> problems) {
    var names = Rules.all().names();
    for (int i = 0; i < disabled.size(); i++) {
      var name = disabled.get(i);
      if (names.contains(name)) {
        continue;
      }
      var nearest = names.stream().min(comparingInt(it -> Names.distance(it, name))).orElseThrow();
      problems.add(
          new PlanProblem(
              "spec.tuning.disabledRules[" + i + "]",
              "'"
                  + name
                  + "' is not a rule; the nearest is "
                  + nearest
                  + "; must be one of "
                  + String.join(", ", names)));
    }
  }

  /** Kubernetes labels a StatefulSet's pods with its name and a hash of ten digits. */
  private static void checkName(String cluster, ServerGroup group, List<PlanProblem> problems) {
    int most = LONGEST_SET_NAME - cluster.length() - "-regionserver-".length();
    if (!group.isDefault() && group.name().length() > most) {
      problems.add(
          new PlanProblem(
              group.path() + ".name",
              "with metadata.name '"
                  + cluster
                  + "' it makes no valid name of pods; must be at most "
                  + Math.max(0, most)
                  + " characters, or have a shorter metadata.name"));
    }
  }

  /** What is mounted there would hide what the image has there. */
  private static void checkCacheFolder(ServerGroup group, List<PlanProblem> problems) {
    var folder =
        Optional.ofNullable(group.spec().blockCache().file()).map(BlockCacheSpec.FileSpec::path);
    folder
        .filter(ClusterChecks::isInUse)
        .ifPresent(
            path ->
                problems.add(
                    new PlanProblem(
                        group.path() + ".blockCache.file.path",
                        path + " is in use in the image; must be another folder, such as /cache")));
  }

  /** What is no path at all is refused by the plan. */
  private static boolean isInUse(String path) {
    try {
      return IN_USE.matcher(Path.of(path).normalize().toString()).matches();
    } catch (InvalidPathException e) {
      return false;
    }
  }

  /** Against what is applied: the API server does not change the claims of a StatefulSet. */
  private static List<PlanProblem> changedVolumes(HBaseCluster cluster) {
    var status = cluster.getStatus();
    if (status == null || status.appliedSpec() == null) {
      return List.of();
    }
    var before =
        ServerGroups.of(status.appliedSpec()).stream()
            .collect(Collectors.toMap(ServerGroup::name, ClusterChecks::cacheVolume));
    return ServerGroups.of(cluster.getSpec()).stream()
        .filter(group -> before.containsKey(group.name()))
        // What is no size cannot be compared, and is refused by the plan.
        .filter(
            group ->
                cacheVolume(group).stream()
                    .allMatch(it -> Quantities.amount(it.size()).isPresent()))
        .filter(group -> !before.get(group.name()).equals(cacheVolume(group)))
        .map(
            group ->
                new PlanProblem(
                    group.path() + ".blockCache.file.storage",
                    "cannot be added, changed or left out later: a StatefulSet's claims are fixed"
                        + " when it is made; must be declared for a further group in spec.regionServerGroups"))
        .toList();
  }

  private static Optional<CacheVolumeSpec> cacheVolume(ServerGroup group) {
    var cache = group.spec().blockCache();
    return cache.mode() == BlockCacheSpec.Mode.File
        ? Optional.ofNullable(cache.file()).map(BlockCacheSpec.FileSpec::storage)
        : Optional.empty();
  }

  private static void checkResources(ServerGroup group, List<PlanProblem> problems) {
    var resources = group.spec().resources();
    var requests = Optional.ofNullable(resources.requests()).orElse(ResourcesSpec.Amounts.NONE);
    var limits = Optional.ofNullable(resources.limits()).orElse(ResourcesSpec.Amounts.NONE);
    var path = group.path() + ".resources";
    if (requests.memory() != null || limits.memory() != null) {
      problems.add(new PlanProblem(path, ResourcesSpec.Amounts.MEMORY));
    }
    checkAmounts(path, "cpu", requests.cpu(), limits.cpu(), "500m", problems);
    checkAmounts(
        path,
        ResourcesSpec.Amounts.EPHEMERAL_STORAGE,
        requests.ephemeralStorage(),
        limits.ephemeralStorage(),
        "2Gi",
        problems);
  }

  private static void checkAmounts(
      String path,
      String name,
      Quantity request,
      Quantity limit,
      String example,
      List<PlanProblem> problems) {
    var requestPath = path + ".requests." + name;
    var limitPath = path + ".limits." + name;
    boolean areAmounts = isAmount(requestPath, request, example, problems);
    areAmounts &= isAmount(limitPath, limit, example, problems);
    if (!areAmounts || request == null || limit == null) {
      return;
    }
    var most = Quantities.amount(limit).orElseThrow();
    if (Quantities.amount(request).orElseThrow().compareTo(most) > 0) {
      problems.add(
          new PlanProblem(
              requestPath, request + " is over " + limitPath + "; must be at most " + limit));
    }
  }

  private static boolean isAmount(
      String field, Quantity amount, String example, List<PlanProblem> problems) {
    if (amount == null || Quantities.amount(amount).filter(it -> it.signum() > 0).isPresent()) {
      return true;
    }
    problems.add(
        new PlanProblem(
            field, "'" + amount + "' is not a quantity over 0; must be one such as " + example));
    return false;
  }
}
