package io.offheap.hbase.operator.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.offheap.hbase.operator.Slow;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PodDryRunTest {
  private static final StatefulSet SET =
      Serialization.unmarshal(
          """
          apiVersion: apps/v1
          kind: StatefulSet
          metadata: {name: hb-regionserver, namespace: ns, uid: u-1}
          spec:
            serviceName: hb-regionserver
            template:
              metadata: {labels: {app: hb}}
              spec: {containers: [{name: regionserver}]}
          """,
          StatefulSet.class);

  private static final String EXCEEDED =
      "pods \"hb-regionserver-1\" is forbidden: exceeded quota: q, requested: limits.memory=%s,"
          + " used: limits.memory=3Gi, limited: limits.memory=3Gi";

  private ApiServerStandIn server;

  /** The first request of a JVM loads the client's classes, which counts to its deadline. */
  @BeforeAll
  static void loadClasses() throws IOException {
    try (var other = new ApiServerStandIn();
        var client = other.client()) {
      other.respond(
          201, "{\"kind\": \"Pod\", \"apiVersion\": \"v1\", \"metadata\": {\"name\": \"a\"}}");
      PodDryRun.request(client, SET, 1, false);
    }
  }

  @BeforeEach
  void start() throws IOException {
    server = new ApiServerStandIn();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private PodDryRun.Response request(boolean isReplaced) {
    try (var client = server.client()) {
      return PodDryRun.request(client, SET, 1, isReplaced);
    }
  }

  @Test
  void podIsRequestedWithDryRunAndNotOtherwise() {
    server.respond(
        201, "{\"kind\": \"Pod\", \"apiVersion\": \"v1\", \"metadata\": {\"name\": \"a\"}}");

    assertThat(request(true)).isEqualTo(new PodDryRun.Admitted());
    assertThat(server.requests())
        .containsExactly("POST /api/v1/namespaces/ns/pods?dryRun=All hb-regionserver-1");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "403 | pods \"a\" is forbidden: violates PodSecurity \"restricted:latest\": privileged",
        "403 | pods \"a\" is forbidden: maximum memory usage per Container is 4Gi, but limit is"
            + " 8Gi",
        "403 | pods \"a\" is forbidden: error looking up service account ns/x: not found",
        "403 | pods \"a\" is forbidden: no PriorityClass with name x was found",
        "403 | pods \"a\" is forbidden: unable to create new content in namespace ns because it is"
            + " being terminated",
        "422 | Pod \"a\" is invalid: spec.containers[0].env[0].valueFrom.fieldRef: not supported",
        // A webhook's denial has the code that the webhook selects.
        "400 | admission webhook \"x\" denied the request: no",
        "404 | admission webhook \"x\" denied the request: no",
        "409 | admission webhook \"x\" denied the request: no",
        "429 | admission webhook \"x\" denied the request: no",
        "500 | admission webhook \"x\" denied the request: no",
        "403 | admission webhook \"x\" denied the request: u cannot create resource \"pods\"",
        "401 | pods \"a\" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'b' denied"
            + " request: n",
        "413 | pods \"a\" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'b' denied"
            + " request: n",
        "500 | Internal error occurred: failed calling webhook \"x\": connection refused"
      })
  void whateverTheControllerWouldMeetTooIsARefusal(int code, String message) {
    server.refuse(code, message);

    assertThat(request(true)).isEqualTo(new PodDryRun.Refused(message));
    assertThat(request(false)).isEqualTo(new PodDryRun.Refused(message));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "403 | pods is forbidden: User \"u\" cannot create resource \"pods\" in API group \"\" in"
            + " the namespace \"ns\"",
        "400 | admission webhook \"x\" does not support dry run"
      })
  void podThatMayNotBeRequestedCountsAsAdmitted(int code, String message) {
    server.refuse(code, message);

    assertThat(request(true)).isEqualTo(new PodDryRun.Admitted());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "401 | Unauthorized",
        "404 | namespaces \"ns\" not found",
        "409 | Operation cannot be fulfilled on resourcequotas \"q\": the object has been modified",
        "429 | too many requests",
        "500 | Internal error occurred: etcdserver: leader changed",
        "503 | the server is currently unable to handle the request",
        "504 | request did not complete within requested timeout"
      })
  void errorThatDoesNotConcernThePodIsNoResponse(int code, String message) {
    server.refuse(code, message);

    assertThat(request(true)).isEqualTo(new PodDryRun.NoResponse());
    assertThat(server.requests()).as("no attempt more").hasSize(1);
  }

  @Test
  void apiServerThatEndsTheConnectionHasNotResponded() {
    server.close();

    assertThat(request(true)).isEqualTo(new PodDryRun.NoResponse());
  }

  @Test
  @Slow
  void apiServerThatIsSilentHoldsUpNoPassForLong() {
    server.beSilent();
    var begin = System.nanoTime();

    assertThat(request(true)).isEqualTo(new PodDryRun.NoResponse());
    assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(40));
  }

  /** The pod that lives has it until it is deleted; a pod that is missing is not created by it. */
  @Test
  void nameThatIsTakenIsOneThatIsFreeWhereThePodIsReplaced() {
    server.refuse(409, "AlreadyExists", "pods \"hb-regionserver-1\" already exists");

    assertThat(request(true)).isEqualTo(new PodDryRun.Admitted());
    assertThat(request(false))
        .isEqualTo(new PodDryRun.Refused("pods \"hb-regionserver-1\" already exists"));
  }

  @Test
  void quotaIsJudgedWithoutTheShareOfThePodThatIsReplaced() {
    server.present(
        200,
        "{\"spec\": {\"containers\": [{\"resources\": {\"limits\": {\"memory\": \"1Gi\"}}}]}}");
    server.refuse(403, EXCEEDED.formatted("1Gi"));
    assertThat(request(true)).isEqualTo(new PodDryRun.Admitted());
    assertThat(request(false)).isEqualTo(new PodDryRun.Refused(EXCEEDED.formatted("1Gi")));

    server.refuse(403, EXCEEDED.formatted("2Gi"));
    assertThat(request(true)).isEqualTo(new PodDryRun.Refused(EXCEEDED.formatted("2Gi")));
  }

  @Test
  void quotaIsNotJudgedWhileThePodThatIsReplacedCannotBeRead() {
    server.refuse(403, EXCEEDED.formatted("1Gi"));
    server.present(503, "{}");
    assertThat(request(true)).isEqualTo(new PodDryRun.NoResponse());

    server.present(404, "{}");
    assertThat(request(true))
        .as("deleted")
        .isEqualTo(new PodDryRun.Refused(EXCEEDED.formatted("1Gi")));
  }

  /** Otherwise policies and schema would check another pod. */
  @Test
  void podEqualsStatefulSetControllersPod() {
    var set =
        Serialization.unmarshal(
            """
            apiVersion: apps/v1
            kind: StatefulSet
            metadata: {name: hb-datanode, namespace: ns, uid: u-1}
            spec:
              serviceName: hb-datanode
              template:
                metadata: {labels: {app: hb}, annotations: {plan: p}}
                spec:
                  containers: [{name: datanode, volumeMounts: [{name: data, mountPath: /data}]}]
                  volumes: [{name: tmp, emptyDir: {}}]
              volumeClaimTemplates: [{metadata: {name: data}}]
            """,
            StatefulSet.class);

    var pod = PodDryRun.pod(set, 2);

    assertThat(pod.getMetadata().getName()).isEqualTo("hb-datanode-2");
    assertThat(pod.getMetadata().getNamespace()).isEqualTo("ns");
    assertThat(pod.getMetadata().getLabels())
        .containsEntry("app", "hb")
        .containsEntry("statefulset.kubernetes.io/pod-name", "hb-datanode-2")
        .containsEntry("apps.kubernetes.io/pod-index", "2");
    assertThat(pod.getMetadata().getAnnotations()).containsEntry("plan", "p");
    assertThat(pod.getMetadata().getOwnerReferences())
        .singleElement()
        .satisfies(
            it -> {
              assertThat(it.getUid()).isEqualTo("u-1");
              assertThat(it.getController()).isTrue();
            });
    assertThat(pod.getSpec().getHostname()).isEqualTo("hb-datanode-2");
    assertThat(pod.getSpec().getSubdomain()).isEqualTo("hb-datanode");
    assertThat(pod.getSpec().getVolumes())
        .extracting(Volume::getName)
        .containsExactly("tmp", "data");
    assertThat(pod.getSpec().getVolumes().get(1).getPersistentVolumeClaim().getClaimName())
        .isEqualTo("data-hb-datanode-2");
    assertThat(set.getSpec().getTemplate().getSpec().getVolumes()).hasSize(1);
  }
}
