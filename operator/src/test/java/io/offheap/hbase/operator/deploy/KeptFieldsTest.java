package io.offheap.hbase.operator.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.offheap.hbase.operator.Slow;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.declare.PodRights;
import io.offheap.hbase.operator.declare.PodTemplateChecks;
import io.offheap.hbase.operator.plan.PlanProblem;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The fields that the operator's client keeps of objects. */
class KeptFieldsTest {
  private static final String LONG = "x".repeat(200_000);

  private static final String SPEC =
      """
      nodeName: node-1
      containers:
      - {name: regionserver, image: "hbase:1"}
      volumes:
      - {name: tmp, emptyDir: {}}
      - name: conf
        projected: {sources: [{configMap: {name: hb-conf}}, {configMap: {name: theirs}}]}
      """;
  private static final String POD =
      """
      apiVersion: v1
      kind: Pod
      metadata:
        name: hb-regionserver-0
        annotations: {hbase.offheap.io/restart: "true", hbase.offheap.io/a: LONG, theirs: b}
        labels:
          app.kubernetes.io/name: hbase
          app.kubernetes.io/instance: hb
          app.kubernetes.io/managed-by: hbase-offheap-operator
          app.kubernetes.io/component: regionserver
          hbase.offheap.io/group: default
          theirs: b
        managedFields:
        - {manager: kubelet, operation: Update, apiVersion: v1, fieldsType: FieldsV1, fieldsV1: {}}
      spec:
      """
          + SPEC.indent(2)
          + """
          status:
            phase: Running
            containerStatuses: [{name: regionserver, ready: true, restartCount: 3}]
          """;
  private static final String OWNER =
      "[{apiVersion: hbase.offheap.io/v1alpha1, kind: HBaseCluster, name: hb, uid: u}]";
  private static final String SET =
      """
      apiVersion: apps/v1
      kind: StatefulSet
      metadata:
        name: hb-regionserver
        ownerReferences: OWNER
        managedFields:
        - {manager: hbasecluster, operation: Apply, apiVersion: apps/v1, fieldsType: FieldsV1}
        - {manager: hbasecluster, operation: Update, apiVersion: apps/v1, fieldsType: FieldsV1}
        - {manager: theirs, operation: Apply, apiVersion: apps/v1, fieldsType: FieldsV1}
      spec:
        replicas: 3
        template:
          spec:
      """
          + SPEC.indent(6);

  private final KubernetesSerialization serialization = KeptFields.serialization();

  private Pod pod(String yaml) {
    return serialization.unmarshal(yaml.replace("LONG", LONG), Pod.class);
  }

  @Test
  void podKeepsFieldsThatAreRead() {
    var pod = pod(POD);

    assertThat(OwnPods.owner(pod)).isPresent();
    assertThat(ConfigMaps.mounts(pod, "hb-conf")).isTrue();
    assertThat(pod.getStatus().getContainerStatuses().get(0).getRestartCount()).isEqualTo(3);
    assertThat(pod.getMetadata().getAnnotations()).isEqualTo(Map.of(Labels.RESTART, "true"));
  }

  @Test
  void podLosesWhatIsNotRead() {
    var pod = pod(POD);

    assertThat(pod.getMetadata().getManagedFields()).isEmpty();
    assertThat(pod.getMetadata().getLabels()).hasSize(5).doesNotContainKey("theirs");
    assertThat(pod.getSpec().getContainers()).isEmpty();
    assertThat(pod.getSpec().getVolumes()).hasSize(1);
    assertThat(pod.getSpec().getVolumes().get(0).getProjected().getSources()).hasSize(1);
  }

  @Test
  void podOfNoClusterKeepsNothing() {
    var pod = pod(POD.replace("hbase.offheap.io/group: default", "other: label"));

    assertThat(OwnPods.owner(pod)).isEmpty();
    assertThat(pod.getStatus()).isNull();
    assertThat(pod.getSpec().getVolumes()).isEmpty();
  }

  /** They are compared with what is desired, by the fields that the operator has set. */
  @Test
  void templateOfStatefulSetIsWhole() {
    var set = serialization.unmarshal(SET.replace("OWNER", OWNER), StatefulSet.class);

    assertThat(set.getMetadata().getManagedFields())
        .extracting(it -> it.getManager() + " " + it.getOperation())
        .containsExactly("hbasecluster Apply");
    assertThat(set.getSpec().getTemplate().getSpec().getContainers()).hasSize(1);
    assertThat(set.getSpec().getTemplate().getSpec().getVolumes()).hasSize(2);
  }

  @Test
  void setWithoutAClusterKeepsItsReplicas() {
    var set = serialization.unmarshal(SET.replace("OWNER", "[]"), StatefulSet.class);

    assertThat(set.getSpec().getReplicas()).isEqualTo(3);
    assertThat(set.getSpec().getTemplate().getSpec().getContainers()).isEmpty();
    assertThat(set.getMetadata().getManagedFields()).isEmpty();
  }

  /** Others may add fields to the operator's own: a rollout waits for the template's hash. */
  @Test
  void tooLargeSetKeepsTheHashOfItsTemplate() {
    var annotations = "{hbase.offheap.io/template-hash: abc, theirs: " + LONG + LONG + "}";

    var set =
        serialization.unmarshal(
            SET.replace("OWNER", OWNER)
                .replace(
                    "  template:\n",
                    "  template:\n    metadata: {annotations: " + annotations + "}\n"),
            StatefulSet.class);

    assertThat(StatefulSets.templateHash(set)).contains("abc");
    assertThat(set.getSpec().getTemplate().getMetadata().getAnnotations()).hasSize(1);
    assertThat(set.getSpec().getTemplate().getSpec().getContainers()).isEmpty();
  }

  /** Any writer may name a cluster as the owner of an object. */
  @ParameterizedTest
  @CsvSource({"true", "false"})
  @Slow
  void foreignOrTooLargeObjectsCostNoMemory(boolean isOwned) throws JsonProcessingException {
    var kinds =
        Map.of(
            Service.class, "spec: {selector: {a: MANY}, externalIPs: [MANY]}",
            NetworkPolicy.class, "spec: {podSelector: {matchLabels: {a: MANY}}}",
            PodDisruptionBudget.class, "spec: {selector: {matchLabels: {a: MANY}}}",
            ConfigMap.class, "data: {a: MANY}\nbinaryData: {b: MANY}",
            StatefulSet.class, "spec: {replicas: 3, serviceName: MANY}");
    var many = isOwned ? LONG + LONG : LONG;
    for (var kind : kinds.entrySet()) {
      var yaml =
          """
          apiVersion: v1
          kind: KIND
          metadata:
            name: hb-x
            ownerReferences: OWNER
            finalizers: [MANY]
            annotations: {a: MANY, hbase.offheap.io/a: MANY}
            labels: {a: MANY}
            managedFields: [{manager: m, operation: Apply, fieldsType: MANY}]
          """
              .replace("KIND", kind.getKey().getSimpleName())
              .replace("OWNER", isOwned ? OWNER : "[]");

      HasMetadata read =
          serialization.unmarshal((yaml + kind.getValue()).replace("MANY", many), kind.getKey());

      assertThat(new ObjectMapper().writeValueAsString(read)).as("%s", read).hasSizeLessThan(1000);
    }
  }

  /** The API server limits no text of an owner reference, nor which kinds exist. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{apiVersion: hbase.offheap.io/v1alpha1, kind: HBaseCluster, name: LONG, uid: u}",
        "{apiVersion: hbase.offheap.io/v1alpha1, kind: HBaseCluster, name: other, uid: u}",
        "{apiVersion: no.such/v1, kind: HBaseCluster, name: hb, uid: u}",
        "{apiVersion: v1, kind: ConfigMap, name: hb, uid: LONG}"
      })
  void objectOfAForgedOwnerCostsNoMemory(String owner) throws JsonProcessingException {
    var set = SET.replace("OWNER", "[" + owner.replace("LONG", LONG) + "]");

    var read = serialization.unmarshal(set, StatefulSet.class);

    assertThat(read.getSpec().getTemplate().getSpec().getContainers()).isEmpty();
    assertThat(new ObjectMapper().writeValueAsString(read)).hasSizeLessThan(1000);
  }

  @Test
  void itemsOfAMountedConfigMapCostNoMemory() {
    var pod =
        pod(POD.replace("{name: hb-conf}", "{name: hb-conf, items: [{key: LONG, path: LONG}]}"));

    assertThat(ConfigMaps.mounts(pod, "hb-conf")).isTrue();
    assertThat(serialization.asJson(pod).length()).isLessThan(2_000);
  }

  @Test
  void digestsAreThoseOfTextsThatTheOperatorHasWritten() {
    var map =
        configMap(Map.of("a", "1", "b", "2", "theirs", "3"), "f:a: {}, f:b: {}, f:removed: {}");

    assertThat(map.getData()).isEqualTo(ConfigMapDigests.of(Map.of("a", "1", "b", "2")));
    assertThat(map.getData().values())
        .allSatisfy(it -> assertThat(it).startsWith("sha256:").hasSize(71));
    assertThat(map.getMetadata().getManagedFields()).isEmpty();
  }

  /** The digest of a text is no other text: who writes the digest itself changes the text. */
  @Test
  void digestAsATextIsAnotherText() {
    var digest = ConfigMapDigests.of(Map.of("a", "1"));

    assertThat(configMap(digest, "f:a: {}").getData()).isNotEqualTo(digest);
  }

  @Test
  void keepsNoMoreDigestsThanTheOperatorWrites() {
    var data =
        IntStream.range(0, 10_000).boxed().collect(Collectors.toMap(it -> "k" + it, it -> "v"));
    var fields =
        data.keySet().stream().map(it -> "f:" + it + ": {}").collect(Collectors.joining(", "));

    assertThat(configMap(data, fields).getData()).hasSize(64);
  }

  private ConfigMap configMap(Map<String, String> data, String fields) {
    var yaml =
        """
        apiVersion: v1
        kind: ConfigMap
        metadata:
          name: hb-a
          managedFields:
          - manager: hbasecluster
            operation: Apply
            fieldsType: FieldsV1
            fieldsV1: {f:data: {FIELDS}}
          - manager: theirs
            operation: Apply
            fieldsType: FieldsV1
            fieldsV1: {f:data: {f:theirs: {}}}
          - manager: fabric8
            operation: Apply
            fieldsType: FieldsV1
            fieldsV1: {f:data: {f:theirs: {}}}
        data: {DATA}
        """;
    return serialization.unmarshal(
        yaml.replace("FIELDS", fields.replace("f:", "'f:").replace(": {}", "': {}"))
            .replace(
                "DATA",
                data.entrySet().stream()
                    .map(it -> it.getKey() + ": '" + it.getValue() + "'")
                    .collect(Collectors.joining(", "))),
        ConfigMap.class);
  }

  /** A status that others have written to is written in another way. */
  @Test
  void clusterKeepsWhoWroteItsStatus() {
    var cluster =
        serialization.unmarshal(
            """
            apiVersion: hbase.offheap.io/v1alpha1
            kind: HBaseCluster
            metadata:
              name: hb
              managedFields:
              - {manager: kubectl, operation: Apply, fieldsType: FieldsV1, fieldsV1: {"f:spec": {}}}
              - manager: theirs
                operation: Update
                subresource: status
                fieldsType: FieldsV1
                fieldsV1: {"f:status": {}}
            """,
            HBaseCluster.class);

    assertThat(cluster.getMetadata().getManagedFields())
        .singleElement()
        .satisfies(
            it -> {
              assertThat(it.getManager()).isEqualTo("theirs");
              assertThat(it.getFieldsV1()).isNull();
            });
  }

  /** The API server accepts it where the installed definition is a later one. */
  @Test
  void ignoresFieldOfAnotherVersion() {
    var later = "rollout: {paused: true, later: {a: [1]}}";
    var cluster =
        serialization.unmarshal(
            """
            apiVersion: hbase.offheap.io/v1alpha1
            kind: HBaseCluster
            metadata: {name: hb}
            spec: {LATER}
            status: {appliedSpec: {json: '{TEXT}'}, lastGood: {spec: {LATER}}}
            """
                .replace("LATER", later)
                .replace("TEXT", "\"rollout\": {\"paused\": true, \"later\": 1}"),
            HBaseCluster.class);

    assertThat(cluster.getSpec().rollout().paused()).isTrue();
    assertThat(cluster.getStatus().appliedSpec().rollout().paused()).isTrue();
    assertThat(cluster.getStatus().good().spec().rollout().paused()).isTrue();
  }

  /** Otherwise one resource would keep the operator from reading all. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{json: '{\"rollout\": 1}'}",
        "{json: '{\"rollout\": {\"maxUnavailable\": {}}}'}",
        "{json: '{\"image\": 1}', image: [1]}",
        "{json: '{\"regionServers\": {\"replicas\": \"x\"}}'}",
        "{rollout: 1}",
      })
  void specInStatusThatCannotBeReadIsNone(String kept) {
    var cluster =
        serialization.unmarshal(
            """
            apiVersion: hbase.offheap.io/v1alpha1
            kind: HBaseCluster
            metadata: {name: hb}
            status: {observedGeneration: 1, appliedSpec: KEPT, lastGood: {spec: KEPT}}
            """
                .replace("KEPT", kept),
            HBaseCluster.class);

    assertThat(cluster.getStatus().observedGeneration()).isEqualTo(1);
    assertThat(cluster.getStatus().appliedSpec()).isNull();
    assertThat(cluster.getStatus().good().spec()).isNull();
  }

  /** Otherwise one resource would keep the operator from reading all. */
  @Test
  void readsAndRefusesDeeplyNestedResource() {
    var deep = "[".repeat(9_000) + "]".repeat(9_000);
    var fields = "{\"f:a\":".repeat(9_000) + "{}" + "}".repeat(9_000);
    var cluster =
        serialization.unmarshal(
            """
            {"apiVersion": "hbase.offheap.io/v1alpha1", "kind": "HBaseCluster",
             "metadata": {"name": "hb", "managedFields": [{"manager": "m", "fieldsV1": %s}]},
             "spec": {
               "zookeeper": {}, "storage": {},
               "masters": {"podTemplate": {"spec": {"containers": %s}}},
               "regionServers": {"config": {"%s": "b"}, "podTemplate": {"%s": "b"}}}}
            """
                .formatted(fields, deep, "a".repeat(200_000), "a".repeat(200_000)),
            HBaseCluster.class);

    assertThat(cluster.getMetadata().getManagedFields()).isEmpty();
    assertThat(PodTemplateChecks.problems(cluster.getSpec(), PodRights.NONE))
        .extracting(PlanProblem::toString)
        .containsExactly(
            "spec.masters.podTemplate: has more than 24 levels; must be an object with metadata and"
                + " spec",
            "spec.regionServers.podTemplate: has more than 65536 characters; must be an object with"
                + " metadata and spec");
    assertThat(serialization.clone(cluster).getSpec()).isEqualTo(cluster.getSpec());
  }
}
