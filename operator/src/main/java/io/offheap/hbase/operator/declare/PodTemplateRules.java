package io.offheap.hbase.operator.declare;

import static java.util.Map.entry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.offheap.hbase.operator.plan.PlanProblem;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a template may have for the pods of one server. A field that is not listed here is refused,
 * so that a later version of Kubernetes adds no right.
 *
 * <p>Three things are protected: the container that the plan is for, what the operator finds pods
 * and their names by, and what only those may have whom the operator's settings permit it ({@link
 * PodRight}). Problems name fields from the template on, containers and volumes by their names.
 */
final class PodTemplateRules {
  static final int MOST_CONTAINERS = 10;
  static final int MOST_VOLUMES = 40;
  static final int MOST_VARIABLES = 200;
  static final int MOST_MOUNTS = 100;

  /** In whose folders and files the server's own are, or what it starts with. */
  static final List<String> PROTECTED_PATHS =
      List.of(
          "/bin",
          "/boot",
          "/dev",
          "/etc/alternatives",
          "/etc/group",
          "/etc/hbase",
          "/etc/hosts",
          "/etc/ld.so.cache",
          "/etc/ld.so.conf",
          "/etc/ld.so.conf.d",
          "/etc/ld.so.preload",
          "/etc/nsswitch.conf",
          "/etc/passwd",
          "/etc/resolv.conf",
          "/lib",
          "/lib64",
          "/opt/hbase",
          "/opt/java",
          "/proc",
          "/run",
          "/sbin",
          "/sys",
          "/tmp",
          "/usr");

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
  private static final Set<String> SERVER_FIELDS =
      Set.of("env", "name", "securityContext", "volumeMounts");

  private static final String NAMES = "servers find each other by the names of the StatefulSet";

  private static final Map<String, String> WHY_NOT_IN_A_POD =
      Map.ofEntries(
          entry("activeDeadlineSeconds", "it ends a pod that serves"),
          entry("enableServiceLinks", "variables of services could replace the server's own"),
          entry("ephemeralContainers", "only a pod that runs has them: kubectl debug"),
          entry("hostIPC", "it gives the pod what is the node's"),
          entry("hostNetwork", "two servers of a node would need one port, and no policy holds"),
          entry("hostPID", "it gives the pod what is the node's"),
          entry("hostname", NAMES),
          entry("imagePullSecrets", "spec.image.pullSecrets has them"),
          entry("nodeName", "it passes the scheduler by; use nodeSelector or affinity"),
          entry("readinessGates", "a rollout waits for Ready, which another controller would set"),
          entry("resources", "a limit of the pod would hold the planned container too"),
          entry("restartPolicy", "pods of a StatefulSet restart always"),
          entry("serviceAccount", "it is the old name of serviceAccountName"),
          entry("setHostnameAsFQDN", NAMES),
          entry(
              "shareProcessNamespace",
              "the server must be process 1: its log and its tools are found by that, and a sidecar"
                  + " could end it"),
          entry("subdomain", NAMES),
          entry(
              "terminationGracePeriodSeconds",
              "the operator derives it from spec.rollout.drainTimeout, in which the regions move"));

  private static final Map<String, String> WHY_NOT_IN_THE_SERVER =
      Map.ofEntries(
          entry("args", "the operator starts the server"),
          entry("command", "the operator starts the server"),
          entry("envFrom", "it hides names of variables, and with them the JVM's options; use env"),
          entry("image", "spec.image decides it"),
          entry("imagePullPolicy", "spec.image.pullPolicy decides it"),
          entry("lifecycle", "the operator's hook waits until the regions are moved"),
          entry("livenessProbe", "it would end a server that is only slow"),
          entry("ports", "services, policies and clients depend on the server's own"),
          entry("readinessProbe", "the rollout depends on it"),
          entry("resources", "memory is the plan's, and CPU is declared beside podTemplate"),
          entry("startupProbe", "the rollout depends on it"));

  /**
   * Read by the image's scripts, the JVM, the C library, or set by the operator. Bash begins to
   * count {@code SECONDS} at the variable, and the drain step would be over before it begins.
   */
  private static final Set<String> VARIABLES =
      Set.of(
          "ADMIN_MEMORY",
          "BASHOPTS",
          "BASH_COMPAT",
          "BASH_ENV",
          "CLASSPATH",
          "CONTAINER_LOG",
          "DATA_DIR",
          "DRAIN_PATIENCE",
          "DRAIN_TIMEOUT",
          "ENV",
          "EXECIGNORE",
          "GLIBC_TUNABLES",
          "GLOBIGNORE",
          "HOME",
          "HOSTNAME",
          "INFO_PORT",
          "JAVA_HOME",
          "JAVA_TOOL_OPTIONS",
          "JDK_JAVA_OPTIONS",
          "MASTERS",
          "PATH",
          "POSIXLY_CORRECT",
          "SECONDS",
          "SHELLOPTS",
          "TMPDIR",
          "WAIT_FOR",
          "WEB_PAGES",
          "WAIT_TIMEOUT",
          "_JAVA_OPTIONS");

  private static final Pattern VARIABLE_FAMILIES =
      Pattern.compile("(BASH_FUNC|CHECKPOINT_|HBASE_|HADOOP_|LD_|MALLOC_).*");

  /** Who HBase is for an HDFS without authentication. */
  private static final String HADOOP_USER = "HADOOP_USER_NAME";

  private static final Set<String> OWN_LABELS =
      Set.of(
          "app.kubernetes.io/component",
          "app.kubernetes.io/instance",
          "app.kubernetes.io/managed-by",
          "app.kubernetes.io/name",
          "controller-revision-hash");
  private static final Pattern OWN_DOMAINS =
      Pattern.compile(
          "(hbase\\.offheap\\.io|statefulset\\.kubernetes\\.io|apps\\.kubernetes\\.io)/.*");
  private static final Pattern LABEL_VALUE =
      Pattern.compile("([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?");
  private static final String APPARMOR = "container.apparmor.security.beta.kubernetes.io/";
  private static final String UNCONFINED = "Unconfined";

  private static final Set<String> FREE_VOLUMES =
      Set.of("configMap", "downwardAPI", "emptyDir", "ephemeral", "projected");
  private static final Map<String, PodRight> VOLUME_RIGHTS =
      Map.of("secret", PodRight.Secrets, "persistentVolumeClaim", PodRight.VolumeClaims);

  /** Of a claim: a copy of another's data, or a volume that exists already. */
  private static final Set<String> OTHERS_DATA =
      Set.of("dataSource", "dataSourceRef", "selector", "volumeName");

  private static final Set<String> FREE_PROJECTIONS =
      Set.of("clusterTrustBundle", "configMap", "downwardAPI");
  private static final Map<String, PodRight> PROJECTION_RIGHTS =
      Map.of("secret", PodRight.Secrets, "serviceAccountToken", PodRight.ServiceAccounts);

  private static final String NAME = "name";
  private static final String SPEC = ".spec";

  private final PodServer server;
  private final PodRights rights;
  private final List<String> paths;
  private final List<PlanProblem> problems = new ArrayList<>();

  PodTemplateRules(PodServer server, PodRights rights, Optional<String> cacheFolder) {
    this.server = server;
    this.rights = rights;
    paths =
        Stream.of(
                PROTECTED_PATHS.stream(),
                server == PodServer.REGIONSERVER || server == PodServer.MASTER
                    ? Stream.<String>empty()
                    : Stream.of("/data"),
                cacheFolder.stream())
            .flatMap(it -> it)
            .toList();
  }

  /** All problems of a template whose fields and types were checked. */
  List<PlanProblem> problems(ObjectNode template) {
    permitted("", template, TEMPLATE_FIELDS, Map.of());
    permitted(".metadata", template.path("metadata"), METADATA_FIELDS, Map.of());
    template.at("/metadata/labels").properties().forEach(it -> label(it.getKey(), it.getValue()));
    template
        .at("/metadata/annotations")
        .properties()
        .forEach(it -> annotation(it.getKey(), it.getValue()));
    var pod = template.path("spec");
    permitted(SPEC, pod, POD_FIELDS, WHY_NOT_IN_A_POD);
    account(pod);
    if (pod.path("dnsPolicy").asText().equals("Default")) {
      refuse(
          SPEC + ".dnsPolicy",
          "Default asks the node's name server, which does not know the pods' names; must be"
              + " ClusterFirst, or None with dnsConfig");
    }
    security(SPEC + ".securityContext", pod.path("securityContext"));
    volumes(pod);
    containers(SPEC + ".containers", pod, pod.path("containers"), false);
    containers(SPEC + ".initContainers", pod, pod.path("initContainers"), true);
    return problems;
  }

  private void refuse(String field, String message) {
    problems.add(new PlanProblem(field, message));
  }

  private void require(PodRight right, String field, String what) {
    if (!rights.has(right)) {
      refuse(
          field,
          what
              + "; must be left out, unless podTemplateRights of the operator's chart has "
              + right.name());
    }
  }

  private void permitted(
      String path, JsonNode fields, Set<String> names, Map<String, String> reasons) {
    fields
        .properties()
        .forEach(
            it -> {
              if (!names.contains(it.getKey())) {
                refuse(
                    path + "." + it.getKey(),
                    "is the operator's"
                        + Optional.ofNullable(reasons.get(it.getKey()))
                            .map(reason -> ": " + reason)
                            .orElse("")
                        + "; must be left out. A template may have "
                        + names.stream().sorted().collect(Collectors.joining(", "))
                        + " here");
              }
            });
  }

  private void label(String name, JsonNode value) {
    var field = ".metadata.labels[" + name + "]";
    if (isOwn(name)) {
      refuse(field, "the operator and Kubernetes find the pods by it; must be left out");
    } else if (!ClusterChecks.isLabel(name)) {
      refuse(field, "'" + name + "' is not a label's name; must be such as app or example.com/app");
    } else if (!LABEL_VALUE.matcher(value.asText()).matches()) {
      refuse(
          field,
          "'"
              + value.asText()
              + "' is not a label's value; must be at most 63 letters, digits, dashes, underscores"
              + " and dots");
    }
  }

  private void annotation(String name, JsonNode value) {
    var field = ".metadata.annotations[" + name + "]";
    if (isOwn(name)) {
      refuse(field, "the operator decides by it whether a pod restarts; must be left out");
    } else if (!ClusterChecks.isLabel(name)) {
      refuse(
          field, "'" + name + "' is no annotation's name; must be like note or example.com/note");
    } else if (name.startsWith(APPARMOR) && value.asText().equalsIgnoreCase(UNCONFINED)) {
      require(PodRight.Privileged, field, "a container without a profile of AppArmor");
    }
  }

  private static boolean isOwn(String name) {
    return OWN_LABELS.contains(name) || OWN_DOMAINS.matcher(name).matches();
  }

  private void account(JsonNode pod) {
    var account = pod.path("serviceAccountName").asText("default");
    if (!account.equals("default")) {
      require(
          PodRight.ServiceAccounts,
          SPEC + ".serviceAccountName",
          "'" + account + "' is another service account than default");
    }
    if (pod.path("automountServiceAccountToken").asBoolean()) {
      require(
          PodRight.ServiceAccounts,
          SPEC + ".automountServiceAccountToken",
          "true gives the containers the token of a service account");
    }
  }

  private void security(String path, JsonNode context) {
    isPrivileged(context.path("privileged").asBoolean(), path + ".privileged");
    isPrivileged(
        context.path("allowPrivilegeEscalation").asBoolean(), path + ".allowPrivilegeEscalation");
    isPrivileged(
        context.has("runAsUser") && context.path("runAsUser").asLong() == 0, path + ".runAsUser");
    isPrivileged(!context.path("runAsNonRoot").asBoolean(true), path + ".runAsNonRoot");
    isPrivileged(
        !context.path("procMount").asText("Default").equals("Default"), path + ".procMount");
    for (String profile : List.of("appArmorProfile", "seccompProfile")) {
      isPrivileged(
          context.path(profile).path("type").asText().equals(UNCONFINED), path + "." + profile);
    }
    for (String field : List.of("seLinuxOptions", "sysctls", "windowsOptions")) {
      isPrivileged(!context.path(field).isEmpty(), path + "." + field);
    }
    var capabilities = context.path("capabilities");
    isPrivileged(
        texts(capabilities.path("add")).anyMatch(it -> !it.equals("NET_BIND_SERVICE")),
        path + ".capabilities.add");
    isPrivileged(
        capabilities.isObject() && texts(capabilities.path("drop")).noneMatch("ALL"::equals),
        path + ".capabilities.drop");
  }

  private void isPrivileged(boolean isSo, String field) {
    if (isSo) {
      require(
          PodRight.Privileged, field, "is more than the restricted Pod Security Standard permits");
    }
  }

  private static Stream<String> texts(JsonNode list) {
    return list.valueStream().map(JsonNode::asText);
  }

  private void volumes(JsonNode pod) {
    var path = SPEC + ".volumes";
    atMost(MOST_VOLUMES, path, pod.path("volumes"));
    for (var volume : named(path, pod.path("volumes"), NAME).entrySet()) {
      var field = path + "[" + volume.getKey() + "]";
      if (PodServer.VOLUMES.contains(volume.getKey())) {
        refuse(field, "is a volume of the operator's; must have another name");
      }
      volume
          .getValue()
          .properties()
          .forEach(
              it -> {
                if (!it.getKey().equals(NAME)) {
                  volume(field + "." + it.getKey(), it.getKey(), it.getValue());
                }
              });
    }
  }

  private void volume(String field, String type, JsonNode source) {
    if (!FREE_VOLUMES.contains(type)) {
      require(
          VOLUME_RIGHTS.getOrDefault(type, PodRight.OtherVolumes), field, "a volume of this kind");
    }
    var claim = source.at("/volumeClaimTemplate/spec");
    if (OTHERS_DATA.stream().anyMatch(claim::has)) {
      require(PodRight.VolumeClaims, field, "a volume with the data of another");
    }
    int number = 0;
    for (JsonNode projection : source.path("sources")) {
      for (var part : projection.properties()) {
        if (!FREE_PROJECTIONS.contains(part.getKey())) {
          require(
              PROJECTION_RIGHTS.getOrDefault(part.getKey(), PodRight.OtherVolumes),
              field + ".sources[" + number + "]." + part.getKey(),
              "a source of this kind");
        }
      }
      number++;
    }
  }

  private void containers(String path, JsonNode pod, JsonNode containers, boolean isInit) {
    atMost(MOST_CONTAINERS, path, containers);
    var byName = named(path, containers, NAME);
    for (var container : byName.entrySet()) {
      var name = container.getKey();
      var field = path + "[" + name + "]";
      if (!isInit && name.equals(server.container())) {
        server(field, pod, container.getValue());
      } else if (name.equals(server.container())
          || (server == PodServer.NAMENODE && name.equals(PodServer.CHECKPOINT))) {
        refuse(field, "is a container of the operator's; must have another name");
      } else {
        sidecar(field, container.getValue());
      }
      security(field + ".securityContext", container.getValue().path("securityContext"));
      variables(field, container.getValue());
      atMost(MOST_MOUNTS, field + ".volumeMounts", container.getValue().path("volumeMounts"));
      named(field + ".volumeMounts", container.getValue().path("volumeMounts"), "mountPath");
    }
  }

  private void server(String field, JsonNode pod, JsonNode container) {
    permitted(field, container, SERVER_FIELDS, WHY_NOT_IN_THE_SERVER);
    for (JsonNode variable : container.path("env")) {
      var name = variable.path(NAME).asText();
      if (isProtected(name)) {
        refuse(
            field + ".env[" + name + "]",
            "the operator, the image's scripts or the JVM read it; must be left out. Options of a"
                + " region server's JVM are in spec.regionServers.jvmOptions");
      }
    }
    var inMemory =
        pod.path("volumes")
            .valueStream()
            .filter(it -> !it.at("/emptyDir/medium").asText().isEmpty())
            .map(it -> it.path(NAME).asText())
            .collect(Collectors.toSet());
    for (JsonNode mount : container.path("volumeMounts")) {
      var path = mount.path("mountPath").asText();
      var mountField = field + ".volumeMounts[" + path + "]";
      protectingPath(path)
          .ifPresent(
              it ->
                  refuse(
                      mountField,
                      "would hide or change "
                          + it
                          + ", which the server needs; must be another folder, such as /extra"));
      if (inMemory.contains(mount.path(NAME).asText())) {
        refuse(
            mountField,
            "what is written to a volume in memory counts as the container's memory, which the plan"
                + " fills; must be a volume on disk");
      }
    }
  }

  static boolean isProtected(String variable) {
    return VARIABLES.contains(variable)
        || (VARIABLE_FAMILIES.matcher(variable).matches() && !variable.equals(HADOOP_USER));
  }

  private Optional<String> protectingPath(String path) {
    Path mount;
    try {
      mount = Path.of(path).normalize();
    } catch (InvalidPathException e) {
      return Optional.of("/");
    }
    return mount.isAbsolute()
        ? paths.stream()
            .filter(it -> mount.startsWith(it) || Path.of(it).startsWith(mount))
            .findFirst()
        : Optional.of("/");
  }

  private void sidecar(String field, JsonNode container) {
    var image = container.path("image").asText();
    if (image.isEmpty()) {
      refuse(
          field + ".image",
          "is missing; must name an image, or the container be called " + server.container());
    } else if (!rights.permitsImage(image)) {
      refuse(
          field + ".image",
          image
              + " is not permitted; must be of "
              + rights.repositories().stream().sorted().collect(Collectors.joining(", "))
              + ", the chart's allowedImages and hbaseImage");
    }
    for (JsonNode port : container.path("ports")) {
      if (server.ports().contains(port.path("containerPort").asInt())) {
        refuse(
            field + ".ports",
            port.path("containerPort")
                + " is a port of the server in the same pod; must be another one");
      }
      if (server.portNames().contains(port.path(NAME).asText())) {
        refuse(
            field + ".ports",
            port.path(NAME)
                + " is the name of a port of the server in the same pod, by which it is found; must"
                + " be another one");
      }
      if (port.has("hostPort")) {
        refuse(field + ".ports", "hostPort is a port of the node; must be left out");
      }
    }
    hosts(field, container);
  }

  /** The kubelet would connect to it, past every policy. */
  private void hosts(String field, JsonNode part) {
    for (var it : part.properties()) {
      boolean isHandler = it.getKey().equals("httpGet") || it.getKey().equals("tcpSocket");
      if (isHandler && it.getValue().has("host")) {
        require(
            PodRight.Privileged,
            field + "." + it.getKey() + ".host",
            "a probe or hook to another host than the pod");
      } else if (it.getValue().isObject()) {
        hosts(field + "." + it.getKey(), it.getValue());
      }
    }
  }

  private void variables(String field, JsonNode container) {
    atMost(MOST_VARIABLES, field + ".env", container.path("env"));
    named(field + ".env", container.path("env"), NAME)
        .forEach(
            (name, variable) -> {
              if (!variable.at("/valueFrom/secretKeyRef").isMissingNode()) {
                require(PodRight.Secrets, field + ".env[" + name + "]", "a variable from a Secret");
              }
            });
    if (container.path("envFrom").valueStream().anyMatch(it -> it.has("secretRef"))) {
      require(PodRight.Secrets, field + ".envFrom", "variables from a Secret");
    }
  }

  /** The entries of a list by their key; one without, or with that of another, is refused. */
  private Map<String, JsonNode> named(String path, JsonNode list, String key) {
    var entries = new LinkedHashMap<String, JsonNode>();
    var twice = new HashSet<String>();
    int number = 0;
    for (JsonNode entry : list) {
      var name = entry.path(key).asText();
      if (name.isEmpty()) {
        refuse(
            path + "[" + number + "]." + key,
            "is missing; must be there, since entries are merged by it");
      } else if (entries.putIfAbsent(name, entry) != null && twice.add(name)) {
        refuse(path + "[" + name + "]", "is declared twice; must be declared once");
      }
      number++;
    }
    return entries;
  }

  private void atMost(int most, String path, JsonNode list) {
    if (list.size() > most) {
      refuse(path, "has " + list.size() + " entries; must have at most " + most);
    }
  }
}
