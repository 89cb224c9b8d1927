package io.offheap.hbase.operator.declare;

import static io.offheap.hbase.operator.declare.TemplateProblems.NAME;

import com.fasterxml.jackson.databind.JsonNode;

/** Containers and init containers of a pod: which kind each of them is, and rules for all kinds. */
final class ContainerRules {
  private static final int MOST_CONTAINERS = 10;
  private static final int MOST_VARIABLES = 200;
  private static final int MOST_MOUNTS = 100;

  private final PodServer server;
  private final TemplateProblems problems;
  private final SecurityContextRules securityContexts;
  private final ServerContainerRules serverContainer;
  private final SidecarRules sidecars;

  ContainerRules(
      PodServer server,
      TemplateProblems problems,
      SecurityContextRules securityContexts,
      ServerContainerRules serverContainer) {
    this.server = server;
    this.problems = problems;
    this.securityContexts = securityContexts;
    this.serverContainer = serverContainer;
    sidecars = new SidecarRules(server, problems);
  }

  void check(String path, JsonNode pod) {
    check(path + ".containers", pod, pod.path("containers"), false);
    check(path + ".initContainers", pod, pod.path("initContainers"), true);
  }

  private void check(String path, JsonNode pod, JsonNode containers, boolean isInit) {
    problems.atMost(MOST_CONTAINERS, path, containers);
    problems
        .byKey(path, containers, NAME)
        .forEach(
            (name, container) -> {
              var field = path + "[" + name + "]";
              if (!isInit && name.equals(server.container())) {
                serverContainer.check(field, container, pod.path("volumes"));
              } else if (isOperators(name)) {
                problems.refuse(
                    field, "is the name of a container of the operator; must have another name");
              } else {
                sidecars.check(field, container);
              }
              checkCommon(field, container);
            });
  }

  private boolean isOperators(String name) {
    return name.equals(server.container())
        || (server == PodServer.NAMENODE && name.equals(PodServer.CHECKPOINT));
  }

  private void checkCommon(String field, JsonNode container) {
    securityContexts.check(field + ".securityContext", container.path("securityContext"));
    var variables = field + ".env";
    problems.atMost(MOST_VARIABLES, variables, container.path("env"));
    problems
        .byKey(variables, container.path("env"), NAME)
        .forEach(
            (name, variable) -> {
              if (!variable.at("/valueFrom/secretKeyRef").isMissingNode()) {
                problems.require(
                    PodRight.Secrets, variables + "[" + name + "]", "a variable from a Secret");
              }
            });
    if (container.path("envFrom").valueStream().anyMatch(it -> it.has("secretRef"))) {
      problems.require(PodRight.Secrets, field + ".envFrom", "variables from a Secret");
    }
    var mounts = field + ".volumeMounts";
    problems.atMost(MOST_MOUNTS, mounts, container.path("volumeMounts"));
    problems.byKey(mounts, container.path("volumeMounts"), "mountPath");
  }
}
