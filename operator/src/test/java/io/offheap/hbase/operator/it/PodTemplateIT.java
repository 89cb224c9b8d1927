package io.offheap.hbase.operator.it;

import static io.offheap.hbase.operator.Waits.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;

/** Pod templates on a real API server, with simulated pods. */
@ExtendWith(ApiServer.class)
class PodTemplateIT {
  private static final String CLUSTER =
      Clusters.SMALLEST
          + """
              replicas: 1
              podTemplate: SERVERS
            masters: {podTemplate: MASTERS}
            rollout: {canary: {enabled: false}}
          """;

  /** With fields that the API server defaults or writes in another form. */
  private static final String SERVERS =
      """
      {metadata: {labels: {team: shop}, annotations: {example.com/note: here}}, spec: {
        affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [
          {topologyKey: topology.kubernetes.io/zone, labelSelector: {matchLabels: {team: shop}}}]}},
        tolerations: [{key: hbase, operator: Exists, effect: NoSchedule}],
        topologySpreadConstraints: [
          {maxSkew: 1, topologyKey: topology.kubernetes.io/zone, whenUnsatisfiable: DoNotSchedule}],
        hostAliases: [{ip: 10.0.0.1, hostnames: [elsewhere]}],
        volumes: [{name: extra, emptyDir: {}}, {name: settings, configMap: {name: settings}},
          {name: claim, ephemeral: {volumeClaimTemplate: {spec: {accessModes: [ReadWriteOnce],
            resources: {requests: {storage: 1Gi}}}}}}],
        initContainers: [{name: prepare, image: "tool:1", restartPolicy: Always}],
        containers: [
          {name: regionserver, env: [{name: TZ, value: UTC}],
            volumeMounts: [{name: extra, mountPath: /extra}]},
          {name: logs, image: "logs:1", ports: [{containerPort: 2020}],
            resources: {requests: {cpu: 0.1}, limits: {memory: 0.5Gi}},
            readinessProbe: {httpGet: {path: /, port: 2020}},
            volumeMounts: [{name: extra, mountPath: /extra, readOnly: true}]}]}}
      """;

  /** References that the API server completes: a version, a divisor. */
  private static final String REFERENCES =
      """
      {spec: {
        volumes: [
          {name: about, downwardAPI: {items: [
            {path: labels, fieldRef: {fieldPath: metadata.labels}},
            {path: memory, resourceFieldRef: {containerName: SERVER, resource: limits.memory}}]}},
          {name: all, projected: {sources: [
            {downwardAPI: {items: [{path: name, fieldRef: {fieldPath: metadata.name}}]}},
            {configMap: {name: settings, optional: true}}]}}],
        initContainers: [{name: prepare, image: "tool:1", env: [
          {name: POD, valueFrom: {fieldRef: {fieldPath: metadata.name}}}]}],
        containers: [
          {name: SERVER, env: [
            {name: NODE, valueFrom: {fieldRef: {fieldPath: spec.nodeName}}},
            {name: MEMORY, valueFrom: {resourceFieldRef: {resource: limits.memory}}},
            {name: SETTING, valueFrom: {configMapKeyRef: {name: settings, key: a, optional: true}}}],
            volumeMounts: [{name: about, mountPath: /about}, {name: all, mountPath: /all}]}]}}
      """;

  private WatchedNamespace hb;

  @BeforeEach
  void start(ApiServer.Running server, TestInfo test) throws Exception {
    hb = WatchedNamespace.start(server, test);
  }

  @AfterEach
  void stop() {
    hb.close();
  }

  @Test
  void appliesTemplateAndRefusedOneChangesNothing() {
    hb.createReady("hb", cluster("{}", "{}"));
    var masters = uid("hb-master-0");
    var zookeeper = uid("hb-zookeeper-0");
    var planned = template("hb-regionserver").getSpec().getContainers().get(0).getResources();

    hb.declare("hb", cluster(SERVERS, "{}"));

    await("pod of the template")
        .atMost(LONG)
        .until(
            () -> {
              // There is none between the old pod's end and the new one's creation.
              var pod = pod("hb-regionserver-0");
              return pod != null
                  && "here".equals(pod.getMetadata().getAnnotations().get("example.com/note"));
            });
    hb.awaitReady("hb");
    var template = template("hb-regionserver");
    assertThat(template.getMetadata().getLabels())
        .containsEntry("team", "shop")
        .containsEntry("app.kubernetes.io/component", "regionserver");
    assertThat(template.getSpec().getContainers())
        .extracting(Container::getName)
        .containsExactly("regionserver", "logs");
    assertThat(template.getSpec().getAffinity().getPodAntiAffinity()).isNotNull();
    assertThat(template.getSpec().getTopologySpreadConstraints().get(0).getLabelSelector())
        .isNotNull();
    assertThat(template.getSpec().getContainers().get(0).getResources())
        .as("the plan's memory")
        .isEqualTo(planned);
    assertThat(uid("hb-master-0")).isEqualTo(masters);
    assertThat(uid("hb-zookeeper-0")).isEqualTo(zookeeper);
    // On a busy machine a running rollout may write nothing for a while.
    await("rolled out")
        .atMost(LONG)
        .untilAsserted(
            () ->
                assertThat(hb.condition("hb", "Progressing").orElse("")).startsWith("False Idle"));
    hb.awaitQuiet();
    int writes = hb.writes().size();
    var before = versions();

    hb.declare(
        "hb",
        cluster(
            SERVERS.replace("name: logs, image", "name: logs, privileged: true, image"),
            "{metadata: {labels: {a: b}}, spec: {volumes: [{name: n, hostPath: {path: /}}]}}"));
    await("refusal")
        .atMost(LONG)
        .untilAsserted(
            () ->
                assertThat(hb.condition("hb", "Planned"))
                    .hasValueSatisfying(
                        it ->
                            assertThat(it)
                                .startsWith("False SpecRefused")
                                .contains(
                                    "spec.regionServers.podTemplate.spec.containers[1].privileged:"
                                        + " 'privileged' is not a field of a pod template")));
    hb.declare(
        "hb",
        cluster(
            SERVERS,
            "{metadata: {labels: {a: b}}, spec: {volumes: [{name: n, hostPath: {path: /}}]}}"));
    await("refusal of the volume")
        .atMost(LONG)
        .untilAsserted(
            () ->
                assertThat(hb.condition("hb", "Planned"))
                    .hasValueSatisfying(
                        it ->
                            assertThat(it)
                                .startsWith("False SpecRefused")
                                .contains("spec.masters.podTemplate.spec.volumes[n].hostPath")
                                .contains("OtherVolumes")));

    hb.awaitQuiet();
    assertThat(versions()).isEqualTo(before);
    var since = hb.writes();
    assertThat(since.subList(writes, since.size()))
        .as("only the status is written")
        .allSatisfy(it -> assertThat(it.resource()).isEqualTo("hbaseclusters"));
  }

  /** Compared without what the API server adds, each pass would write them, and each start too. */
  @Test
  void referencesThatTheApiServerCompletesAreWrittenOnceAndRestartNothing() throws Exception {
    hb.createReady(
        "hb",
        cluster(
            REFERENCES.replace("SERVER", "regionserver"),
            REFERENCES.replace("SERVER", "master").strip().replace("\n", " ")));
    assertThat(template("hb-regionserver").getSpec().getContainers().get(0).getEnv())
        .filteredOn(it -> it.getName().equals("NODE"))
        .singleElement()
        .satisfies(
            it -> assertThat(it.getValueFrom().getFieldRef().getApiVersion()).isEqualTo("v1"));
    hb.awaitQuiet();
    var before = versions();
    var writes = writesAfterFurtherPass();

    hb.stopOperator();
    hb.startOperator();
    await("a pass").atMost(LONG).until(() -> hb.operator().passes("success") > 0);
    hb.awaitQuiet();
    assertThat(hb.writes()).as("of another operator").isEqualTo(writes);
    assertThat(versions()).isEqualTo(before);
  }

  /** Writes so far, of which a further pass makes none. */
  private List<AuditLog.Request> writesAfterFurtherPass() {
    var writes = hb.writes();
    var status = hb.get("hb").getStatus();
    double passes = hb.operator().passes("success");

    hb.annotate("hb", "hbase.offheap.io/paused", "false");
    await("a pass").atMost(LONG).until(() -> hb.operator().passes("success") > passes);
    hb.awaitQuiet();
    assertThat(hb.get("hb").getStatus()).isEqualTo(status);
    assertThat(hb.writes()).as("at rest").isEqualTo(writes);
    return writes;
  }

  /** The operator keeps such a StatefulSet as a whole: it would else write it in each pass. */
  @Test
  void largestTemplatesAreWrittenOnceAndLargerOnesAreRefused() {
    var aliases = entries("{ip: 10.0.%1$d.%2$d}", 2_400);
    var masters = "{spec: {hostAliases: " + aliases + "}}";
    hb.createReady("hb", cluster(ports(2_100), masters));
    hb.awaitQuiet();
    var before = versions();
    assertThat(writesAfterFurtherPass()).isNotEmpty();

    hb.declare("hb", cluster(ports(2_600), "{}"));

    await("refusal")
        .atMost(LONG)
        .untilAsserted(
            () ->
                assertThat(hb.condition("hb", "Planned"))
                    .hasValueSatisfying(
                        it ->
                            assertThat(it)
                                .startsWith("False SpecRefused")
                                .contains(
                                    "spec.regionServers.podTemplate: ",
                                    " bytes in a StatefulSet",
                                    "must be at most")));
    hb.awaitQuiet();
    assertThat(versions()).isEqualTo(before);
  }

  /** The operator does not keep such a StatefulSet as a whole, and must see its template. */
  @Test
  void rolloutEndsWithStatefulSetThatOthersMadeTooLarge() {
    hb.createReady("hb", cluster("{}", "{}"));
    var set = hb.client().apps().statefulSets().inNamespace(hb.name()).withName("hb-regionserver");
    var large = "x".repeat(200_000);
    Clusters.edit(
        set,
        it ->
            it.getSpec()
                .setTemplate(
                    it.getSpec()
                        .getTemplate()
                        .edit()
                        .editMetadata()
                        .addToAnnotations("example.com/theirs", large)
                        .endMetadata()
                        .editSpec()
                        .addNewInitContainer()
                        .withName("theirs")
                        .withImage("theirs:1")
                        .addNewEnv()
                        .withName("LARGE")
                        .withValue(large)
                        .endEnv()
                        .endInitContainer()
                        .endSpec()
                        .build()));

    hb.declare("hb", cluster("{metadata: {annotations: {example.com/note: here}}}", "{}"));

    await("pod of the template")
        .atMost(LONG)
        .until(
            () -> {
              var pod = pod("hb-regionserver-0");
              return pod != null
                  && "here".equals(pod.getMetadata().getAnnotations().get("example.com/note"));
            });
    hb.awaitReady("hb");
    assertThat(template("hb-regionserver").getMetadata().getAnnotations())
        .containsEntry("example.com/theirs", large);
  }

  private static String ports(int count) {
    return "{spec: {containers: [{name: logs, image: \"logs:1\", ports: "
        + entries("{containerPort: 2%3$04d}", count)
        + "}]}}";
  }

  /** With the number's high and low byte and the number itself as arguments. */
  private static String entries(String entry, int count) {
    return IntStream.range(0, count)
        .mapToObj(it -> entry.formatted(it / 250, it % 250, it))
        .collect(Collectors.joining(", ", "[", "]"));
  }

  private static String cluster(String servers, String masters) {
    return CLUSTER
        .replace("SERVERS", servers.strip().replace("\n", " "))
        .replace("MASTERS", masters);
  }

  private PodTemplateSpec template(String statefulSet) {
    return hb.client()
        .apps()
        .statefulSets()
        .inNamespace(hb.name())
        .withName(statefulSet)
        .get()
        .getSpec()
        .getTemplate();
  }

  private Pod pod(String name) {
    return hb.client().pods().inNamespace(hb.name()).withName(name).get();
  }

  private String uid(String pod) {
    return pod(pod).getMetadata().getUid();
  }

  /** Of all pods and StatefulSets, by name. */
  private Map<String, String> versions() {
    var pods = hb.client().pods().inNamespace(hb.name()).list().getItems();
    var sets = hb.client().apps().statefulSets().inNamespace(hb.name()).list().getItems();
    return List.of(pods, sets).stream()
        .flatMap(List::stream)
        .collect(
            Collectors.toMap(
                it -> it.getKind() + " " + it.getMetadata().getName(),
                it -> it.getMetadata().getResourceVersion()));
  }
}
