package io.offheap.hbase.operator.declare;

import static io.offheap.hbase.operator.declare.TemplateProblems.NAME;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.Set;

/** Volumes of a pod: a type that is not listed here needs a {@link PodRight}. */
final class VolumeRules {
  private static final int MOST_VOLUMES = 40;

  private static final Set<String> PERMITTED_TYPES =
      Set.of("configMap", "downwardAPI", "emptyDir", "ephemeral", "projected");
  private static final Map<String, PodRight> TYPE_RIGHTS =
      Map.of("secret", PodRight.Secrets, "persistentVolumeClaim", PodRight.VolumeClaims);

  /** Fields of a claim that select an existing volume, or data to copy. */
  private static final Set<String> EXISTING_DATA =
      Set.of("dataSource", "dataSourceRef", "selector", "volumeName");

  private static final Set<String> PERMITTED_SOURCES =
      Set.of("clusterTrustBundle", "configMap", "downwardAPI");
  private static final Map<String, PodRight> SOURCE_RIGHTS =
      Map.of("secret", PodRight.Secrets, "serviceAccountToken", PodRight.ServiceAccounts);

  private final TemplateProblems problems;

  VolumeRules(TemplateProblems problems) {
    this.problems = problems;
  }

  void check(String path, JsonNode volumes) {
    problems.atMost(MOST_VOLUMES, path, volumes);
    problems
        .byKey(path, volumes, NAME)
        .forEach(
            (name, volume) -> {
              var field = path + "[" + name + "]";
              if (PodServer.VOLUMES.contains(name)) {
                problems.refuse(
                    field, "is the name of a volume of the operator; must have another name");
              }
              for (var source : volume.properties()) {
                if (!source.getKey().equals(NAME)) {
                  checkSource(field + "." + source.getKey(), source.getKey(), source.getValue());
                }
              }
            });
  }

  private void checkSource(String field, String type, JsonNode source) {
    if (!PERMITTED_TYPES.contains(type)) {
      problems.require(
          TYPE_RIGHTS.getOrDefault(type, PodRight.OtherVolumes), field, "a volume of this type");
    }
    var claim = source.at("/volumeClaimTemplate/spec");
    if (EXISTING_DATA.stream().anyMatch(claim::has)) {
      problems.require(PodRight.VolumeClaims, field, "a volume with existing data");
    }
    int index = 0;
    for (JsonNode projection : source.path("sources")) {
      for (var part : projection.properties()) {
        if (!PERMITTED_SOURCES.contains(part.getKey())) {
          problems.require(
              SOURCE_RIGHTS.getOrDefault(part.getKey(), PodRight.OtherVolumes),
              field + ".sources[" + index + "]." + part.getKey(),
              "a source of this type");
        }
      }
      index++;
    }
  }
}
