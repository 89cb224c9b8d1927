package io.offheap.hbase.operator.declare;

import static io.offheap.hbase.operator.declare.TemplateProblems.NAME;

import com.fasterxml.jackson.databind.JsonNode;

/** A container or init container that the template adds to the operator's own. */
final class SidecarRules {
  private final PodServer server;
  private final TemplateProblems problems;

  SidecarRules(PodServer server, TemplateProblems problems) {
    this.server = server;
    this.problems = problems;
  }

  void check(String field, JsonNode container) {
    var image = container.path("image").asText();
    if (image.isEmpty()) {
      problems.refuse(
          field + ".image",
          "is missing; must name an image, or the container must be called " + server.container());
    } else {
      problems.requirePermitted(field + ".image", image);
    }
    for (JsonNode port : container.path("ports")) {
      checkPort(field + ".ports", port);
    }
    checkHosts(field, container);
  }

  private void checkPort(String field, JsonNode port) {
    if (server.ports().contains(port.path("containerPort").asInt())) {
      problems.refuse(
          field,
          port.path("containerPort")
              + " is a port of the server in the same pod; must be another port");
    }
    if (server.portNames().contains(port.path(NAME).asText())) {
      problems.refuse(
          field,
          port.path(NAME)
              + " is the name of a port of the server in the same pod, which services select by"
              + " this name; must be another name");
    }
    if (port.has("hostPort")) {
      problems.refuse(field, "hostPort is a port of the node; must be left out");
    }
  }

  /** The kubelet connects to the host of a probe or hook, and no NetworkPolicy applies to it. */
  private void checkHosts(String field, JsonNode object) {
    for (var it : object.properties()) {
      boolean isHandler = it.getKey().equals("httpGet") || it.getKey().equals("tcpSocket");
      if (isHandler && it.getValue().has("host")) {
        problems.require(
            PodRight.Privileged,
            field + "." + it.getKey() + ".host",
            "a probe or hook to another host than the pod");
      } else if (it.getValue().isObject()) {
        checkHosts(field + "." + it.getKey(), it.getValue());
      }
    }
  }
}
