package io.offheap.hbase.operator.declare;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.offheap.hbase.operator.api.BlockCacheSpec;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.HBaseClusterSpec;
import io.offheap.hbase.operator.api.HBaseClusterStatus;
import io.offheap.hbase.operator.api.HdfsServerSpec;
import io.offheap.hbase.operator.api.RegionServerGroupSpec;
import io.offheap.hbase.operator.plan.Declared;
import io.offheap.hbase.operator.plan.PlanProblem;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Checks the pod templates of a resource: each as declared ({@link PodTemplateParser}), then with
 * what its group inherits ({@link PodTemplateRules}).
 */
public final class PodTemplateChecks {
  /**
   * Characters of all templates: status holds the spec three times, and etcd limits a resource to
   * 1.5 MB.
   */
  static final int MOST_CHARACTERS = 131_072;

  private static final String FIELD = ".podTemplate";

  private PodTemplateChecks() {}

  /**
   * A declared template.
   *
   * @param path its path in the resource
   * @param own the template as declared
   * @param whole the template with inherited fields
   * @param cacheFolder mount path of the bucket cache's file
   */
  private record Template(
      String path,
      PodServer server,
      Optional<JsonNode> own,
      JsonNode whole,
      Optional<String> cacheFolder) {}

  /** All problems of the templates of a resource. */
  public static List<PlanProblem> problems(HBaseClusterSpec spec, PodRights rights) {
    return hasAny(spec) ? problems(spec, ServerGroups.of(spec), rights) : List.of();
  }

  /** Most resources have no template; they need no merged groups. */
  private static boolean hasAny(HBaseClusterSpec spec) {
    return ofRoles(spec).findAny().isPresent()
        || spec.regionServers().podTemplate() != null
        || spec.regionServerGroups().stream().anyMatch(it -> it.servers().podTemplate() != null);
  }

  private static List<PlanProblem> problems(
      HBaseClusterSpec spec, List<ServerGroup> groups, PodRights rights) {
    return refused(
        Stream.concat(
                ofRoles(spec), groups.stream().flatMap(it -> ofGroup(it, own(spec, it)).stream()))
            .toList(),
        rights);
  }

  /**
   * The templates that are too large as a part of a StatefulSet. Not those that are applied
   * already, as by an operator without this limit: the other changes of a cluster that runs must
   * not be refused for them. Such a StatefulSet is written in each reconciliation.
   */
  static List<PlanProblem> sizeProblems(HBaseCluster cluster) {
    var problems =
        declared(cluster.getSpec())
            .filter(it -> it.whole().isObject())
            .filter(it -> PodTemplateSize.problem(it.path(), it.whole()).isPresent())
            .toList();
    if (problems.isEmpty()) {
      return List.of();
    }
    var status = Optional.ofNullable(cluster.getStatus());
    // After a rollback, the pods have the last good one.
    var running =
        Stream.of(
                status.map(HBaseClusterStatus::appliedSpec),
                status.map(HBaseClusterStatus::good).map(HBaseClusterStatus.LastGood::spec))
            .flatMap(Optional::stream)
            .filter(it -> it.regionServers() != null)
            .map(PodTemplateChecks::templates)
            .toList();
    return problems.stream()
        .filter(it -> running.stream().noneMatch(has -> it.whole().equals(has.get(it.path()))))
        .flatMap(it -> PodTemplateSize.problem(it.path(), it.whole()).stream())
        .toList();
  }

  /** By path. Others may have written any status, also a group twice. */
  private static Map<String, JsonNode> templates(HBaseClusterSpec spec) {
    return declared(spec)
        .collect(Collectors.toMap(Template::path, Template::whole, (one, other) -> one));
  }

  /** A group without a template of its own has that of the default group. */
  private static Stream<Template> declared(HBaseClusterSpec spec) {
    return hasAny(spec)
        ? Stream.concat(
            ofRoles(spec),
            ServerGroups.of(spec).stream()
                .flatMap(it -> ofGroup(it, own(spec, it)).stream())
                .filter(it -> it.own().isPresent()))
        : Stream.empty();
  }

  /** All problems of the templates of region server groups. */
  public static List<PlanProblem> problems(List<ServerGroup> groups, PodRights rights) {
    return refused(
        groups.stream()
            .flatMap(it -> ofGroup(it, Optional.ofNullable(it.spec().podTemplate())).stream())
            .toList(),
        rights);
  }

  private static List<PlanProblem> refused(List<Template> templates, PodRights rights) {
    var unparsed =
        templates.stream()
            .flatMap(
                it -> it.own().flatMap(own -> PodTemplateParser.problem(it.path(), own)).stream())
            .toList();
    int characters =
        templates.stream()
            .flatMap(it -> it.own().stream())
            .mapToInt(it -> it.toString().length())
            .sum();
    if (!unparsed.isEmpty() || characters > MOST_CHARACTERS) {
      return characters > MOST_CHARACTERS ? List.of(tooLarge(characters)) : unparsed;
    }
    var problems = new ArrayList<PlanProblem>();
    var inherited = new LinkedHashSet<String>();
    for (Template template : templates) {
      var found = new PodTemplateRules(template.server(), rights, template.cacheFolder());
      for (PlanProblem it : found.problems((ObjectNode) template.whole())) {
        // A problem of an inherited field is reported once, where the field is declared.
        if (template.server() != PodServer.REGIONSERVER || inherited.add(it.toString())) {
          problems.add(new PlanProblem(template.path() + it.field(), it.message()));
        }
      }
    }
    return problems;
  }

  private static PlanProblem tooLarge(int characters) {
    return new PlanProblem(
        "spec",
        "its pod templates have "
            + characters
            + " characters together; must be at most "
            + MOST_CHARACTERS);
  }

  private static Stream<Template> ofRoles(HBaseClusterSpec spec) {
    var zookeeper = spec.zookeeper() == null ? null : spec.zookeeper().managed();
    var hdfs = spec.storage() == null ? null : spec.storage().managed();
    return Stream.of(
            one(
                "spec.zookeeper.managed",
                PodServer.ZOOKEEPER,
                zookeeper == null ? null : zookeeper.podTemplate()),
            one(
                "spec.storage.managed.nameNode",
                PodServer.NAMENODE,
                hdfs == null ? null : template(hdfs.nameNode())),
            one(
                "spec.storage.managed.dataNode",
                PodServer.DATANODE,
                hdfs == null ? null : template(hdfs.dataNode())),
            one("spec.masters", PodServer.MASTER, spec.masters().podTemplate()))
        .flatMap(Optional::stream);
  }

  private static JsonNode template(HdfsServerSpec server) {
    return server == null ? null : server.podTemplate();
  }

  private static Optional<Template> one(String path, PodServer server, JsonNode declared) {
    return Optional.ofNullable(declared)
        .map(it -> new Template(path + FIELD, server, Optional.of(it), it, Optional.empty()));
  }

  private static Optional<JsonNode> own(HBaseClusterSpec spec, ServerGroup group) {
    return group.isDefault()
        ? Optional.ofNullable(spec.regionServers().podTemplate())
        : spec.regionServerGroups().stream()
            .filter(it -> group.name().equals(it.name()))
            .map(RegionServerGroupSpec::servers)
            .flatMap(it -> Optional.ofNullable(it.podTemplate()).stream())
            .findFirst();
  }

  private static Optional<Template> ofGroup(ServerGroup group, Optional<JsonNode> own) {
    var folder =
        Optional.of(group.spec().blockCache())
            .filter(it -> it.mode() == BlockCacheSpec.Mode.File)
            .map(
                it ->
                    Optional.ofNullable(it.file())
                        .map(BlockCacheSpec.FileSpec::path)
                        .orElse(Declared.CacheFile.DEFAULT_FOLDER));
    return Optional.ofNullable(group.spec().podTemplate())
        .map(
            whole ->
                new Template(group.path() + FIELD, PodServer.REGIONSERVER, own, whole, folder));
  }
}
