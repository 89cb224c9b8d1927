import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.crdv2.generator.CRDGenerator;
import io.fabric8.crdv2.generator.CRDPostProcessor;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceColumnDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaPropsBuilder;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.RegionServersSpec;
import java.io.File;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Writes the custom resource definition from the types in {@code api}, with what the generator has
 * no annotation for: the fields of a region server group and their defaults, list types, formats of
 * times, and the order of columns.
 *
 * <p>Arguments: the folder to write to.
 */
final class Definition implements CRDPostProcessor {
  /**
   * Lists of objects that server-side apply merges by a key; each path with its key. Lists that the
   * operator decides by, such as {@code .status.rolledBack}, are atomic although their entries have
   * a key: an entry that another client wrote too would stay when the operator removes it.
   */
  private static final Map<String, String> KEYS =
      Map.of(
          ".spec.image.pullSecrets", "name",
          ".spec.regionServerGroups", "name",
          ".spec.storage.external.configMapRefs", "name",
          ".status.conditions", "type",
          ".status.groups", "name",
          ".status.regionServers", "pod",
          ".status.tuning.groups", "name");

  /** Lists whose order and repetitions have no meaning. */
  private static final Set<String> SETS =
      Set.of(".spec.rollout.windows[].days", ".spec.tuning.disabledRules");

  /** Fields of the status that hold a time, in RFC 3339. */
  private static final Set<String> TIMES =
      Set.of(
          "again",
          "at",
          "emptyAt",
          "ended",
          "lastChange",
          "lastTransitionTime",
          "notBefore",
          "since",
          "started",
          "startsAt",
          "stopped",
          "unlisted",
          "unreported");

  /** A list of times. */
  private static final String RESTARTS = ".status.tuning.groups[].restarts[]";

  /** Kept whole, whatever it has; the operator reads it. */
  private static final String POD_TEMPLATE = "podTemplate";

  /**
   * Quantities that no rule checks: the API server limits the cost of all rules, and a pattern has
   * none. A text that is no quantity must not be stored, since most clients cannot read it.
   */
  private static final Set<String> QUANTITIES =
      Set.of("ephemeral-storage", "l1Fraction", "memstoreFraction");

  private static final String QUANTITY =
      "^[+-]?([0-9]+(\\.[0-9]*)?|\\.[0-9]+)([KMGTPE]i|[numkMGTPE]|[eE][+-]?[0-9]+)?$";

  /** Of fields whose types are Kubernetes' own, by path. */
  private static final Map<String, String> DESCRIPTIONS =
      Map.of(
          "", "A cluster of HBase. The operator derives the memory settings of its region servers.",
          ".spec", "The declared cluster.",
          ".status", "The observed cluster, and state that the operator stores.",
          ".status.conditions[].lastTransitionTime", "When the condition's status last changed.",
          ".status.conditions[].message", "The reason in a sentence, with its values.",
          ".status.conditions[].observedGeneration", "Generation of the spec that it is about.",
          ".status.conditions[].reason", "The reason for the condition's status, in one word.",
          ".status.conditions[].status", "True, False or Unknown.",
          ".status.conditions[].type", "Name of the condition.");

  private Definition() {}

  public static void main(String[] arguments) {
    var folder = new File(arguments[0]);
    folder.mkdirs();
    new CRDGenerator()
        .customResourceClasses(HBaseCluster.class)
        .inOutputDir(folder)
        .withPostProcessor(new Definition())
        .generate();
  }

  @Override
  public HasMetadata process(HasMetadata generated, String version) {
    var definition = (CustomResourceDefinition) generated;
    for (var it : definition.getSpec().getVersions()) {
      var schema = it.getSchema().getOpenAPIV3Schema();
      var spec = schema.getProperties().get("spec");
      describeDefaults(
          spec.getProperties().get("regionServers"),
          new ObjectMapper().valueToTree(RegionServersSpec.ofDefaults()));
      flattenGroups(spec);
      annotate("", "", schema);
      it.setAdditionalPrinterColumns(inOrder(it.getAdditionalPrinterColumns()));
    }
    return definition;
  }

  /** Appends the default to the description of each field that has one in no other form. */
  private static void describeDefaults(JSONSchemaProps schema, JsonNode defaults) {
    for (var it : defaults.properties()) {
      var field = schema.getProperties().get(it.getKey());
      if (it.getValue().isObject()) {
        describeDefaults(field, it.getValue());
      } else if (it.getValue().isValueNode() && field.getDefault() == null) {
        field.setDescription(field.getDescription() + " Default: " + it.getValue().asText() + ".");
      }
    }
  }

  /** A group has its name and the fields of the default group. */
  private static void flattenGroups(JSONSchemaProps spec) {
    var group = spec.getProperties().get("regionServerGroups").getItems().getSchema();
    var servers = new JSONSchemaPropsBuilder(spec.getProperties().get("regionServers")).build();
    var fields = new TreeMap<>(servers.getProperties());
    fields.putAll(group.getProperties());
    fields.remove("servers");
    servers.setProperties(fields);
    servers.setRequired(group.getRequired());
    servers.setDescription(null);
    spec.getProperties().get("regionServerGroups").getItems().setSchema(servers);
  }

  private static void annotate(String path, String name, JSONSchemaProps schema) {
    if (DESCRIPTIONS.containsKey(path)) {
      schema.setDescription(DESCRIPTIONS.get(path));
    }
    if (path.startsWith(".status.") && TIMES.contains(name) || path.equals(RESTARTS)) {
      schema.setFormat("date-time");
    }
    if ("array".equals(schema.getType())) {
      annotateList(path, schema);
    }
    if (QUANTITIES.contains(name)) {
      schema.setPattern(QUANTITY);
    }
    if (name.equals(POD_TEMPLATE)) {
      schema.setType("object");
    }
    if (schema.getProperties() != null) {
      schema.getProperties().forEach((field, value) -> annotate(path + "." + field, field, value));
    }
  }

  private static void annotateList(String path, JSONSchemaProps schema) {
    var items = schema.getItems().getSchema();
    var key = KEYS.get(path);
    if (key != null) {
      schema.setXKubernetesListType("map");
      schema.setXKubernetesListMapKeys(List.of(key));
      if (!items.getRequired().contains(key)) {
        var required = new ArrayList<>(items.getRequired());
        required.add(key);
        items.setRequired(required);
      }
    } else {
      schema.setXKubernetesListType(SETS.contains(path) ? "set" : "atomic");
    }
    annotate(path + "[]", "", items);
  }

  /** As they are declared, which is the order in which kubectl prints them. */
  private static List<CustomResourceColumnDefinition> inOrder(
      List<CustomResourceColumnDefinition> columns) {
    var names =
        Arrays.stream(HBaseCluster.class.getAnnotationsByType(AdditionalPrinterColumn.class))
            .map(AdditionalPrinterColumn::name)
            .toList();
    return columns.stream()
        .sorted(Comparator.comparing(column -> names.indexOf(column.getName())))
        .toList();
  }
}
