package io.offheap.hbase.operator;

import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * How this process runs; each value comes from an environment variable.
 *
 * @param watchNamespaces namespaces to watch; empty for all ({@code WATCH_NAMESPACES})
 * @param hbaseImage image of clusters that declare none ({@code HBASE_IMAGE})
 * @param httpPort port of metrics and probes ({@code HTTP_PORT})
 */
public record OperatorSettings(Set<String> watchNamespaces, String hbaseImage, int httpPort) {
  private static final String DEFAULT_IMAGE = "hbase-offheap/hbase:0.1.0";
  private static final String DEFAULT_PORT = "8080";

  /**
   * Reads the settings.
   *
   * @throws IllegalArgumentException if a value is not right; the message names the variable
   */
  public static OperatorSettings of(Map<String, String> environment) {
    var image = environment.getOrDefault("HBASE_IMAGE", DEFAULT_IMAGE);
    if (!image.matches("\\S+:[^/:\\s]+")) {
      throw new IllegalArgumentException("HBASE_IMAGE is '" + image + "'; repository:tag is right");
    }
    var namespaces =
        Arrays.stream(environment.getOrDefault("WATCH_NAMESPACES", "").split(","))
            .map(String::strip)
            .filter(name -> !name.isEmpty())
            .collect(Collectors.toUnmodifiableSet());
    return new OperatorSettings(namespaces, image, port(environment));
  }

  private static int port(Map<String, String> environment) {
    var text = environment.getOrDefault("HTTP_PORT", DEFAULT_PORT);
    if (!text.matches("\\d{1,5}") || Integer.parseInt(text) > 65535) {
      throw new IllegalArgumentException("HTTP_PORT is '" + text + "'; 0 to 65535 is right");
    }
    return Integer.parseInt(text);
  }
}
