package io.offheap.hbase.operator.deploy;

import io.fabric8.kubernetes.api.model.ConfigMapProjectionBuilder;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.ContainerPortBuilder;
import io.fabric8.kubernetes.api.model.EmptyDirVolumeSource;
import io.fabric8.kubernetes.api.model.LocalObjectReference;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.SecurityContext;
import io.fabric8.kubernetes.api.model.SecurityContextBuilder;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.VolumeMountBuilder;
import io.fabric8.kubernetes.api.model.VolumeProjection;
import io.fabric8.kubernetes.api.model.VolumeProjectionBuilder;
import io.offheap.hbase.operator.api.ResourcesSpec.Amounts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The pods of a role: one container of the HBase image, without any privilege, and beside a name
 * node the one of its {@link Checkpoints}.
 */
final class PodTemplates {
  private static final String CONFIG = "config";
  private static final String TMP = "tmp";
  static final String TMP_PATH = "/tmp";

  /**
   * The observer's JFR files (42 MiB, see its README), those that processes left which were killed,
   * and the JVM's error files.
   */
  private static final long WRITTEN_TO_TMP = 1L << 30;

  /** The user of the image. */
  private static final long USER = 10001;

  private static final String DRAIN_TIMEOUT = "DRAIN_TIMEOUT";

  /** The value that the template's hash is made with. */
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
    stopsIn(template, role, model.drainSeconds(role.role()));
    Optional.ofNullable(template.getMetadata().getAnnotations())
        .ifPresent(declared -> declared.forEach(annotations::putIfAbsent));
    template.getMetadata().setAnnotations(annotations);
    return template;
  }

  /** Of all but how long a pod may take to stop, which is no reason for a restart. */
  static String hash(ClusterModel model, RoleModel role) {
    return RoleModel.hashOfJson(template(model, role));
  }

  /** How long a pod may take to stop, of which the hash is without. */
  private static void stopsIn(PodTemplateSpec template, RoleModel role, long drainSeconds) {
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
        .withVolumes(volumes(role))
        .endSpec()
        .build();
  }

  private static List<Container> containers(ClusterModel model, RoleModel role) {
    var server = container(model, role);
    return role.role() == Role.NAMENODE
        ? List.of(server, Checkpoints.container(model, role))
        : List.of(server);
  }

  static String pullPolicy(ClusterModel model) {
    return model.image().pullPolicy().orElse("IfNotPresent");
  }

  static SecurityContext noPrivilege() {
    return new SecurityContextBuilder()
        .withAllowPrivilegeEscalation(false)
        .withReadOnlyRootFilesystem(true)
        .withNewCapabilities()
        .withDrop("ALL")
        .endCapabilities()
        .build();
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
            .withImagePullPolicy(pullPolicy(model))
            .withArgs(role.role().text())
            // Why a process ended is said where people look first.
            .withTerminationMessagePolicy("FallbackToLogsOnError")
            .withPorts(ports(role))
            .withNewResources()
            .withRequests(requests)
            .withLimits(limits)
            .endResources()
            .withSecurityContext(noPrivilege())
            // Kept apart from readiness, so that a start may take its time and be seen at once.
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
            .withVolumeMounts(mounts(role));
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
   * A week for who may replay a long log before it serves: ended before, it begins again from the
   * start. A region server replays nothing by then, and has 15 minutes, in which it also waits for
   * the others.
   */
  private static int startupProbes(Role role) {
    var time = role == Role.REGIONSERVER ? Duration.ofMinutes(15) : Duration.ofDays(7);
    return (int) time.dividedBy(STARTUP_PERIOD);
  }

  /** Whoever deletes the pod, its process ends when its regions have been moved away. */
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

  private static List<Volume> volumes(RoleModel role) {
    var sources = new ArrayList<VolumeProjection>();
    // Of two files of one name the later one is taken: nothing overrides what is planned.
    role.extraConfigMaps().forEach(name -> sources.add(projection(name)));
    sources.add(projection(role.configMapName()));
    role.online().ifPresent(online -> sources.add(projection(online.configMap())));
    var volumes = new ArrayList<Volume>();
    volumes.add(
        new VolumeBuilder()
            .withName(CONFIG)
            .withNewProjected()
            .withSources(sources)
            .endProjected()
            .build());
    volumes.add(scratch(TMP, tmpBytes(role)));
    if (role.role() == Role.NAMENODE) {
      volumes.add(Checkpoints.volume(role));
    }
    role.volume()
        .filter(volume -> volume.claim().isEmpty())
        .ifPresent(
            volume ->
                volumes.add(
                    new VolumeBuilder()
                        .withName(volume.name())
                        .withEmptyDir(new EmptyDirVolumeSource(null, volume.size()))
                        .build()));
    return volumes;
  }

  /**
   * The most that a pod may keep in {@code /tmp}: what its JVM writes there, and one dump of its
   * heap, as jcmd makes it and {@code HeapDumpOnOutOfMemoryError}, which never overwrites one.
   * Where more is declared as the container's ephemeral storage, that counts.
   *
   * <p>The kubelet evicts a pod that keeps more. That is the lesser evil: without a limit the
   * node's disk becomes full, and the node evicts pods that have done nothing.
   */
  static long tmpBytes(RoleModel role) {
    return Math.max(
        WRITTEN_TO_TMP + role.heapBytes(),
        Optional.ofNullable(role.limits().get(Amounts.EPHEMERAL_STORAGE))
            .map(it -> Quantity.getAmountInBytes(it).longValue())
            .orElse(0L));
  }

  static Volume scratch(String name, long bytes) {
    return new VolumeBuilder()
        .withName(name)
        .withEmptyDir(new EmptyDirVolumeSource(null, new Quantity(Long.toString(bytes))))
        .build();
  }

  private static VolumeProjection projection(String configMap) {
    return new VolumeProjectionBuilder()
        .withConfigMap(new ConfigMapProjectionBuilder().withName(configMap).build())
        .build();
  }

  private static List<VolumeMount> mounts(RoleModel role) {
    var mounts = new ArrayList<VolumeMount>();
    mounts.add(mountOfConfiguration());
    mounts.add(mount(TMP, TMP_PATH));
    role.volume().ifPresent(volume -> mounts.add(mount(volume.name(), volume.mountPath())));
    return mounts;
  }

  static VolumeMount mountOfConfiguration() {
    return new VolumeMountBuilder(mount(CONFIG, "/etc/hbase/conf")).withReadOnly(true).build();
  }

  static VolumeMount mount(String volume, String path) {
    return new VolumeMountBuilder().withName(volume).withMountPath(path).build();
  }
}
