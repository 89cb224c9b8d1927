package io.offheap.hbase.operator.reconcile;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.HBaseClusterStatus;
import io.offheap.hbase.operator.api.HBaseClusterStatus.LiveStatus;
import io.offheap.hbase.operator.declare.ClusterChecks;
import io.offheap.hbase.operator.declare.ClusterPlan;
import io.offheap.hbase.operator.declare.GroupPlan;
import io.offheap.hbase.operator.declare.Plans;
import io.offheap.hbase.operator.deploy.RoleModel;
import io.offheap.hbase.operator.deploy.StatefulSets;
import io.offheap.hbase.operator.observe.ObservedImages;
import io.offheap.hbase.operator.plan.PlanProblem;
import io.offheap.hbase.operator.render.ConfigFiles;
import io.offheap.hbase.operator.status.FittedPlans;
import io.offheap.hbase.operator.status.PlanStatuses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * What the operator makes of the examples and of 500 random resources is what it was when it was
 * recorded: each file to the byte, each pod template, and the values in status, without the
 * sentences in it. So no server that runs with such a resource would be restarted by another
 * version of the operator.
 *
 * <p>{@code recorded/resources.jsonl} has the resources, {@code recorded/results.txt} a line with
 * hashes for each. What they are hashes of is in {@code target/recorded}, a file for each resource:
 * to see a difference, compare this folder with that of another commit ({@code diff -r}). With
 * {@code -Drecorded.write=true} the results are written, for a change that is meant to differ.
 */
class RecordedTest {
  private static final Path FOLDER = Path.of("src/test/resources/recorded");
  private static final Path RESULTS = FOLDER.resolve("results.txt");
  private static final Path TEXTS = Path.of("target/recorded");
  private static final Path EXAMPLES = Path.of("../examples");

  private static final ObjectMapper JSON =
      JsonMapper.builder().enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS).build();

  @Test
  void eachResourceComesToWhatWasRecorded() throws IOException {
    Files.createDirectories(TEXTS);
    var lines = new ArrayList<String>();
    for (var resource : resources().entrySet()) {
      var parts = parts(resource.getValue());
      Files.writeString(TEXTS.resolve(resource.getKey() + ".txt"), text(parts));
      lines.add(
          resource.getKey()
              + parts.entrySet().stream()
                  .map(it -> " " + it.getKey() + "=" + hash(it.getValue()))
                  .collect(Collectors.joining()));
    }

    if (Boolean.getBoolean("recorded.write")) {
      Files.write(RESULTS, lines);
    }
    assertThat(lines).hasSizeGreaterThan(500).isEqualTo(Files.readAllLines(RESULTS));
    assertThat(lines.stream().filter(it -> it.contains(" files="))).hasSizeGreaterThan(300);
  }

  private static Map<String, String> resources() throws IOException {
    var resources = new TreeMap<String, String>();
    try (Stream<Path> files = Files.list(EXAMPLES)) {
      for (Path file : files.toList()) {
        var text = Files.readString(file);
        if (text.contains("kind: HBaseCluster")) {
          resources.put("example-" + file.getFileName(), text);
        }
      }
    }
    int number = 0;
    for (String line : Files.readAllLines(FOLDER.resolve("resources.jsonl"))) {
      resources.put("random-%03d".formatted(number++), line);
    }
    return resources;
  }

  private static Map<String, String> parts(String resource) throws IOException {
    var cluster = Serialization.unmarshal(resource, HBaseCluster.class);
    if (cluster.getMetadata().getNamespace() == null) {
      cluster.getMetadata().setNamespace("recorded");
    }
    var live = Optional.ofNullable(cluster.getStatus()).map(HBaseClusterStatus::live);
    var problems = ClusterChecks.problems(cluster);
    var plans = FittedPlans.of(new Plans(), cluster, live, Set.of());
    if (!problems.isEmpty()) {
      return Map.of("refused", fields(problems));
    }
    if (plans.result() instanceof ClusterPlan.Planned planned) {
      return parts(cluster, planned.groups(), plans.live());
    }
    return Map.of("refused", fields(((ClusterPlan.Refused) plans.result()).problems()));
  }

  private static String fields(List<PlanProblem> problems) {
    return problems.stream().map(PlanProblem::field).collect(Collectors.joining("\n"));
  }

  private static Map<String, String> parts(
      HBaseCluster cluster, List<GroupPlan> groups, Optional<LiveStatus> live) throws IOException {
    var applied =
        Applied.of(new Plans(), cluster, groups, live, "recorded/hbase:1", ObservedImages.NONE);
    var model = Models.of(applied, new HeldReplicas());
    var files = new StringBuilder(text(ConfigFiles.client(model.topology(), model.clientConfig())));
    var templates = new StringBuilder();
    for (RoleModel role : model.roles()) {
      files.append(role.configMapName()).append('\n').append(text(role.configFiles()));
      role.online().ifPresent(it -> files.append(it.revision()).append(text(it.files())));
      templates.append(role.name() + " " + role.replicas() + " " + role.declared() + " ");
      templates.append(StatefulSets.templateHash(model, role) + "\n");
    }
    var parts = new TreeMap<String, String>();
    parts.put("files", files.toString());
    parts.put("templates", templates.toString());
    parts.put("status", status(groups));
    return parts;
  }

  private static String status(List<GroupPlan> groups) throws IOException {
    var text = new StringBuilder();
    for (GroupPlan group : groups) {
      var status = PlanStatuses.of(group.plan());
      text.append(group.group().name() + " " + status.hash() + "\n");
      var plan = PlanStatuses.read(status).orElseThrow();
      plan.settings()
          .forEach(it -> text.append(it.target() + " " + it.name() + "=" + it.text() + "\n"));
      text.append(JSON.writeValueAsString(plan.budget()) + "\n");
    }
    return text.toString();
  }

  private static String text(Map<String, String> parts) {
    return new TreeMap<>(parts)
        .entrySet().stream()
            .map(it -> "==> " + it.getKey() + "\n" + it.getValue() + "\n")
            .collect(Collectors.joining());
  }

  private static String hash(String text) {
    try {
      var digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));
      return HexFormat.of().formatHex(digest, 0, 6);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JVM has SHA-256", e);
    }
  }
}
