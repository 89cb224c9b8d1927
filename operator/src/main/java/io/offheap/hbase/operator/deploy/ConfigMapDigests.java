package io.offheap.hbase.operator.deploy;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collection;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Digests in place of a config map's texts: the informer keeps all config maps of all clusters, and
 * the operator only compares their texts with those that it writes.
 *
 * <p>Of a config map in the API server, the keys count that the operator has written and that have
 * not been changed since, by the API server's record of it. A key of another writer, of which there
 * may be any number, costs no memory and no write.
 */
public final class ConfigMapDigests {
  /** The field manager of the dependent resources: the controller's name. */
  static final String DEPENDENTS = "hbasecluster";

  /**
   * The field manager of the plan map and the remembered map: that of the client. It is also that
   * of other programs with this client, so it does not count in other config maps.
   */
  private static final String CLIENT = "fabric8";

  /** More than the operator writes into one: a plan of each group of region servers. */
  private static final int MOST = 64;

  private ConfigMapDigests() {}

  /** The digests of the texts that the operator has written into a config map that was read. */
  static Map<String, String> written(ConfigMap map) {
    var data = Optional.ofNullable(map.getData()).orElse(Map.of());
    boolean isDependent = !PlanMap.isOne(map) && RememberedMap.cluster(map).isEmpty();
    var manager = isDependent ? DEPENDENTS : CLIENT;
    var keys =
        map.getMetadata().getManagedFields().stream()
            .filter(it -> isApplied(it, manager))
            .flatMap(it -> keys(it).stream())
            .filter(data::containsKey)
            .limit(MOST)
            .collect(Collectors.toSet());
    var kept = new TreeMap<String, String>();
    keys.forEach(it -> kept.put(it, digest(data.get(it))));
    return kept;
  }

  /** Whether a record is that of a server-side apply by a manager. */
  static boolean isApplied(ManagedFieldsEntry entry, String manager) {
    return manager.equals(entry.getManager()) && "Apply".equals(entry.getOperation());
  }

  private static Set<String> keys(ManagedFieldsEntry entry) {
    if (entry.getFieldsV1() == null
        || !(entry.getFieldsV1().getAdditionalProperties().get("f:data")
            instanceof Map<?, ?> all)) {
      return Set.of();
    }
    return of(all.keySet());
  }

  private static Set<String> of(Collection<?> fields) {
    return fields.stream()
        .map(Object::toString)
        .filter(it -> it.startsWith("f:"))
        .map(it -> it.substring(2))
        .collect(Collectors.toSet());
  }

  /** The digests of texts that are to be written. */
  public static Map<String, String> of(Map<String, String> texts) {
    var digests = new TreeMap<String, String>();
    texts.forEach((key, text) -> digests.put(key, digest(text)));
    return digests;
  }

  private static String digest(String text) {
    try {
      var bytes = Optional.ofNullable(text).orElse("").getBytes(UTF_8);
      return "sha256:"
          + HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
