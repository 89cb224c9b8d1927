package io.offheap.hbase.operator.property;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.declare.Plans;
import io.offheap.hbase.operator.plan.MemoryPlan;
import io.offheap.hbase.operator.plan.PlanProblem;
import io.offheap.hbase.operator.plan.PlanResult;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Assume;

/**
 * An HBaseCluster as written in a file. The property tests use the planner only through its
 * resource, so that they do not depend on its implementation.
 */
record Resource(ObjectNode document) {
  static final String HEAP = "memory.heap";
  static final String OFF_HEAP = "memory.offHeap";
  static final String LIMIT = "memory.limit";
  static final String BUCKET_CACHE = "blockCache.bucketCacheSize";

  private static final String SPEC = "spec.regionServers.";
  private static final long MIB = 1L << 20;

  /** The smallest resource: the two sizes that everything follows from. */
  static Resource ofMib(long heap, long offHeap) {
    var document = JsonNodeFactory.instance.objectNode();
    document.put("apiVersion", "hbase.offheap.io/v1alpha1").put("kind", "HBaseCluster");
    document.putObject("metadata").put("name", "any");
    var spec = document.putObject("spec");
    spec.putObject("zookeeper").putObject("managed");
    spec.putObject("storage").putObject("managed");
    spec.putObject("regionServers");
    return new Resource(document).with(HEAP, mib(heap)).with(OFF_HEAP, mib(offHeap));
  }

  /** A quantity as in a resource. */
  static String mib(long mib) {
    return mib % 1024 == 0 && mib != 0 ? mib / 1024 + "Gi" : mib + "Mi";
  }

  /** Bytes of a quantity. */
  static long bytes(String quantity) {
    return Quantity.getAmountInBytes(Quantity.parse(quantity)).longValueExact();
  }

  Resource with(String field, String value) {
    return with(field, JsonNodeFactory.instance.textNode(value));
  }

  Resource with(String field, long value) {
    return with(field, JsonNodeFactory.instance.numberNode(value));
  }

  /** This resource with one field of the region servers changed; missing parents are created. */
  Resource with(String field, JsonNode value) {
    var copy = new Resource(document.deepCopy());
    copy.parent(field).set(name(field), value);
    return copy;
  }

  /** This resource with one property more in {@code config}. */
  Resource withConfig(String key, String value) {
    var copy = new Resource(document.deepCopy());
    copy.regionServers().withObject("/config").put(key, value);
    return copy;
  }

  /** This resource with one option more in {@code jvmOptions}. */
  Resource withJvmOption(String option) {
    var copy = new Resource(document.deepCopy());
    copy.regionServers().withArray("/jvmOptions").add(option);
    return copy;
  }

  /** This resource without a field of the region servers. */
  Resource without(String field) {
    var copy = new Resource(document.deepCopy());
    copy.parent(field).remove(name(field));
    return copy;
  }

  boolean has(String field) {
    return !field(field).isMissingNode();
  }

  /** Text of a field; empty where it is missing. */
  Optional<String> text(String field) {
    return Optional.of(field(field)).filter(node -> !node.isMissingNode()).map(JsonNode::asText);
  }

  /** A size that was declared, in MiB. */
  long mibOf(String field) {
    return text(field).map(Resource::bytes).orElse(0L) / MIB;
  }

  private JsonNode field(String field) {
    var node = regionServers().at("/" + field.replace('.', '/'));
    return node.isNull() ? MissingNode.getInstance() : node;
  }

  /** The parent of a field, created where it is missing. */
  private ObjectNode parent(String field) {
    int dot = field.lastIndexOf('.');
    return dot < 0
        ? regionServers()
        : regionServers().withObject("/" + field.substring(0, dot).replace('.', '/'));
  }

  private static String name(String field) {
    return field.substring(field.lastIndexOf('.') + 1);
  }

  private ObjectNode regionServers() {
    return document.withObject("/spec/regionServers");
  }

  HBaseCluster cluster() {
    return Serialization.unmarshal(document.toString(), HBaseCluster.class);
  }

  PlanResult result() {
    return new Plans().ofDefaultGroup(cluster());
  }

  Optional<MemoryPlan> planned() {
    return result() instanceof PlanResult.Planned planned
        ? Optional.of(planned.plan())
        : Optional.empty();
  }

  /** The plan; a resource without a plan is skipped. */
  MemoryPlan plan() {
    var plan = planned();
    Assume.that(plan.isPresent());
    return plan.orElseThrow();
  }

  /** The problems; empty where there is a plan. */
  List<PlanProblem> problems() {
    return result() instanceof PlanResult.Refused refused ? refused.problems() : List.of();
  }

  static String path(String field) {
    return SPEC + field;
  }

  @Override
  public String toString() {
    return "regionServers: " + regionServers();
  }
}
