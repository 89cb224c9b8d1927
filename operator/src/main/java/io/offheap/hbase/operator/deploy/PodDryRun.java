package io.offheap.hbase.operator.deploy;

import static java.net.HttpURLConnection.HTTP_BAD_REQUEST;
import static java.net.HttpURLConnection.HTTP_CONFLICT;
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
import java.util.regex.Pattern;

/**
 * Checks whether the API server would create a pod of a StatefulSet, by a request with dryRun: the
 * API server runs the same admission as for the StatefulSet's controller (schema, quotas, limit
 * ranges, security standards, policies, webhooks) and creates nothing.
 */
public final class PodDryRun {
  /** A webhook may take 10 s by default. The reconciliation's thread waits for it. */
  private static final Duration DEADLINE = Duration.ofSeconds(5);

  private static final int HTTP_UNPROCESSABLE = 422;

  /** By a webhook, which selects the code, and by a ValidatingAdmissionPolicy. */
  private static final Pattern DENIED =
      Pattern.compile(
          "(admission webhook .* denied the|ValidatingAdmissionPolicy .* denied) request");

  private PodDryRun() {}

  /** What the API server makes of a pod. */
  public sealed interface Response {}

  /**
   * It would create the pod, or there is no result: the service account has no right to create
   * pods, or a webhook does not support dry runs. A rollout then continues as without the request.
   */
  public record Admitted() implements Response {}

  /**
   * It would not create the pod.
   *
   * @param message why
   */
  public record Refused(String message) implements Response {}

  /** It did not respond in {@link #DEADLINE}, or had no time or could not: nothing new is known. */
  public record NoResponse() implements Response {}

  /**
   * Requests it. Returns within a few seconds.
   *
   * @param set its StatefulSet, as read from the API server
   * @param ordinal the pod's ordinal
   * @param replaced whether an existing pod of this name is deleted before, which frees its name
   *     and its share of a quota
   */
  public static Response request(
      KubernetesClient client, StatefulSet set, int ordinal, boolean replaced) {
    var pod = pod(set, ordinal);
    var impatient = impatient(client);
    try {
      var unused = impatient.call(it -> it.resource(pod).dryRun().create().getMetadata().getName());
      return new Admitted();
    } catch (KubernetesClientException e) {
      var response = response(e, replaced);
      return replaced && response instanceof Refused refused
          ? withoutItsOwnShare(refused, pod, impatient)
          : response;
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

  private static Response response(KubernetesClientException e, boolean replaced) {
    var status = Optional.ofNullable(e.getStatus());
    var message =
        status
            .map(Status::getMessage)
            .orElseGet(() -> Optional.ofNullable(e.getMessage()).orElse(""));
    var refused = new Refused(message);
    if (DENIED.matcher(message).find()) {
      return refused;
    }
    return switch (e.getCode()) {
      case HTTP_FORBIDDEN ->
          message.contains("cannot create resource \"pods\"") ? new Admitted() : refused;
      case HTTP_BAD_REQUEST ->
          message.contains("does not support dry run") ? new Admitted() : refused;
      case HTTP_UNPROCESSABLE -> refused;
      // A name that is taken comes last: all that admits pods has admitted it. A pod that is
      // missing is not created while another one has its name.
      case HTTP_CONFLICT ->
          status.map(Status::getReason).filter("AlreadyExists"::equals).isEmpty()
              ? new NoResponse()
              : replaced ? new Admitted() : refused;
      // The controller's request would fail by it too.
      case HTTP_INTERNAL_ERROR ->
          message.contains("failed calling webhook") ? refused : new NoResponse();
      default -> new NoResponse();
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

  /** What the pod that exists by this name has of a quota is not there for the one to come. */
  private static Response withoutItsOwnShare(
      Refused refused, Pod pod, FunctionCallable<? extends NamespacedKubernetesClient> client) {
    if (!Quotas.isExceeded(refused.message())) {
      return refused;
    }
    try {
      // As JSON: the operator's client reads no containers of pods.
      var present =
          client.call(
              it ->
                  it.raw(
                      "/api/v1/namespaces/"
                          + pod.getMetadata().getNamespace()
                          + "/pods/"
                          + pod.getMetadata().getName()));
      return Quotas.isRoomWithout(refused.message(), present) ? new Admitted() : refused;
    } catch (KubernetesClientException e) {
      return new NoResponse();
    }
  }
}
