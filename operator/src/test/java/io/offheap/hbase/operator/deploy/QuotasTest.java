package io.offheap.hbase.operator.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.utils.Serialization;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whether a pod fits its quota after the deletion of the pod that it replaces. */
class QuotasTest {
  private static final String POD =
      """
      {"spec": {
        "containers": [
          {"resources": {"requests": {"cpu": "500m", "memory": "8Gi"}, "limits": {"memory": "8Gi"}}},
          {"name": "without resources"}],
        "initContainers": [{"resources": {"requests": {"cpu": "2"}}}]}}
      """;

  private static String message(String requested, String used, String limited) {
    return "pods \"hb-regionserver-0\" is forbidden: exceeded quota: q, requested: "
        + requested
        + ", used: "
        + used
        + ", limited: "
        + limited;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "limits.memory=8Gi | limits.memory=24Gi | limits.memory=24Gi | true",
        "limits.memory=10Gi | limits.memory=24Gi | limits.memory=24Gi | false",
        "limits.memory=10Gi | limits.memory=24Gi | limits.memory=26Gi | true",
        "requests.memory=9Gi | requests.memory=24Gi | requests.memory=24Gi | false",
        "memory=8Gi | memory=24Gi | memory=25769803776 | true",
        // An init container needs more than the containers that follow it.
        "requests.cpu=2 | requests.cpu=6 | requests.cpu=6 | true",
        "cpu=2100m | cpu=6 | cpu=6 | false",
        "pods=1 | pods=3 | pods=3 | true",
        "count/pods=1 | count/pods=4 | count/pods=3 | false",
        "limits.memory=8Gi,pods=1 | limits.memory=24Gi,pods=3 | limits.memory=24Gi,pods=3 | true",
        "limits.memory=9Gi,pods=1 | limits.memory=24Gi,pods=3 | limits.memory=24Gi,pods=3 | false",
        // The old pod frees nothing of a resource that it does not request.
        "limits.cpu=1 | limits.cpu=3 | limits.cpu=3 | false"
      })
  void countsShareOfReplacedPod(String requested, String used, String limited, boolean isRoom) {
    assertThat(Quotas.isRoomWithout(message(requested, used, limited), POD)).isEqualTo(isRoom);
  }

  /**
   * As Kubernetes counts it: a pod with less would be held back for ever by a quota that is full.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{containers: [{m: 1Gi}, {m: 2Gi}]} | 3Gi",
        "{containers: [{m: 1Gi}], initContainers: [{m: 2Gi}]} | 2Gi",
        // One that does not end runs beside all that follow it.
        "{containers: [{m: 1Gi}], initContainers: [{m: 2Gi, a: Always}]} | 3Gi",
        "{containers: [{m: 1Gi}], initContainers: [{m: 2Gi, a: Always}, {m: 3Gi}]} | 5Gi",
        "{containers: [{m: 1Gi}], initContainers: [{m: 3Gi}, {m: 2Gi, a: Always}]} | 3Gi",
        // By its runtime class.
        "{containers: [{m: 1Gi}], overhead: {memory: 128Mi}} | 1152Mi",
        "{containers: [{m: 1Gi}], r: 5Gi} | 5Gi",
        "{containers: [{m: 1Gi}], r: 5Gi, overhead: {memory: 1Gi}} | 6Gi"
      })
  void shareOfAPodIsWhatKubernetesCounts(String spec, String share) {
    var pod =
        "---\nspec: %s"
            .formatted(
                spec.replaceAll("m: (\\w+)", "resources: {limits: {memory: $1}}")
                    .replaceAll("r: (\\w+)", "resources: {limits: {memory: $1}}")
                    .replace("a: Always", "restartPolicy: Always"));
    var json = Serialization.asJson(Serialization.unmarshal(pod, ObjectNode.class));

    assertThat(
            Quotas.isRoomWithout(
                message("limits.memory=" + share, "limits.memory=9Gi", "limits.memory=9Gi"), json))
        .isTrue();
    assertThat(
            Quotas.isRoomWithout(
                message("limits.memory=" + more(share), "limits.memory=9Gi", "limits.memory=9Gi"),
                json))
        .isFalse();
  }

  private static String more(String share) {
    return share.endsWith("Gi") ? share.replace("Gi", "") + ".1Gi" : "1153Mi";
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "pods \"a-0\" is forbidden: maximum memory usage per Container is 4Gi, but limit is 8Gi.",
        "failed quota: q: must specify limits.cpu for: regionserver",
        "exceeded quota: q, requested: pods=1, used: , limited: pods=x",
        "exceeded quota: q, requested: pods=many, used: pods=1, limited: pods=1",
        "exceeded quota: q, requested: pods=1, used: memory=1, limited: pods=1"
      })
  void otherMessagesAreFinal(String message) {
    assertThat(Quotas.isRoomWithout(message, POD)).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "null",
      value = {"null", "''", "{}", "nonsense", "[]"})
  void podThatCannotBeReadHasNoShare(String pod) {
    assertThat(Quotas.isRoomWithout(message("pods=1", "pods=3", "pods=3"), pod)).isFalse();
  }
}
