package io.offheap.hbase.operator.reconcile;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.offheap.hbase.operator.api.FormerNames;
import io.offheap.hbase.operator.api.HBaseClusterSpec;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The hash of a spec without the number of region servers, the rules of restarts, and the images of
 * ZooKeeper and HDFS: no plan depends on them, so their changes must not discard the plans' input.
 */
final class SpecFingerprint {
  private static final JsonMapper JSON =
      JsonMapper.builder().enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS).build();

  private SpecFingerprint() {}

  /** 64 hexadecimal digits. */
  static String of(HBaseClusterSpec spec) {
    try {
      var text = planned(spec).toString().getBytes(UTF_8);
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(text));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  static boolean isSame(HBaseClusterSpec one, HBaseClusterSpec other) {
    return planned(one).equals(planned(other));
  }

  private static JsonNode planned(HBaseClusterSpec spec) {
    ObjectNode tree = JSON.valueToTree(spec);
    tree.remove("rollout");
    without("image", tree.path("zookeeper").path("managed"));
    without("image", tree.path("storage").path("managed"));
    FormerNames.restoreIn(tree);
    without("replicas", tree.path("regionServers"));
    tree.path("regionServerGroups").forEach(it -> without("replicas", it));
    return tree;
  }

  private static void without(String field, JsonNode part) {
    if (part instanceof ObjectNode fields) {
      fields.remove(field);
    }
  }
}
