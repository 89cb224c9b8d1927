package io.offheap.hbase.operator.declare;

import static java.util.Map.entry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.offheap.hbase.operator.plan.PlanProblem;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What a template may declare for the pods of one server. A field that is not listed is refused, so
 * that a later version of Kubernetes adds no right.
 *
 * <p>Protected are the container that the plan is made for ({@link ServerContainerRules}), the
 * names and labels by which the operator finds pods, and what needs a {@link PodRight}. Problems
 * name fields from the template on, containers and volumes by their names.
 */
final class PodTemplateRules {
  private static final Set<String> TEMPLATE_FIELDS = Set.of("metadata", "spec");
  private static final Set<String> METADATA_FIELDS = Set.of("annotations", "labels");
  private static final Set<String> POD_FIELDS =
      Set.of(
          "affinity",
          "automountServiceAccountToken",
          "containers",
          "dnsConfig",
          "dnsPolicy",
          "hostAliases",
          "initContainers",
          "nodeSelector",
          "preemptionPolicy",
          "priorityClassName",
          "runtimeClassName",
          "schedulerName",
          "securityContext",
          "serviceAccountName",
          "tolerations",
          "topologySpreadConstraints",
          "volumes");
  private static final String NAMES = "servers find each other by the names of the StatefulSet";

  /** Why other fields of the pod are refused. */
  private static final Map<String, String> REASONS =
      Map.ofEntries(
          entry("activeDeadlineSeconds", "it would stop a pod that serves"),
          entry("enableServiceLinks", "variables of services could replace the server's own"),
          entry("ephemeralContainers", "kubectl debug adds them to a running pod"),
          entry("hostIPC", "it gives the pod access to the node's shared memory"),
          entry(
              "hostNetwork",
              "two servers of a node would need the same port, and no NetworkPolicy applies"),
          entry("hostPID", "it gives the pod access to the node's processes"),
          entry("hostname", NAMES),
          entry("imagePullSecrets", "they are declared in spec.image.pullSecrets"),
          entry("nodeName", "it bypasses the scheduler; use nodeSelector or affinity"),
          entry(
              "readinessGates",
              "a rollout waits for Ready, which another controller would then control"),
          entry("resources", "a limit of the pod would apply to the planned container too"),
          entry("restartPolicy", "pods of a StatefulSet restart always"),
          entry("serviceAccount", "it is the old name of serviceAccountName"),
          entry("setHostnameAsFQDN", NAMES),
          entry(
              "shareProcessNamespace",
              "the server must be process 1, by which its log and its tools are found, and a"
                  + " sidecar could kill it"),
          entry("subdomain", NAMES),
          entry(
              "terminationGracePeriodSeconds",
              "the operator derives it from spec.rollout.drainTimeout"));

  private static final Set<String> RESERVED_NAMES =
      Set.of(
          "app.kubernetes.io/component",
          "app.kubernetes.io/instance",
          "app.kubernetes.io/managed-by",
          "app.kubernetes.io/name",
          "controller-revision-hash");
  private static final Pattern RESERVED_DOMAINS =
      Pattern.compile(
          "(hbase\\.offheap\\.io|statefulset\\.kubernetes\\.io|apps\\.kubernetes\\.io)/.*");
  private static final Pattern LABEL_VALUE =
      Pattern.compile("([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?");
  private static final String APPARMOR = "container.apparmor.security.beta.kubernetes.io/";

  private static final String SPEC = ".spec";

  private final TemplateProblems problems;
  private final SecurityContextRules securityContexts;
  private final VolumeRules volumes;
  private final ContainerRules containers;

  /**
   * Rules of one template.
   *
   * @param cacheFolder mount path of the bucket cache's file, where the server has one
   */
  PodTemplateRules(PodServer server, PodRights rights, Optional<String> cacheFolder) {
    problems = new TemplateProblems(rights);
    securityContexts = new SecurityContextRules(problems);
    volumes = new VolumeRules(problems);
    containers =
        new ContainerRules(
            server,
            problems,
            securityContexts,
            new ServerContainerRules(server, problems, cacheFolder));
  }

  /** All problems of a template that {@link PodTemplateParser} has read; to be called once. */
  List<PlanProblem> problems(ObjectNode template) {
    problems.permitOnly(TEMPLATE_FIELDS, "", template, Map.of());
    problems.permitOnly(METADATA_FIELDS, ".metadata", template.path("metadata"), Map.of());
    template.at("/metadata/labels").properties().forEach(it -> label(it.getKey(), it.getValue()));
    template
        .at("/metadata/annotations")
        .properties()
        .forEach(it -> annotation(it.getKey(), it.getValue()));
    var pod = template.path("spec");
    problems.permitOnly(POD_FIELDS, SPEC, pod, REASONS);
    account(pod);
    if (pod.path("dnsPolicy").asText().equals("Default")) {
      problems.refuse(
          SPEC + ".dnsPolicy",
          "Default is the node's name server, which does not resolve the pods' names; must be"
              + " ClusterFirst, or None with dnsConfig");
    }
    securityContexts.check(SPEC + ".securityContext", pod.path("securityContext"));
    volumes.check(SPEC + ".volumes", pod.path("volumes"));
    containers.check(SPEC, pod);
    return problems.list();
  }

  private void label(String name, JsonNode value) {
    var field = ".metadata.labels[" + name + "]";
    if (isReserved(name)) {
      problems.refuse(field, "the operator and Kubernetes select pods by it; must be left out");
    } else if (!Labels.isName(name)) {
      problems.refuse(field, Labels.notName(name));
    } else if (!LABEL_VALUE.matcher(value.asText()).matches()) {
      problems.refuse(
          field,
          "'"
              + value.asText()
              + "' is not a label's value; must be at most 63 letters, digits, dashes, underscores"
              + " and dots");
    }
  }

  private void annotation(String name, JsonNode value) {
    var field = ".metadata.annotations[" + name + "]";
    if (isReserved(name)) {
      problems.refuse(
          field, "the operator uses it to decide whether a pod restarts; must be left out");
    } else if (!Labels.isName(name)) {
      problems.refuse(
          field,
          "'" + name + "' is not an annotation's name; must be such as note or example.com/note");
    } else if (name.startsWith(APPARMOR)
        && value.asText().equalsIgnoreCase(SecurityContextRules.UNCONFINED)) {
      problems.require(PodRight.Privileged, field, "a container without a profile of AppArmor");
    }
  }

  private static boolean isReserved(String name) {
    return RESERVED_NAMES.contains(name) || RESERVED_DOMAINS.matcher(name).matches();
  }

  private void account(JsonNode pod) {
    var account = pod.path("serviceAccountName").asText("default");
    if (!account.equals("default")) {
      problems.require(
          PodRight.ServiceAccounts,
          SPEC + ".serviceAccountName",
          "'" + account + "' is another service account than default");
    }
    if (pod.path("automountServiceAccountToken").asBoolean()) {
      problems.require(
          PodRight.ServiceAccounts,
          SPEC + ".automountServiceAccountToken",
          "true gives the containers the token of a service account");
    }
  }
}
