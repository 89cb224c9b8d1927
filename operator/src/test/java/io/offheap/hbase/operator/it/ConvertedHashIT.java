package io.offheap.hbase.operator.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.client.KubernetesClientException;
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

  private static List<HBaseCluster> clusters() throws IOException {
    var clusters = new ArrayList<HBaseCluster>();
    for (var line : Files.readAllLines(FOLDER.resolve("new.jsonl"))) {
      var thing = JSON.readTree(line);
      for (JsonNode it : thing.has("items") ? thing.get("items") : List.of(thing)) {
        if (it.path("kind").asText().equals("HBaseCluster")) {
          clusters.add(Serialization.unmarshal(it.toString(), HBaseCluster.class));
        }
      }
    }
    return clusters;
  }
}
