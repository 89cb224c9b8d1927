package io.offheap.hbase.operator.deploy;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.declare.GroupPlan;
import io.offheap.hbase.operator.plan.BudgetItem;
import io.offheap.hbase.operator.render.SettingDocument;
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
  /** Bytes of all plans. A config map has at most 1 MiB. */
  static final int LONGEST = 768 * 1024;

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
    return of(cluster, data(plans));
  }

  /** One with this data. */
  static ConfigMap of(HBaseCluster cluster, Map<String, String> data) {
    var labels = new TreeMap<>(Labels.of(cluster));
    labels.put(Labels.COMPONENT, COMPONENT);
    return new ConfigMapBuilder()
        .withNewMetadata()
        .withName(name(cluster))
        .withNamespace(cluster.getMetadata().getNamespace())
        .withLabels(labels)
        .withOwnerReferences(RememberedMap.owner(cluster))
        .endMetadata()
        .withData(data)
        .build();
  }

  private static Map<String, String> data(List<GroupPlan> plans) {
    var data = new TreeMap<String, String>();
    int length = 0;
    for (GroupPlan it : plans) {
      var text = text(it);
      int bytes = text.getBytes(UTF_8).length;
      if (length + bytes > LONGEST) {
        // Declared values may have any length.
        text = "# The plan has too many bytes for a config map: kubectl hbc plan shows it.\n";
        bytes = text.length();
      }
      length += bytes;
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
              plan.settings().stream().map(SettingDocument::of).toList()));
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
      List<SettingDocument> settings) {}

  /** Whether a config map is a plan map. */
  static boolean isOne(ConfigMap map) {
    return Optional.ofNullable(map.getMetadata().getLabels())
        .filter(it -> COMPONENT.equals(it.get(Labels.COMPONENT)))
        .isPresent();
  }
}
