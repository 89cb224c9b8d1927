package io.offheap.hbase.operator.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.HBaseClusterStatus;
import io.offheap.hbase.operator.declare.ServerGroups;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * Resources that {@code crds/convert-v1alpha1} converts, with the hashes of their pods: {@code
 * hashes.txt} has those that the operator computed of the old form, at commit bd6f061 by its own
 * code. Where one differs, the conversion restarts these pods.
 */
class ConvertedHashTest {
  private static final Path FOLDER = Path.of("src/test/resources/convert");
  private static final ObjectMapper JSON = new ObjectMapper();

  @Test
  void conversionChangesNoHashOfRunningPods() throws IOException {
    assertThat(hashes(FOLDER.resolve("new.jsonl")))
        .containsExactlyElementsOf(Files.readAllLines(FOLDER.resolve("hashes.txt")));
  }

  private static List<String> hashes(Path file) throws IOException {
    var hashes = new ArrayList<String>();
    for (var line : Files.readAllLines(file)) {
      var thing = JSON.readTree(line);
      for (JsonNode it : thing.has("items") ? thing.get("items") : List.of(thing)) {
        if (it.path("kind").asText().equals("HBaseCluster")) {
          hashes.add(hashes(Serialization.unmarshal(it.toString(), HBaseCluster.class)));
        }
      }
    }
    return hashes;
  }

  private static String hashes(HBaseCluster cluster) {
    var spec = cluster.getSpec();
    var live = Optional.ofNullable(cluster.getStatus()).map(HBaseClusterStatus::live);
    var hashes = new ArrayList<String>();
    hashes.add("masters=" + DeclaredHash.ofMasters(spec, "image"));
    hashes.add("infrastructure=" + DeclaredHash.ofInfrastructure(spec, Role.ZOOKEEPER, "image"));
    for (var group : ServerGroups.of(spec)) {
      hashes.add("group " + group.name() + "=" + DeclaredHash.of(spec, group, "image", live));
    }
    return String.join(", ", hashes);
  }
}
