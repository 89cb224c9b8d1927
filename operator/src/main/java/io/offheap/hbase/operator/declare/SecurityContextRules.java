package io.offheap.hbase.operator.declare;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.stream.Stream;

/**
 * A security context of a pod or a container: what exceeds Kubernetes' restricted Pod Security
 * Standard needs {@link PodRight#Privileged}.
 */
final class SecurityContextRules {
  /** Type of a profile of AppArmor or seccomp that restricts nothing. */
  static final String UNCONFINED = "Unconfined";

  private final TemplateProblems problems;

  SecurityContextRules(TemplateProblems problems) {
    this.problems = problems;
  }

  void check(String path, JsonNode context) {
    require(context.path("privileged").asBoolean(), path + ".privileged");
    require(
        context.path("allowPrivilegeEscalation").asBoolean(), path + ".allowPrivilegeEscalation");
    require(
        context.has("runAsUser") && context.path("runAsUser").asLong() == 0, path + ".runAsUser");
    require(!context.path("runAsNonRoot").asBoolean(true), path + ".runAsNonRoot");
    require(!context.path("procMount").asText("Default").equals("Default"), path + ".procMount");
    for (String profile : List.of("appArmorProfile", "seccompProfile")) {
      require(context.path(profile).path("type").asText().equals(UNCONFINED), path + "." + profile);
    }
    for (String field : List.of("seLinuxOptions", "sysctls", "windowsOptions")) {
      require(!context.path(field).isEmpty(), path + "." + field);
    }
    var capabilities = context.path("capabilities");
    require(
        texts(capabilities.path("add")).anyMatch(it -> !it.equals("NET_BIND_SERVICE")),
        path + ".capabilities.add");
    require(
        capabilities.isObject() && texts(capabilities.path("drop")).noneMatch("ALL"::equals),
        path + ".capabilities.drop");
  }

  private void require(boolean isPrivileged, String field) {
    if (isPrivileged) {
      problems.require(
          PodRight.Privileged, field, "is more than the restricted Pod Security Standard permits");
    }
  }

  private static Stream<String> texts(JsonNode list) {
    return list.valueStream().map(JsonNode::asText);
  }
}
