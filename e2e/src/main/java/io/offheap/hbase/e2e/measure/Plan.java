package io.offheap.hbase.e2e.measure;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** What {@code plan -o json} printed. */
final class Plan {
  private final JsonNode document;

  private Plan(JsonNode document) {
    this.document = document;
  }

  static Plan read(Path file) throws IOException {
    return new Plan(new ObjectMapper().readTree(file.toFile()));
  }

  /** The parts of the container's memory, without the reserve, and without parts of 0 bytes. */
  Map<String, Long> budget() {
    var budget = new LinkedHashMap<String, Long>();
    for (JsonNode part : document.required("budget")) {
      budget.put(part.required("item").asText(), part.required("bytes").asLong());
    }
    budget.remove("headroom");
    budget.values().removeIf(bytes -> bytes == 0);
    return budget;
  }

  long poolBufferBytes() {
    return property("hbase.server.allocator.buffer.size");
  }

  long poolBufferCount() {
    return property("hbase.server.allocator.max.buffer.count");
  }

  long desiredSurvivorBytes() {
    // Where the ratio is declared, the formula's comes first, and then that of the declared one.
    return inputs("SurvivorRatio")
        .filter(it -> it.required("name").asText().equals("desired survivor size"))
        .mapToLong(it -> it.required("value").asLong())
        .reduce((formula, declared) -> declared)
        .orElseThrow(() -> new IllegalStateException("no desired survivor size"));
  }

  private Stream<JsonNode> inputs(String key) {
    return elements(document.required("settings"))
        .filter(it -> it.required("key").asText().equals(key))
        .flatMap(it -> elements(it.path("inputs")));
  }

  private static Stream<JsonNode> elements(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false);
  }

  long ihopBytes() {
    for (JsonNode option : document.required("jvmOptions")) {
      if (option.asText().startsWith("-XX:InitiatingHeapOccupancyPercent=")) {
        long percent = Long.parseLong(option.asText().replaceAll(".*=", ""));
        return budget().get("heap") * percent / 100;
      }
    }
    throw new IllegalStateException("no InitiatingHeapOccupancyPercent");
  }

  private long property(String name) {
    return document.required("hbaseSite").required(name).asLong();
  }
}
