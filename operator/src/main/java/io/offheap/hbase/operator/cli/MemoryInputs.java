package io.offheap.hbase.operator.cli;

import io.fabric8.kubernetes.api.model.Quantity;
import io.offheap.hbase.operator.plan.Bytes;
import io.offheap.hbase.operator.plan.MemoryPlan;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * The fields of memory, with values to try. Where the group declares memory, each field is changed
 * by itself; memory from a profile or the default group is inherited as a whole, so it is changed
 * as a whole.
 */
final class MemoryInputs {
  private static final long MIB = 1L << 20;
  private static final int STEPS = 6;

  private final GroupLocation place;
  private final MemoryPlan plan;
  private final Map<String, String> declared = new LinkedHashMap<>();

  private MemoryInputs(GroupLocation place, MemoryPlan plan) {
    this.place = place;
    this.plan = plan;
    var memory = place.spec().memory();
    declare("heap", memory.heap());
    declare("offHeap", memory.offHeap());
    declare("limit", memory.limit());
    declare("workingSet", memory.workingSet());
    declare("offHeapMemstore", memory.offHeapMemstore());
  }

  private void declare(String name, Quantity quantity) {
    if (quantity != null) {
      declared.put(name, Bytes.quantity(Quantity.getAmountInBytes(quantity).longValueExact()));
    }
  }

  static List<Input> of(GroupLocation place, MemoryPlan plan) {
    var inputs = new MemoryInputs(place, plan);
    var all = new ArrayList<Input>();
    all.add(inputs.size("heap", plan.g1().heapBytes()));
    all.add(inputs.offHeap());
    all.add(inputs.size("limit", plan.containerMemoryBytes()));
    if (inputs.isShared()) {
      all.add(inputs.optional("workingSet", plan.containerMemoryBytes() / 8 / MIB * MIB));
    }
    all.add(inputs.optional("offHeapMemstore", 32 * MIB));
    return all;
  }

  /** Whether a limit is divided. */
  private boolean isShared() {
    return !declared.containsKey("heap") || !declared.containsKey("offHeap");
  }

  private Input size(String name, long bytes) {
    return moved(name, Input.bytes(place.field("memory." + name), bytes));
  }

  /** At most three quarters of a limit that is divided: more may leave no heap. */
  private Input offHeap() {
    var field = place.field("memory.offHeap");
    var input = Input.bytes(field, plan.directMemory().bytes());
    long most = isShared() ? plan.containerMemoryBytes() / 4 * 3 : Long.MAX_VALUE;
    var ways =
        input.ways().stream()
            .map(
                way ->
                    way.stream()
                        .filter(
                            it ->
                                Quantity.getAmountInBytes(Quantity.parse(it)).longValueExact()
                                    <= most)
                        .toList())
            .toList();
    return moved("offHeap", new Input(field, input.now(), ways));
  }

  /** A field that is 0 where it is left out. */
  private Input optional(String name, long first) {
    var now = declared.get(name);
    if (now != null) {
      return size(name, Quantity.getAmountInBytes(Quantity.parse(now)).longValueExact());
    }
    var ways =
        LongStream.iterate(first, bytes -> bytes * 2)
            .limit(STEPS)
            .mapToObj(Bytes::quantity)
            .toList();
    return moved(name, new Input(place.field("memory." + name), "none", List.of(ways)));
  }

  private Input moved(String name, Input input) {
    if (place.declaresMemory()) {
      return input;
    }
    return new Input(
        place.field("memory"),
        written(declared),
        input.ways().stream().map(way -> way.stream().map(it -> with(name, it)).toList()).toList());
  }

  private String with(String name, String value) {
    var changed = new LinkedHashMap<>(declared);
    changed.put(name, value);
    return written(changed);
  }

  private static String written(Map<String, String> memory) {
    return memory.entrySet().stream()
        .map(it -> it.getKey() + ": " + it.getValue())
        .collect(Collectors.joining(", ", "{", "}"));
  }
}
