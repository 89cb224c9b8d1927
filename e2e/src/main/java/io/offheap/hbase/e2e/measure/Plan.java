package io.offheap.hbase.e2e.measure;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/** What {@code plan -o json} printed. */
final class Plan {
  private static final Pattern SURVIVOR = Pattern.compile("= (\\d+) bytes is the desired survivor");

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
    for (JsonNode setting : document.required("settings")) {
      var matcher = SURVIVOR.matcher(setting.path("reason").asText());
      if (matcher.find()) {
        return Long.parseLong(matcher.group(1));
      }
    }
    throw new IllegalStateException("no setting's reason gives the desired survivor size");
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
