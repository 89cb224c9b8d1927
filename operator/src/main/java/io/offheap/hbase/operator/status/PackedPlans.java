package io.offheap.hbase.operator.status;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.json.JsonMapper;
import io.offheap.hbase.operator.plan.BudgetItem;
import io.offheap.hbase.operator.plan.MemoryPlan;
import io.offheap.hbase.operator.plan.Setting;
import io.offheap.hbase.operator.plan.Target;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Base64;
import java.util.List;
import java.util.zip.GZIPInputStream;

/**
 * The values of a plan in the form that the version before wrote: JSON, compressed with gzip, in
 * base64. Read where a spec is refused while the operator is upgraded; the next status has the
 * present form.
 */
final class PackedPlans {
  /** Bytes of a plan's values. An object of the API server has fewer, so more is a trap. */
  private static final int MOST_BYTES = 2 * 1024 * 1024;

  private static final JsonMapper JSON = JsonMapper.builder().build();

  private PackedPlans() {}

  /**
   * Reads one.
   *
   * @throws IOException if it is no such text, or longer than an object of the API server
   * @throws RuntimeException if it is no base64, or a part of the plan is missing
   */
  static MemoryPlan read(String packed) throws IOException {
    var values = JSON.readValue(unpacked(packed), Values.class);
    return new MemoryPlan(values.settings().stream().map(Value::setting).toList(), values.budget());
  }

  private static String unpacked(String packed) throws IOException {
    try (var gzip =
        new GZIPInputStream(new ByteArrayInputStream(Base64.getDecoder().decode(packed)))) {
      var json = gzip.readNBytes(MOST_BYTES + 1);
      if (json.length > MOST_BYTES) {
        throw new IOException("a plan has at most " + MOST_BYTES + " bytes");
      }
      return new String(json, UTF_8);
    }
  }

  /**
   * What was kept of a plan.
   *
   * @param settings each value
   * @param budget the parts of the container's memory
   */
  record Values(List<Value> settings, List<BudgetItem> budget) {}

  /**
   * What was kept of a setting.
   *
   * @param target where it takes effect
   * @param key its name
   * @param value as it is rendered
   * @param source where it comes from
   */
  record Value(String target, String key, String value, String source) {
    private Setting setting() {
      var origin = StoredOrigin.ofText(source);
      return Setting.stored(
          Target.of(target),
          key,
          value,
          origin.provenance(),
          StoredOrigin.NO_REASON,
          origin.source());
    }
  }
}
