package io.offheap.hbase.operator.status;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.offheap.hbase.operator.api.HBaseClusterStatus.MemoryPlanStatus;
import io.offheap.hbase.operator.plan.BudgetItem;
import io.offheap.hbase.operator.plan.JvmKeys;
import io.offheap.hbase.operator.plan.Key;
import io.offheap.hbase.operator.plan.MemoryPlan;
import io.offheap.hbase.operator.plan.Setting;
import io.offheap.hbase.operator.plan.Target;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/**
 * Plans in status: a summary, and the values, so that the last good plan can be applied again.
 * Status has no reasons; they follow from the spec.
 */
public final class PlanStatuses {
  /**
   * Limit of a plan's unpacked values in bytes. The API server's objects are smaller, so more is an
   * attack.
   */
  private static final int MOST_BYTES = 2 * 1024 * 1024;

  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final String NO_REASON = "as it was planned before the spec was refused";

  private PlanStatuses() {}

  /** A plan for status. */
  public static MemoryPlanStatus of(MemoryPlan plan) {
    return new MemoryPlanStatus(
        plan.hash(),
        text(plan, JvmKeys.HEAP),
        text(plan, JvmKeys.DIRECT_MEMORY),
        plan.setting(Target.CONTAINER, "memory").map(Setting::value).orElse(null),
        values(plan));
  }

  private static String text(MemoryPlan plan, Key<?> key) {
    return plan.setting(key).map(Setting::value).orElse(null);
  }

  /**
   * The plan of a status.
   *
   * @return empty if it has no values, or values that cannot be parsed
   */
  public static Optional<MemoryPlan> read(MemoryPlanStatus status) {
    if (status.values() == null) {
      return Optional.empty();
    }
    try {
      var values = JSON.readValue(unpacked(status.values()), Values.class);
      return Optional.of(
          new MemoryPlan(values.settings().stream().map(Value::setting).toList(), values.budget()));
    } catch (IOException | IllegalArgumentException | NullPointerException e) {
      // Another writer's text. The plan follows from the spec if that is not refused.
      return Optional.empty();
    }
  }

  private static String values(MemoryPlan plan) {
    try {
      return packed(
          JSON.writeValueAsBytes(
              new Values(plan.settings().stream().map(Value::of).toList(), plan.budget())));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a plan can be written as JSON", e);
    }
  }

  private static String packed(byte[] json) {
    var bytes = new ByteArrayOutputStream();
    try (var gzip = new GZIPOutputStream(bytes)) {
      gzip.write(json);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Base64.getEncoder().encodeToString(bytes.toByteArray());
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
   * A plan's part in status.
   *
   * @param settings each value
   * @param budget the parts of the container's memory
   */
  record Values(List<Value> settings, List<BudgetItem> budget) {}

  /**
   * A setting's part in status.
   *
   * @param target where it takes effect
   * @param key its name
   * @param value as it is rendered
   * @param source its source: tuning keeps declared values
   */
  record Value(String target, String key, String value, String source) {
    private static Value of(Setting setting) {
      return new Value(setting.target().text(), setting.name(), setting.value(), setting.origin());
    }

    private Setting setting() {
      return Setting.written(Target.of(target), key, value, NO_REASON, source);
    }
  }
}
