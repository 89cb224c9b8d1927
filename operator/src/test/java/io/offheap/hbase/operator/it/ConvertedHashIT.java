package io.offheap.hbase.operator.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.FieldValidateable;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.HBaseClusterStatus;
import io.offheap.hbase.operator.declare.ServerGroups;
import io.offheap.hbase.operator.deploy.DeclaredHash;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * What the API server makes of converted resources: its defaults must add nothing to the hashes
 * that the pods of the old form have. The recorded hashes are those of {@code ConvertedHashTest}.
 */
@ExtendWith(ApiServer.class)
class ConvertedHashIT {
  private static final Path FOLDER = Path.of("src/test/resources/convert");
  private static final ObjectMapper JSON = new ObjectMapper();

  @Test
  void defaultsOfTheDefinitionAddNothing(ApiServer.Running server, TestInfo test)
      throws IOException {
    var namespace = server.createNamespace(test);
    var recorded = Files.readAllLines(FOLDER.resolve("hashes.txt"));
    var accepted = new ArrayList<String>();
    var clusters = clusters();
    for (int i = 0; i < clusters.size(); i++) {
      var cluster = clusters.get(i);
      var live = Optional.ofNullable(cluster.getStatus()).map(HBaseClusterStatus::live);
      cluster.getMetadata().setName("hb-" + i);
      cluster.getMetadata().setNamespace(namespace);
      HBaseCluster read;
      try {
        read = server.client().resource(cluster).create();
      } catch (KubernetesClientException e) {
        // Some are refused: they are there for the conversion alone.
        continue;
      }
      for (var group : ServerGroups.of(read.getSpec())) {
        var hash = DeclaredHash.of(read.getSpec(), group, "image", live);
        assertThat(recorded.get(i)).contains("group " + group.name() + "=" + hash);
        accepted.add(hash);
      }
    }

    assertThat(accepted).hasSizeGreaterThan(10);
  }

  /** As {@code kubectl replace} has it, which refuses a field that the definition lacks. */
  @Test
  void definitionHasEachField(ApiServer.Running server, TestInfo test) throws IOException {
    var namespace = server.createNamespace(test);
    int accepted = 0;
    for (JsonNode it : converted()) {
      var resource = Serialization.unmarshal(it.toString(), GenericKubernetesResource.class);
      resource.getMetadata().setName("hb-" + accepted);
      resource.getMetadata().setNamespace(namespace);
      try {
        server
            .client()
            .resource(resource)
            .fieldValidation(FieldValidateable.Validation.STRICT)
            .create();
        accepted++;
      } catch (KubernetesClientException e) {
        assertThat(e.getMessage()).doesNotContain("unknown field");
      }
    }

    assertThat(accepted).isGreaterThan(10);
  }

  private static List<HBaseCluster> clusters() throws IOException {
    return converted().stream()
        .map(it -> Serialization.unmarshal(it.toString(), HBaseCluster.class))
        .toList();
  }

  private static List<JsonNode> converted() throws IOException {
    var clusters = new ArrayList<JsonNode>();
    for (var line : Files.readAllLines(FOLDER.resolve("new.jsonl"))) {
      var thing = JSON.readTree(line);
      for (JsonNode it : thing.has("items") ? thing.get("items") : List.of(thing)) {
        if (it.path("kind").asText().equals("HBaseCluster")) {
          clusters.add(it);
        }
      }
    }
    return clusters;
  }
}
