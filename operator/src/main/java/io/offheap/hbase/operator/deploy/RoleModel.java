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
 * Everything that the objects of one role are made from.
 *
 * @param role what the pods do
 * @param group name of the group, for region servers beside the default group
 * @param name name of StatefulSet and service
 * @param replicas pods
 * @param labels labels of every object of the role
 * @param configFiles files in the pod's configuration folder
 * @param online what the pods take over without a restart, for region servers
 * @param extraConfigMaps config maps of the user's whose files go into the same folder
 * @param waitFor {@code host:port} of what must accept connections before the role starts
 * @param memoryBytes request and limit of the container
 * @param heapBytes the most that the JVM's heap takes of it
 * @param requests what is set aside for the container beside memory
 * @param limits what the container may use beside memory
 * @param volume the volume of each pod, where it keeps data or a cache
 * @param planHash hash of the memory plan, for region servers
 * @param podTemplate what is declared of the pods' template
 * @param image image of the pods
 * @param declared hash of what was declared for the pods, as it was declared: where it is the same,
 *     a pod that this version of the operator would make otherwise is left as it is
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
   * What running pods take over.
   *
   * @param configMap name of the config map; it stays the same whatever the content is
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
   * Name of the role's config map. It changes with the content: a pod never sees another
   * configuration than the one that it was started with.
   */
  public String configMapName() {
    return name + "-" + hash(new TreeMap<>(configFiles).toString());
  }

  /** Of what it is as JSON; two processes need not have its maps in the same order. */
  static String hashOfJson(Object content) {
    try {
      return hash(JSON.writeValueAsString(content));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("what came as JSON can be written as such", e);
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
