package io.offheap.hbase.operator.reconcile;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.offheap.hbase.operator.deploy.Labels;
import io.offheap.hbase.operator.rollout.Rollout;
import io.offheap.hbase.operator.rollout.Turn;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What HBase is to have back after a rollout, in an annotation of the default group's StatefulSet
 * too. Where a resource is deleted without its objects and made again, or restored without its
 * status, nothing else tells that a server was drained by an operator, or that the balancer was on.
 *
 * <p>It is written before HBase is told anything, and removed before status says that the rollout
 * is over; status is what counts. It is read where the resource is another one than that it was
 * written for and remembers no rollout itself.
 *
 * @param cluster uid of the resource
 * @param balancer whether the balancer was on; null while it is as others left it
 * @param normalizer the same of the normalizer
 * @param servers server names of region servers in their turn, by pod
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonIgnoreProperties(ignoreUnknown = true)
record RolloutCopy(
    String cluster, Boolean balancer, Boolean normalizer, Map<String, String> servers) {
  private static final Logger LOG = LoggerFactory.getLogger(RolloutCopy.class);
  private static final JsonMapper JSON = JsonMapper.builder().build();

  RolloutCopy {
    servers = servers == null ? Map.of() : new TreeMap<>(servers);
  }

  /** What is to be kept of a rollout; empty where HBase is as others left it. */
  static Optional<RolloutCopy> of(HasMetadata cluster, Optional<Rollout> rollout) {
    var before = rollout.flatMap(Rollout::before);
    var servers =
        rollout.map(Rollout::turns).stream()
            .flatMap(it -> it.stream())
            .filter(it -> !it.server().isEmpty())
            .collect(Collectors.toMap(Turn::pod, Turn::server, (one, other) -> one));
    return before.isEmpty() && servers.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new RolloutCopy(
                cluster.getMetadata().getUid(),
                before.map(Rollout.Switches::balancer).orElse(null),
                before.map(Rollout.Switches::normalizer).orElse(null),
                servers));
  }

  /** The one that an object has; one that cannot be read, an operator of another version wrote. */
  static Optional<RolloutCopy> on(HasMetadata object) {
    return Optional.ofNullable(object.getMetadata().getAnnotations())
        .map(it -> it.get(Labels.ROLLOUT))
        .flatMap(RolloutCopy::read);
  }

  private static Optional<RolloutCopy> read(String text) {
    try {
      return Optional.ofNullable(JSON.readValue(text, RolloutCopy.class));
    } catch (JsonProcessingException e) {
      LOG.debug("Annotation {} cannot be read: {}", Labels.ROLLOUT, e.getOriginalMessage());
      return Optional.empty();
    }
  }

  /**
   * The rollout that another resource has left behind: it gives back what that had taken.
   *
   * @param now when this one takes it over
   */
  Optional<Rollout> leftBehindFor(HasMetadata other, Instant now) {
    return cluster == null || cluster.equals(other.getMetadata().getUid())
        ? Optional.empty()
        : Optional.of(
            Rollout.leftBehind(
                balancer == null || normalizer == null
                    ? Optional.empty()
                    : Optional.of(new Rollout.Switches(balancer, normalizer)),
                servers,
                now));
  }

  /** Writes a copy to a StatefulSet, or takes it away, and leaves everything else of it alone. */
  static void put(Optional<RolloutCopy> copy, HasMetadata set, KubernetesClient client) {
    var annotations = new HashMap<String, String>();
    annotations.put(Labels.ROLLOUT, copy.map(RolloutCopy::json).orElse(null));
    client
        .apps()
        .statefulSets()
        .inNamespace(set.getMetadata().getNamespace())
        .withName(set.getMetadata().getName())
        .patch(
            PatchContext.of(PatchType.JSON_MERGE),
            json(Map.of("metadata", Map.of("annotations", annotations))));
  }

  private static String json(Object it) {
    try {
      return JSON.writeValueAsString(it);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }
}
