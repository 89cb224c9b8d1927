package io.offheap.hbase.operator.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.declare.ClusterPlan;
import io.offheap.hbase.operator.declare.ObservedInputs;
import io.offheap.hbase.operator.declare.Plans;
import io.offheap.hbase.operator.declare.PodRights;
import io.offheap.hbase.operator.declare.PodTemplateChecks;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Merges of declared pod templates into a role's pods. */
class DeclaredPodsTest {
  private static final String EVERYTHING =
      """
      metadata: {labels: {team: shop}, annotations: {note: here}}
      spec:
        nodeSelector: {pool: hbase}
        tolerations: [{key: hbase, operator: Exists}]
        topologySpreadConstraints:
          - {maxSkew: 1, topologyKey: topology.kubernetes.io/zone, whenUnsatisfiable: ScheduleAnyway}
        securityContext: {fsGroup: 5}
        volumes: [{name: extra, emptyDir: {}}]
        containers:
          - {name: logs, image: "logs:1", ports: [{containerPort: 2020}]}
          - name: SERVER
            env: [{name: TZ, value: UTC}]
            volumeMounts: [{name: extra, mountPath: /extra}]
        initContainers: [{name: prepare, image: "tool:1"}]
      """;

  @ParameterizedTest
  @EnumSource(Role.class)
  void keepsPlannedContainerAndAddsDeclaredFields(Role role) {
    var planned = template(role, "{}");

    var pod = template(role, EVERYTHING.replace("SERVER", role.text()));

    assertThat(pod.getMetadata().getLabels())
        .containsAllEntriesOf(planned.getMetadata().getLabels())
        .containsEntry("team", "shop");
    assertThat(pod.getMetadata().getAnnotations())
        .containsKeys(planned.getMetadata().getAnnotations().keySet().toArray(String[]::new))
        .containsEntry("note", "here");
    var spec = pod.getSpec();
    assertThat(spec.getNodeSelector()).isEqualTo(Map.of("pool", "hbase"));
    assertThat(spec.getTolerations()).hasSize(1);
    assertThat(spec.getTopologySpreadConstraints())
        .singleElement()
        .satisfies(
            it -> {
              assertThat(it.getTopologyKey()).isEqualTo("topology.kubernetes.io/zone");
              assertThat(it.getLabelSelector().getMatchLabels())
                  .isEqualTo(planned.getMetadata().getLabels());
            });
    assertThat(spec.getSecurityContext().getFsGroup()).isEqualTo(5);
    assertThat(spec.getSecurityContext().getRunAsNonRoot()).isTrue();
    assertThat(spec.getTerminationGracePeriodSeconds())
        .isEqualTo(planned.getSpec().getTerminationGracePeriodSeconds());
    assertThat(spec.getVolumes())
        .containsAll(planned.getSpec().getVolumes())
        .extracting(Volume::getName)
        .endsWith("extra");
    var server = spec.getContainers().get(0);
    var before = planned.getSpec().getContainers().get(0);
    assertThat(server.getEnv())
        .containsAll(before.getEnv())
        .contains(new EnvVar("TZ", "UTC", null));
    assertThat(server.getVolumeMounts())
        .containsAll(before.getVolumeMounts())
        .extracting(VolumeMount::getMountPath)
        .endsWith("/extra");
    server.setEnv(before.getEnv());
    server.setVolumeMounts(before.getVolumeMounts());
    assertThat(server).isEqualTo(before);
    assertThat(spec.getContainers())
        .startsWith(planned.getSpec().getContainers().toArray(Container[]::new));
  }

  @Test
  void sidecarsDropPrivilegesAndNameTheirProtocol() {
    var spec = template(Role.MASTER, EVERYTHING.replace("SERVER", "master")).getSpec();

    assertThat(List.of(spec.getContainers().get(1), spec.getInitContainers().get(0)))
        .extracting(Container::getName)
        .containsExactly("logs", "prepare");
    assertThat(List.of(spec.getContainers().get(1), spec.getInitContainers().get(0)))
        .allSatisfy(
            it -> {
              assertThat(it.getSecurityContext().getAllowPrivilegeEscalation()).isFalse();
              assertThat(it.getSecurityContext().getCapabilities().getDrop())
                  .containsExactly("ALL");
              assertThat(it.getSecurityContext().getReadOnlyRootFilesystem()).isNull();
            });
    assertThat(spec.getContainers().get(1).getPorts().get(0).getProtocol()).isEqualTo("TCP");
  }

  @Test
  void privilegedContainerIsLeftPrivileged() {
    var spec =
        template(
                Role.MASTER,
                "spec: {containers: [{name: a, image: b, securityContext: {privileged: true}}]}")
            .getSpec();

    assertThat(spec.getContainers().get(1).getSecurityContext().getAllowPrivilegeEscalation())
        .isNull();
  }

  /** A restart needs a difference of both hashes. */
  @ParameterizedTest
  @EnumSource(Role.class)
  void annotationChangesBothHashes(Role role) {
    var before = role(role, "{}");
    var after = role(role, "metadata: {annotations: {a: b}}");

    assertThat(after.declared()).isNotEqualTo(before.declared());
    assertThat(StatefulSets.templateHash(model(role, "metadata: {annotations: {a: b}}"), after))
        .isNotEqualTo(StatefulSets.templateHash(model(role, "{}"), before));
  }

  /** A change of one role must not restart another role's pods. */
  @ParameterizedTest
  @EnumSource(Role.class)
  void declarationChangesHashOfItsRoleOnly(Role changed) {
    var before = model(changed, null);
    var after = model(changed, "metadata: {labels: {a: b}}");

    assertThat(after.roles())
        .filteredOn(it -> it.role() != changed)
        .hasSize(4)
        .allSatisfy(it -> assertThat(it.declared()).isEqualTo(role(before, it.role()).declared()));
  }

  /** The names that {@code declare} refuses are those of the planned pods. */
  @ParameterizedTest
  @EnumSource(Role.class)
  void plannedNamesAreProtected(Role role) {
    var model = model(role, null);
    var pod = PodTemplates.of(model, role(model, role)).getSpec();

    for (Volume volume : pod.getVolumes()) {
      assertRefused(role, "spec: {volumes: [{name: " + volume.getName() + ", emptyDir: {}}]}");
    }
    for (Container container : pod.getContainers()) {
      assertRefused(
          role, "spec: {containers: [{name: " + container.getName() + ", image: other}]}");
    }
    var server = pod.getContainers().get(0);
    assertThat(server.getName()).isEqualTo(role.text());
    for (VolumeMount mount : server.getVolumeMounts()) {
      assertRefused(
          role,
          "spec: {containers: [{name: %s, volumeMounts: [{name: a, mountPath: %s}]}]}"
              .formatted(role.text(), mount.getMountPath()));
    }
    for (EnvVar variable : server.getEnv()) {
      assertRefused(
          role,
          "spec: {containers: [{name: %s, env: [{name: %s, value: a}]}]}"
              .formatted(role.text(), variable.getName()));
    }
    for (var port : server.getPorts()) {
      assertRefused(
          role,
          "spec: {containers: [{name: a, image: b, ports: [{containerPort: %d}]}]}"
              .formatted(port.getContainerPort()));
      assertRefused(
          role,
          "spec: {containers: [{name: a, image: b, ports: [{name: %s, containerPort: 1}]}]}"
              .formatted(port.getName()));
    }
    for (String label : pod(model, role).getMetadata().getLabels().keySet()) {
      assertRefused(role, "metadata: {labels: {'" + label + "': a}}");
    }
    for (String annotation : pod(model, role).getMetadata().getAnnotations().keySet()) {
      assertRefused(role, "metadata: {annotations: {'" + annotation + "': a}}");
    }
  }

  private static void assertRefused(Role role, String template) {
    assertThat(PodTemplateChecks.problems(cluster(role, template).getSpec(), PodRights.ALL))
        .as(template)
        .hasSize(1);
  }

  private static PodTemplateSpec pod(ClusterModel model, Role role) {
    return PodTemplates.of(model, role(model, role));
  }

  private static PodTemplateSpec template(Role role, String template) {
    return pod(model(role, template), role);
  }

  private static RoleModel role(Role role, String template) {
    return role(model(role, template), role);
  }

  private static RoleModel role(ClusterModel model, Role role) {
    return model.roles().stream().filter(it -> it.role() == role).findFirst().orElseThrow();
  }

  private static ClusterModel model(Role role, String template) {
    var cluster = cluster(role, template);
    var plans = (ClusterPlan.Planned) new Plans().of(cluster, ObservedInputs.NOTHING);
    return ClusterModel.of(
        cluster,
        plans.groups().stream()
            .map(
                it ->
                    new GroupModel(
                        it,
                        "hbase:1",
                        DeclaredHash.of(cluster.getSpec(), it.group(), "hbase:1", Optional.empty()),
                        3))
            .toList(),
        ClusterModel.Image.of(null, "hbase:1"),
        any -> "hbase:1");
  }

  private static HBaseCluster cluster(Role role, String template) {
    return Serialization.unmarshal(
        """
        apiVersion: hbase.offheap.io/v1alpha1
        kind: HBaseCluster
        metadata: {name: demo, namespace: test, generation: 1}
        spec:
          zookeeper: {managed: {%s}}
          storage: {managed: {nameNode: {%s}, dataNode: {%s}}}
          masters: {%s}
          regionServers: {memory: {heap: 8Gi, offHeap: 4Gi}, %s}
        """
            .formatted(
                field(Role.ZOOKEEPER, role, template),
                field(Role.NAMENODE, role, template),
                field(Role.DATANODE, role, template),
                field(Role.MASTER, role, template),
                field(Role.REGIONSERVER, role, template)),
        HBaseCluster.class);
  }

  private static String field(Role of, Role role, String template) {
    if (of != role || template == null) {
      return "";
    }
    var json = Serialization.unmarshal("---\n" + template, Object.class);
    return "podTemplate: " + Serialization.asJson(json);
  }
}
