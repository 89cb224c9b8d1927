package io.offheap.hbase.operator.deploy;

import static org.assertj.core.api.Assertions.assertThat;

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
