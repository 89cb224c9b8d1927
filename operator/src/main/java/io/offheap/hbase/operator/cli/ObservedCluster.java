package io.offheap.hbase.operator.cli;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.fabric8.kubernetes.api.model.Condition;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.HBaseClusterStatus;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A cluster as read from the API server.
 *
 * @param cluster the resource, with its status
 * @param status the status; empty where the operator has not written one
 * @param events events of the cluster, the oldest first
 */
record ObservedCluster(HBaseCluster cluster, HBaseClusterStatus status, List<Event> events) {
  /** Unknown fields of a status are ignored: the operator may have a later version. */
  private static final ObjectMapper YAML =
      YAMLMapper.builder().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();

  /**
   * An event.
   *
   * @param at when it was last recorded, RFC 3339
   * @param type Normal or Warning
   */
  record Event(String at, String type, String reason, String message) {}

  /**
   * The document of {@code status}.
   *
   * @param readyServers region servers that serve; null where unknown
   * @param desiredServers region servers that are declared; null where unknown
   * @param planHash hash of the plan of the default group; null where there is none
   * @param rollout as in the status; null where none is in progress
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  @RecordBuilder
  record Summary(
      String namespace,
      String name,
      Integer readyServers,
      Integer desiredServers,
      String planHash,
      List<HBaseClusterStatus.RegionServer> regionServers,
      Object rollout,
      List<Condition> conditions,
      List<Event> events) {}

  /**
   * Reads the one HBaseCluster of a file, and the lists of events in it.
   *
   * @param file a path, or {@code -} for standard input
   * @throws RefusedException if it cannot be parsed, or does not have exactly one HBaseCluster
   */
  static ObservedCluster read(String file) throws RefusedException {
    try (var content = file.equals("-") ? System.in : Files.newInputStream(Path.of(file));
        var parser = YAML.getFactory().createParser(content)) {
      var clusters = new ArrayList<JsonNode>();
      var events = new ArrayList<Event>();
      for (JsonNode document : YAML.<JsonNode>readValues(parser, JsonNode.class).readAll()) {
        add(document, clusters, events);
      }
      if (clusters.size() != 1) {
        throw new RefusedException(
            file, "kind", clusters.size() + " documents of kind HBaseCluster; must be exactly one");
      }
      return of(clusters.get(0), events);
    } catch (NoSuchFileException | InvalidPathException e) {
      throw new RefusedException(file, file, "there is no such file");
    } catch (JsonProcessingException e) {
      throw new RefusedException(file, file, "cannot be read: " + e.getOriginalMessage());
    } catch (IOException e) {
      throw new RefusedException(file, file, "cannot be read: " + e.getMessage());
    }
  }

  private static ObservedCluster of(JsonNode document, List<Event> events)
      throws JsonProcessingException {
    var cluster = YAML.treeToValue(document, HBaseCluster.class);
    var status = Optional.ofNullable(cluster.getStatus()).orElseGet(HBaseClusterStatus::empty);
    events.sort(Comparator.comparing(Event::at));
    return new ObservedCluster(cluster, status, List.copyOf(events));
  }

  private static void add(JsonNode document, List<JsonNode> clusters, List<Event> events) {
    switch (document.path("kind").asText()) {
      case "HBaseCluster" -> clusters.add(document);
      case "Event" -> events.add(event(document));
      default -> document.path("items").forEach(item -> add(item, clusters, events));
    }
  }

  private static Event event(JsonNode event) {
    var at =
        List.of(
                event.path("series").path("lastObservedTime").asText(""),
                event.path("lastTimestamp").asText(""),
                event.path("eventTime").asText(""),
                event.path("metadata").path("creationTimestamp").asText(""))
            .stream()
            .filter(time -> !time.isEmpty() && !time.equals("null"))
            .findFirst()
            .orElse("");
    return new Event(
        at,
        event.path("type").asText(),
        event.path("reason").asText(),
        // note in events.k8s.io/v1, message in v1
        event.path("note").asText(event.path("message").asText()));
  }

  /** The condition of a type; empty where the status lacks it. */
  Optional<Condition> condition(String type) {
    return conditions().stream().filter(it -> it.getType().equals(type)).findFirst();
  }

  /** All conditions. */
  List<Condition> conditions() {
    return Objects.requireNonNullElse(status.conditions(), List.of());
  }

  /** All region servers. */
  List<HBaseClusterStatus.RegionServer> regionServers() {
    return Objects.requireNonNullElse(status.regionServers(), List.of());
  }

  /** The plan of the default group, if there is one. */
  Optional<HBaseClusterStatus.MemoryPlanStatus> plan() {
    return Optional.ofNullable(status.memoryPlan());
  }

  Summary summary() {
    return ObservedClusterSummaryBuilder.builder()
        .namespace(cluster.getMetadata().getNamespace())
        .name(cluster.getMetadata().getName())
        .readyServers(status.readyServers())
        .desiredServers(status.desiredServers())
        .planHash(plan().map(HBaseClusterStatus.MemoryPlanStatus::hash).orElse(null))
        .regionServers(regionServers())
        .rollout(status.rollout())
        .conditions(conditions())
        .events(events)
        .build();
  }
}
