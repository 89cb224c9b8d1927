package io.offheap.hbase.operator.deploy;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.fabric8.kubernetes.api.model.Quantity;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The input of all objects of one role.
 *
 * @param role the role
 * @param group name of the group, for region servers beside the default group
 * @param name name of StatefulSet and service
 * @param replicas number of pods
 * @param labels labels of every object of the role
 * @param configFiles files in the pod's configuration folder
 * @param online values that running pods reload, for region servers
 * @param extraConfigMaps the user's config maps whose files are in the same folder
 * @param waitFor {@code host:port} of servers that must accept connections before the role starts
 * @param memoryBytes memory request and limit of the container
 * @param heapBytes maximum of the JVM's heap
 * @param requests the container's requests except memory
 * @param limits the container's limits except memory
 * @param volume the volume of each pod, where it keeps data or a cache
 * @param planHash hash of the memory plan, for region servers
 * @param podTemplate the declared pod template
 * @param image image of the pods
 * @param declared {@link DeclaredHash} of the pods: while it is the same, a pod with an older
 *     operator's template is not restarted
 */
@RecordBuilder
public record RoleModel(
    Role role,
    String group,
    String name,
    int replicas,
    Map<String, String> labels,
    Map<String, String> configFiles,
    Optional<Online> online,
    List<String> extraConfigMaps,
    List<String> waitFor,
    long memoryBytes,
    long heapBytes,
    Map<String, Quantity> requests,
    Map<String, Quantity> limits,
    Optional<PodVolume> volume,
    Optional<String> planHash,
    Optional<JsonNode> podTemplate,
    String image,
    String declared) {
  private static final ObjectMapper JSON =
      JsonMapper.builder().enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS).build();

  /**
   * The values that running pods reload.
   *
   * @param configMap name of the config map, which does not depend on the content
   * @param files files in the pod's configuration folder
   * @param revision hash of the values
   */
  public record Online(String configMap, Map<String, String> files, String revision) {
    public Online {
      files = Map.copyOf(files);
    }
  }

  public RoleModel {
    labels = Map.copyOf(labels);
    configFiles = Map.copyOf(configFiles);
    requests = Map.copyOf(requests);
    limits = Map.copyOf(limits);
    extraConfigMaps = List.copyOf(extraConfigMaps);
    waitFor = List.copyOf(waitFor);
  }

  /**
   * Name of the role's config map. It changes with the content, so that a running pod's
   * configuration never changes.
   */
  public String configMapName() {
    return name + "-" + hash(new TreeMap<>(configFiles).toString());
  }

  /** Hash of an object's JSON with sorted keys, which is the same in every process. */
  static String hashOfJson(Object content) {
    try {
      return hash(JSON.writeValueAsString(content));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("an object from JSON can be written as JSON", e);
    }
  }

  /** Ten hexadecimal digits. */
  public static String hash(String content) {
    try {
      var digest = MessageDigest.getInstance("SHA-256").digest(content.getBytes(UTF_8));
      return HexFormat.of().formatHex(digest).substring(0, 10);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
