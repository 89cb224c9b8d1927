package io.offheap.hbase.operator.deploy;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.ContainerPortBuilder;
import io.fabric8.kubernetes.api.model.LocalObjectReference;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The pod template of a role: one container of the HBase image without privileges, and for a name
 * node the container of its {@link Checkpoints}.
 */
final class PodTemplates {
  /** The user of the image. */
  private static final long USER = 10001;

  private static final String DRAIN_TIMEOUT = "DRAIN_TIMEOUT";

  /** The value in the template's hash. */
  private static final String NO_DRAIN = "0";

  private static final Duration STARTUP_PERIOD = Duration.ofSeconds(2);

  private PodTemplates() {}

  static PodTemplateSpec of(ClusterModel model, RoleModel role) {
    var template = template(model, role);
    var annotations = new TreeMap<String, String>();
    annotations.put(Labels.TEMPLATE_HASH, RoleModel.hashOfJson(template));
    annotations.put(Labels.DECLARED_HASH, role.declared());
    role.planHash().ifPresent(plan -> annotations.put(Labels.PLAN_HASH, plan));
    if (role.role().isHBase()) {
      Labels.restartedAt(model.cluster())
          .ifPresent(time -> annotations.put(Labels.RESTARTED_AT, time));
    }
    setDrainTime(template, role, model.drainSeconds(role.role()));
    Optional.ofNullable(template.getMetadata().getAnnotations())
        .ifPresent(declared -> declared.forEach(annotations::putIfAbsent));
    template.getMetadata().setAnnotations(annotations);
    return template;
  }

  /** Hash without the time that a pod may take to stop, which is no reason for a restart. */
  static String hash(ClusterModel model, RoleModel role) {
    return RoleModel.hashOfJson(template(model, role));
  }

  /** Sets how long a pod may take to stop. */
  private static void setDrainTime(PodTemplateSpec template, RoleModel role, long drainSeconds) {
    if (drainSeconds == 0) {
      return;
    }
    template
        .getSpec()
        .setTerminationGracePeriodSeconds(role.role().gracePeriodSeconds() + drainSeconds);
    template.getSpec().getContainers().stream()
        .filter(it -> it.getName().equals(role.role().text()))
        .flatMap(it -> it.getEnv().stream())
        .filter(it -> it.getName().equals(DRAIN_TIMEOUT) && NO_DRAIN.equals(it.getValue()))
        .forEach(it -> it.setValue(Long.toString(drainSeconds)));
  }

  private static PodTemplateSpec template(ClusterModel model, RoleModel role) {
    var planned = planned(model, role);
    return role.podTemplate()
        .map(declared -> DeclaredPods.over(planned, declared, role.labels()))
        .orElse(planned);
  }

  private static PodTemplateSpec planned(ClusterModel model, RoleModel role) {
    return new PodTemplateSpecBuilder()
        .withNewMetadata()
        .withLabels(role.labels())
        .endMetadata()
        .withNewSpec()
        .withAutomountServiceAccountToken(false)
        .withEnableServiceLinks(false)
        .withTerminationGracePeriodSeconds(role.role().gracePeriodSeconds())
        .withImagePullSecrets(
            model.image().pullSecrets().stream().map(LocalObjectReference::new).toList())
        .withNewSecurityContext()
        .withRunAsNonRoot(true)
        .withRunAsUser(USER)
        .withRunAsGroup(USER)
        .withFsGroup(USER)
        .withFsGroupChangePolicy("OnRootMismatch")
        .withNewSeccompProfile()
        .withType("RuntimeDefault")
        .endSeccompProfile()
        .endSecurityContext()
        .addNewTopologySpreadConstraint()
        .withMaxSkew(1)
        .withTopologyKey("kubernetes.io/hostname")
        .withWhenUnsatisfiable("ScheduleAnyway")
        .withNewLabelSelector()
        .withMatchLabels(role.labels())
        .endLabelSelector()
        .endTopologySpreadConstraint()
        .withContainers(containers(model, role))
        .withVolumes(PodVolumes.volumes(role))
        .endSpec()
        .build();
  }

  private static List<Container> containers(ClusterModel model, RoleModel role) {
    var server = container(model, role);
    return role.role() == Role.NAMENODE
        ? List.of(server, Checkpoints.container(model, role))
        : List.of(server);
  }

  private static Container container(ClusterModel model, RoleModel role) {
    var memory = new Quantity(Long.toString(role.memoryBytes()));
    var requests = new TreeMap<>(Map.of("memory", memory));
    requests.putAll(role.requests());
    var limits = new TreeMap<>(Map.of("memory", memory));
    limits.putAll(role.limits());
    var builder =
        new ContainerBuilder()
            .withName(role.role().text())
            .withImage(role.image())
            .withImagePullPolicy(ContainerDefaults.pullPolicy(model))
            .withArgs(role.role().text())
            // The pod's status shows why a process ended.
            .withTerminationMessagePolicy("FallbackToLogsOnError")
            .withPorts(ports(role))
            .withNewResources()
            .withRequests(requests)
            .withLimits(limits)
            .endResources()
            .withSecurityContext(ContainerDefaults.noPrivilege())
            // Apart from readiness: a start may take long, and its end must be seen within 2 s.
            .withNewStartupProbe()
            .withNewExec()
            .withCommand("/opt/hbase/bin/ready", role.role().text())
            .endExec()
            .withPeriodSeconds((int) STARTUP_PERIOD.toSeconds())
            .withTimeoutSeconds(5)
            .withFailureThreshold(startupProbes(role.role()))
            .endStartupProbe()
            .withNewReadinessProbe()
            .withNewExec()
            .withCommand("/opt/hbase/bin/ready", role.role().text())
            .endExec()
            .withPeriodSeconds(10)
            .withTimeoutSeconds(5)
            .endReadinessProbe()
            .withVolumeMounts(PodVolumes.mounts(role));
    if (role.role() == Role.REGIONSERVER) {
      drainFirst(builder, model);
    }
    if (role.role().isHBase() && model.cluster().getSpec().storage().external() != null) {
      var metadata = model.cluster().getMetadata();
      builder
          .addNewEnv()
          .withName("HBASE_CLUSTER")
          .withValue(metadata.getNamespace() + "/" + metadata.getName())
          .endEnv();
    }
    if (WebPages.isDeclared(model.cluster().getSpec(), role.role())) {
      builder.addNewEnv().withName(WebPages.VARIABLE).withValue("true").endEnv();
    }
    if (!role.waitFor().isEmpty()) {
      builder.addNewEnv().withName("WAIT_FOR").withValue(String.join(" ", role.waitFor())).endEnv();
    }
    return builder.build();
  }

  /**
   * A week for servers that may replay a long log before they serve: a replay that is interrupted
   * begins anew. A region server replays no log at its start; its 15 minutes include the wait for
   * other servers.
   */
  private static int startupProbes(Role role) {
    var time = role == Role.REGIONSERVER ? Duration.ofMinutes(15) : Duration.ofDays(7);
    return (int) time.dividedBy(STARTUP_PERIOD);
  }

  /** The process must end after its regions have been moved away, whatever deletes the pod. */
  private static void drainFirst(ContainerBuilder builder, ClusterModel model) {
    builder
        .withNewLifecycle()
        .withNewPreStop()
        .withNewExec()
        .withCommand("/opt/hbase/bin/drained")
        .endExec()
        .endPreStop()
        .endLifecycle()
        .addNewEnv()
        .withName("MASTERS")
        .withValue(model.masters())
        .endEnv()
        .addNewEnv()
        .withName(DRAIN_TIMEOUT)
        .withValue(NO_DRAIN)
        .endEnv();
  }

  private static List<ContainerPort> ports(RoleModel role) {
    return role.role().ports().stream()
        .map(
            port ->
                new ContainerPortBuilder()
                    .withName(port.name())
                    .withContainerPort(port.number())
                    .withProtocol("TCP")
                    .build())
        .toList();
  }
}
