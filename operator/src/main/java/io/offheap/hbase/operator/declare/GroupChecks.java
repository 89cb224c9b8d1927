package io.offheap.hbase.operator.declare;

import io.fabric8.kubernetes.api.model.Quantity;
import io.offheap.hbase.operator.api.BlockCacheSpec;
import io.offheap.hbase.operator.api.CacheVolumeSpec;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.ResourcesSpec;
import io.offheap.hbase.operator.plan.PlanProblem;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Fields of region server groups, each with what the group inherits. */
final class GroupChecks {
  /** Kubernetes labels a StatefulSet's pods with its name and a hash of ten digits. */
  private static final int LONGEST_SET_NAME = 52;

  private static final Pattern IMAGE_FOLDER =
      Pattern.compile(
          "/|/(bin|boot|data|dev|etc|lib|lib64|opt|proc|root|run|sbin|sys|tmp|usr)(/.*)?");

  private final List<PlanProblem> problems;

  private GroupChecks(List<PlanProblem> problems) {
    this.problems = problems;
  }

  /** Adds the problems of a group to a list. */
  static void check(String cluster, ServerGroup group, List<PlanProblem> problems) {
    var checks = new GroupChecks(problems);
    checks.name(cluster, group);
    GroupField.rangeOf("replicas")
        .problem(group.spec().replicas())
        .ifPresent(it -> checks.refuse(group.path() + ".replicas", it));
    checks.resources(group);
    checks.cacheFolder(group);
  }

  private void refuse(String field, String message) {
    problems.add(new PlanProblem(field, message));
  }

  private void name(String cluster, ServerGroup group) {
    int most = LONGEST_SET_NAME - cluster.length() - "-regionserver-".length();
    if (!group.isDefault() && group.name().length() > most) {
      refuse(
          group.path() + ".name",
          "the names of its pods would be too long with metadata.name '"
              + cluster
              + "'; must be at most "
              + Math.max(0, most)
              + " characters, or metadata.name must be shorter");
    }
  }

  /** A mount would hide what the image has in this folder. */
  private void cacheFolder(ServerGroup group) {
    Optional.ofNullable(group.spec().blockCache().file())
        .map(BlockCacheSpec.FileSpec::path)
        .filter(GroupChecks::isInImage)
        .ifPresent(
            path ->
                refuse(
                    group.path() + ".blockCache.file.path",
                    path + " is in use in the image; must be another folder, such as /cache"));
  }

  /** False for what is not a path, which the planner refuses. */
  private static boolean isInImage(String path) {
    try {
      return IMAGE_FOLDER.matcher(Path.of(path).normalize().toString()).matches();
    } catch (InvalidPathException e) {
      return false;
    }
  }

  private void resources(ServerGroup group) {
    var resources = group.spec().resources();
    var requests = Optional.ofNullable(resources.requests()).orElse(ResourcesSpec.Amounts.NONE);
    var limits = Optional.ofNullable(resources.limits()).orElse(ResourcesSpec.Amounts.NONE);
    var path = group.path() + ".resources";
    if (requests.memory() != null || limits.memory() != null) {
      refuse(path, ResourcesSpec.Amounts.MEMORY);
    }
    amounts(path, "cpu", requests.cpu(), limits.cpu(), "500m");
    amounts(
        path,
        ResourcesSpec.Amounts.EPHEMERAL_STORAGE,
        requests.ephemeralStorage(),
        limits.ephemeralStorage(),
        "2Gi");
  }

  private void amounts(String path, String name, Quantity request, Quantity limit, String example) {
    var requestPath = path + ".requests." + name;
    var limitPath = path + ".limits." + name;
    boolean areAmounts = isAmount(requestPath, request, example);
    areAmounts &= isAmount(limitPath, limit, example);
    if (!areAmounts || request == null || limit == null) {
      return;
    }
    var most = Quantities.amount(limit).orElseThrow();
    if (Quantities.amount(request).orElseThrow().compareTo(most) > 0) {
      refuse(requestPath, request + " is over " + limitPath + "; must be at most " + limit);
    }
  }

  private boolean isAmount(String field, Quantity amount, String example) {
    if (amount == null || Quantities.amount(amount).filter(it -> it.signum() > 0).isPresent()) {
      return true;
    }
    refuse(field, "'" + amount + "' is not a quantity over 0; must be one such as " + example);
    return false;
  }

  /**
   * Changes of cache volumes against the applied spec: the API server does not change the volume
   * claims of a StatefulSet.
   */
  static List<PlanProblem> changedVolumes(HBaseCluster cluster) {
    var status = cluster.getStatus();
    // Any writer of the status may have written a part of a spec.
    if (status == null
        || status.appliedSpec() == null
        || status.appliedSpec().regionServers() == null) {
      return List.of();
    }
    var before =
        ServerGroups.of(status.appliedSpec()).stream()
            .collect(Collectors.toMap(ServerGroup::name, GroupChecks::cacheVolume));
    return ServerGroups.of(cluster.getSpec()).stream()
        .filter(group -> before.containsKey(group.name()))
        // A text that is not a size cannot be compared; the planner refuses it.
        .filter(group -> isComparable(before.get(group.name())))
        .filter(group -> isComparable(cacheVolume(group)))
        .filter(group -> !before.get(group.name()).equals(cacheVolume(group)))
        .map(
            group ->
                new PlanProblem(
                    group.path() + ".blockCache.file.storage",
                    "cannot be added, changed or removed later: a StatefulSet's volume claims are"
                        + " fixed when it is created; must be declared for another group in"
                        + " spec.regionServerGroups"))
        .toList();
  }

  private static boolean isComparable(Optional<CacheVolumeSpec> volume) {
    return volume.stream()
        .allMatch(it -> it.size() != null && Quantities.amount(it.size()).isPresent());
  }

  private static Optional<CacheVolumeSpec> cacheVolume(ServerGroup group) {
    var cache = group.spec().blockCache();
    return cache.mode() == BlockCacheSpec.Mode.File
        ? Optional.ofNullable(cache.file()).map(BlockCacheSpec.FileSpec::storage)
        : Optional.empty();
  }
}
