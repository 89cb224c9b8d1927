package io.offheap.hbase.operator.deploy;

import static java.net.HttpURLConnection.HTTP_BAD_REQUEST;
import static java.net.HttpURLConnection.HTTP_FORBIDDEN;
import static java.net.HttpURLConnection.HTTP_INTERNAL_ERROR;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.NamespacedKubernetesClient;
import io.fabric8.kubernetes.client.RequestConfigBuilder;
import io.fabric8.kubernetes.client.dsl.FunctionCallable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Checks whether the API server would create a pod of a StatefulSet, by a request with dryRun: the
 * API server runs the same admission as for the StatefulSet's controller (schema, quotas, limit
 * ranges, security standards, policies, webhooks) and creates nothing.
 *
 * <p>Without a result the pod is not refused, and the rollout continues: for example if a webhook
 * does not support dry runs, the API server does not respond within {@link #DEADLINE}, or the
 * service account may not create pods.
 */
public final class PodDryRun {
  /** A webhook may take 10 s by default. The reconciliation's thread waits for it. */
  private static final Duration DEADLINE = Duration.ofSeconds(5);

  private static final int HTTP_UNPROCESSABLE = 422;

  private PodDryRun() {}

  /**
   * The API server's message against a pod; empty if it would create the pod, or without a result.
   *
   * @param set its StatefulSet, as read from the API server
   * @param ordinal the pod's ordinal
   * @param replaced whether an existing pod of this name is deleted before, which frees its share
   *     of a quota
   */
  public static Optional<String> refusal(
      KubernetesClient client, StatefulSet set, int ordinal, boolean replaced) {
    var pod = pod(set, ordinal);
    try {
      var unused =
          impatient(client).call(it -> it.resource(pod).dryRun().create().getMetadata().getName());
      return Optional.empty();
    } catch (KubernetesClientException e) {
      var message = message(e);
      return isRefusal(e.getCode(), message)
          ? Optional.of(message)
              .filter(it -> !replaced || !Quotas.isRoomWithout(it, resources(client, pod)))
          : Optional.empty();
    }
  }

  private static FunctionCallable<? extends NamespacedKubernetesClient> impatient(
      KubernetesClient client) {
    return client
        .adapt(NamespacedKubernetesClient.class)
        .withRequestConfig(
            new RequestConfigBuilder(client.getConfiguration().getRequestConfig())
                .withRequestTimeout((int) DEADLINE.toMillis())
                .withRequestRetryBackoffLimit(0)
                .build());
  }

  private static String message(KubernetesClientException e) {
    return Optional.ofNullable(e.getStatus())
        .map(Status::getMessage)
        .orElseGet(() -> Optional.ofNullable(e.getMessage()).orElse(""));
  }

  /** A conflict of names is checked after admission, so the pod was admitted. */
  private static boolean isRefusal(int code, String message) {
    return switch (code) {
      case HTTP_FORBIDDEN -> !message.contains("cannot create resource \"pods\"");
      case HTTP_BAD_REQUEST -> !message.contains("does not support dry run");
      case HTTP_UNPROCESSABLE -> true;
      // The controller's request would fail as well.
      case HTTP_INTERNAL_ERROR -> message.contains("failed calling webhook");
      default -> false;
    };
  }

  /** The pod as the StatefulSet's controller creates it. */
  static Pod pod(StatefulSet set, int ordinal) {
    var name = set.getMetadata().getName() + "-" + ordinal;
    var template = set.getSpec().getTemplate();
    var labels =
        new TreeMap<>(
            Optional.ofNullable(template.getMetadata())
                .map(ObjectMeta::getLabels)
                .orElse(Map.of()));
    labels.put("statefulset.kubernetes.io/pod-name", name);
    labels.put("apps.kubernetes.io/pod-index", Integer.toString(ordinal));
    var volumes = new ArrayList<Volume>(template.getSpec().getVolumes());
    claims(set)
        .forEach(
            claim ->
                volumes.add(
                    new VolumeBuilder()
                        .withName(claim)
                        .withNewPersistentVolumeClaim()
                        .withClaimName(claim + "-" + name)
                        .endPersistentVolumeClaim()
                        .build()));
    return new PodBuilder()
        .withNewMetadata()
        .withName(name)
        .withNamespace(set.getMetadata().getNamespace())
        .withLabels(labels)
        .withAnnotations(template.getMetadata().getAnnotations())
        .addNewOwnerReference()
        .withApiVersion("apps/v1")
        .withKind("StatefulSet")
        .withName(set.getMetadata().getName())
        .withUid(set.getMetadata().getUid())
        .withController(true)
        .endOwnerReference()
        .endMetadata()
        .withNewSpecLike(template.getSpec())
        .withHostname(name)
        .withSubdomain(set.getSpec().getServiceName())
        .withVolumes(volumes)
        .endSpec()
        .build();
  }

  private static List<String> claims(StatefulSet set) {
    return set.getSpec().getVolumeClaimTemplates().stream()
        .map(it -> it.getMetadata().getName())
        .toList();
  }

  /** The existing pod of this name, as JSON: the operator's client drops pods' containers. */
  private static String resources(KubernetesClient client, Pod pod) {
    try {
      return client.raw(
          "/api/v1/namespaces/"
              + pod.getMetadata().getNamespace()
              + "/pods/"
              + pod.getMetadata().getName());
    } catch (KubernetesClientException e) {
      // Without the pod, its share counts as zero until the next check.
      return "";
    }
  }
}
