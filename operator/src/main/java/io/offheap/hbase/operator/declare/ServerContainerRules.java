package io.offheap.hbase.operator.declare;

import static io.offheap.hbase.operator.declare.TemplateProblems.NAME;
import static java.util.Map.entry;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The container of the server, which the plan is made for: a template adds variables and mounts,
 * and changes nothing that the server starts with.
 */
final class ServerContainerRules {
  /** Files and folders that the server needs; nothing may be mounted above, at or below them. */
  private static final List<String> PROTECTED_PATHS =
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

  private static final Set<String> PERMITTED_FIELDS =
      Set.of("env", "name", "securityContext", "volumeMounts");

  /** Why other fields are refused, of each server; {@link #reasons} has that of resources. */
  private static final Map<String, String> REASONS =
      Map.ofEntries(
          entry("args", "the operator starts the server"),
          entry("command", "the operator starts the server"),
          entry(
              "envFrom",
              "it can set protected variables, which the template does not name; use env"),
          entry("image", "spec.image decides it"),
          entry("imagePullPolicy", "spec.image.pullPolicy decides it"),
          entry("lifecycle", "the operator's hook waits until the regions are moved"),
          entry("livenessProbe", "it would kill a server that is only slow"),
          entry("ports", "services, policies and clients depend on the server's own"),
          entry("readinessProbe", "the rollout depends on it"),
          entry("startupProbe", "the rollout depends on it"));

  /**
   * Variables that the image's scripts, the JVM or the C library read, or that the operator sets.
   * {@code SECONDS} is among them because Bash adds the elapsed time to its value, so that the
   * drain step would end at once.
   */
  private static final Set<String> PROTECTED_VARIABLES =
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
          "WAIT_TIMEOUT",
          "WEB_PAGES",
          "_JAVA_OPTIONS");

  private static final Pattern PROTECTED_FAMILIES =
      Pattern.compile("(BASH_FUNC|CHECKPOINT_|HBASE_|HADOOP_|LD_|MALLOC_).*");

  /** The user of HBase at an HDFS without authentication; a template may set it. */
  private static final String HADOOP_USER = "HADOOP_USER_NAME";

  private final TemplateProblems problems;
  private final Map<String, String> reasons;
  private final List<String> protectedPaths;

  /**
   * Rules of one server's container.
   *
   * @param cacheFolder mount path of the bucket cache's file, where the server has one
   */
  ServerContainerRules(PodServer server, TemplateProblems problems, Optional<String> cacheFolder) {
    this.problems = problems;
    reasons = reasons(server);
    var dataFolder =
        switch (server) {
          case REGIONSERVER, MASTER -> Stream.<String>empty();
          case ZOOKEEPER, NAMENODE, DATANODE -> Stream.of("/data");
        };
    protectedPaths =
        Stream.of(PROTECTED_PATHS.stream(), dataFolder, cacheFolder.stream())
            .flatMap(it -> it)
            .toList();
  }

  private static Map<String, String> reasons(PodServer server) {
    var all = new HashMap<>(REASONS);
    all.put(
        "resources",
        switch (server) {
          case REGIONSERVER -> "the plan derives memory, and CPU is declared beside podTemplate";
          case ZOOKEEPER, NAMENODE, DATANODE, MASTER ->
              "the operator derives memory from the heap, which is declared beside podTemplate;"
                  + " CPU of this server cannot be declared";
        });
    return all;
  }

  /** Checks the container; {@code volumes} are those of the template, to which mounts refer. */
  void check(String field, JsonNode container, JsonNode volumes) {
    problems.permitOnly(PERMITTED_FIELDS, field, container, reasons);
    for (JsonNode variable : container.path("env")) {
      var name = variable.path(NAME).asText();
      if (isProtected(name)) {
        problems.refuse(
            field + ".env[" + name + "]",
            "the operator, the image's scripts or the JVM depend on it; must be left out. Options"
                + " of a region server's JVM are in spec.regionServers.jvmOptions");
      }
    }
    var inMemory =
        volumes
            .valueStream()
            .filter(it -> !it.at("/emptyDir/medium").asText().isEmpty())
            .map(it -> it.path(NAME).asText())
            .collect(Collectors.toSet());
    for (JsonNode mount : container.path("volumeMounts")) {
      var path = mount.path("mountPath").asText();
      var mountField = field + ".volumeMounts[" + path + "]";
      protectedPath(path)
          .ifPresent(
              it ->
                  problems.refuse(
                      mountField,
                      "would hide or change "
                          + it
                          + ", which the server needs; must be another folder, such as /extra"));
      if (inMemory.contains(mount.path(NAME).asText())) {
        problems.refuse(
            mountField,
            "data in a volume in memory counts as the container's memory, which the plan fills;"
                + " must be a volume on disk");
      }
    }
  }

  private static boolean isProtected(String variable) {
    return PROTECTED_VARIABLES.contains(variable)
        || (PROTECTED_FAMILIES.matcher(variable).matches() && !variable.equals(HADOOP_USER));
  }

  /** The protected path that a mount would hide or change; the root for what is no full path. */
  private Optional<String> protectedPath(String mountPath) {
    Path mount;
    try {
      mount = Path.of(mountPath).normalize();
    } catch (InvalidPathException e) {
      return Optional.of("/");
    }
    return mount.isAbsolute()
        ? protectedPaths.stream()
            .filter(it -> mount.startsWith(it) || Path.of(it).startsWith(mount))
            .findFirst()
        : Optional.of("/");
  }
}
