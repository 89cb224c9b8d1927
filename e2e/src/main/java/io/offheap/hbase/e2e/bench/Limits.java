package io.offheap.hbase.e2e.bench;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * Bytes that a patched server may allocate for a Get.
 *
 * @param bytes by case, then by {@code handlers}, which every case has, and {@code process}
 */
record Limits(Map<String, Map<String, Long>> bytes) {
  private static final String LINE = "{\"limits\":";

  /** From a document's line of JSON with the one member {@code limits}. */
  static Limits read(Path document) throws IOException {
    var line =
        Files.readAllLines(document).stream()
            .map(String::strip)
            .filter(text -> text.startsWith(LINE))
            .findFirst()
            .orElseThrow(() -> new IOException("no line " + LINE + " in " + document));
    var read =
        new ObjectMapper()
            .readValue(line, new TypeReference<Map<String, Map<String, Map<String, Long>>>>() {});
    return new Limits(read.get("limits"));
  }

  /** The limit of a case for its handlers or its process; null where there is none. */
  Long of(String scenario, String which) {
    return bytes.getOrDefault(scenario, Map.of()).get(which);
  }
}
