package io.offheap.hbase.operator.deploy;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.util.StdConverter;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.declare.GroupPlan;
import io.offheap.hbase.operator.plan.BudgetItem;
import io.offheap.hbase.operator.plan.Setting;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The config map {@code NAME-plan}: the plans that are applied, each value with its reason, for
 * people and their tools. The operator never reads its text.
 *
 * <p>One key for each region server group: {@code plan.yaml}, {@code plan-GROUP.yaml}.
 */
public final class PlanMap {
  /** Characters of all plans. An object has 1 MiB, and a character may take several bytes. */
  static final int LONGEST = 256 * 1024;

  private static final String COMPONENT = "plan";
  private static final String KEY = "plan";
  private static final String YAML = ".yaml";

  private static final ObjectMapper WRITER =
      YAMLMapper.builder()
          .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
          .disable(YAMLGenerator.Feature.SPLIT_LINES)
          .enable(YAMLGenerator.Feature.MINIMIZE_QUOTES)
          .enable(YAMLGenerator.Feature.ALWAYS_QUOTE_NUMBERS_AS_STRINGS)
          .build();

  private PlanMap() {}

  /** Its name. */
  public static String name(HasMetadata cluster) {
    return cluster.getMetadata().getName() + "-" + COMPONENT;
  }

  /** The desired config map. */
  public static ConfigMap of(HBaseCluster cluster, List<GroupPlan> plans) {
    var labels = new TreeMap<>(Labels.of(cluster));
    labels.put(Labels.COMPONENT, COMPONENT);
    return new ConfigMapBuilder()
        .withNewMetadata()
        .withName(name(cluster))
        .withNamespace(cluster.getMetadata().getNamespace())
        .withLabels(labels)
        .withOwnerReferences(RememberedMap.owner(cluster))
        .endMetadata()
        .withData(data(plans))
        .build();
  }

  private static Map<String, String> data(List<GroupPlan> plans) {
    var data = new TreeMap<String, String>();
    int length = 0;
    for (GroupPlan it : plans) {
      var text = text(it);
      if (length + text.length() > LONGEST) {
        // Declared values may have any length.
        text = "# The plan has too many characters for a config map: kubectl hbc plan shows it.\n";
      }
      length += text.length();
      data.put(it.group().isDefault() ? KEY + YAML : KEY + "-" + it.group().name() + YAML, text);
    }
    return data;
  }

  private static String text(GroupPlan group) {
    var plan = group.plan();
    try {
      return WRITER.writeValueAsString(
          new Document(
              group.group().isDefault() ? null : group.group().name(),
              plan.hash(),
              plan.containerMemoryBytes(),
              plan.budget(),
              plan.settings().stream().map(Value::of).toList()));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a plan can be written as YAML", e);
    }
  }

  /**
   * A group's plan.
   *
   * @param group its name; left out for the default group
   * @param hash changes when a value changes
   * @param containerBytes memory of a region server's container
   * @param budget the parts of that memory
   * @param settings every value with its reason
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Document(
      String group,
      String hash,
      long containerBytes,
      List<BudgetItem> budget,
      List<Value> settings) {}

  /**
   * One value.
   *
   * @param key HBase's, HotSpot's or Kubernetes' own name
   * @param target where it takes effect
   * @param value as it is rendered
   * @param reason the formula with its numbers
   * @param source where the formula is published; {@code declared}, {@code tuned}
   */
  record Value(String key, String target, String value, String reason, String source) {
    private static Value of(Setting setting) {
      return new Value(
          setting.name(),
          setting.target().text(),
          setting.value(),
          setting.sentence(),
          setting.origin());
    }
  }

  /** Whether a config map is a plan map. */
  static boolean isOne(ConfigMap map) {
    return Optional.ofNullable(map.getMetadata().getLabels())
        .filter(it -> COMPONENT.equals(it.get(Labels.COMPONENT)))
        .isPresent();
  }

  /**
   * Whether a plan map is up to date.
   *
   * @param read as the operator's client reads it: {@link Digests}
   */
  public static boolean isSame(ConfigMap read, ConfigMap wanted) {
    var data = Optional.ofNullable(read.getData()).orElse(Map.of());
    return data.equals(new Digests().convert(wanted.getData()));
  }

  /**
   * Replaces plans in a config map's data by their digests: the informer keeps all config maps of
   * all clusters, and the operator does not read the long plans.
   */
  static final class Digests extends StdConverter<Map<String, String>, Map<String, String>> {
    @Override
    public Map<String, String> convert(Map<String, String> read) {
      var kept = new TreeMap<>(read);
      kept.replaceAll((key, text) -> isPlan(key) && text != null ? digest(text) : text);
      return kept;
    }

    private static boolean isPlan(String key) {
      return key.equals(KEY + YAML) || (key.startsWith(KEY + "-") && key.endsWith(YAML));
    }

    private static String digest(String text) {
      try {
        var digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));
        return "sha256:" + HexFormat.of().formatHex(digest);
      } catch (NoSuchAlgorithmException e) {
        throw new IllegalStateException("every Java has SHA-256", e);
      }
    }
  }
}
