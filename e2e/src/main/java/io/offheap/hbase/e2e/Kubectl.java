package io.offheap.hbase.e2e;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.util.ArrayList;
import java.util.List;

/** The real kubectl in one namespace. */
public record Kubectl(Shell shell, String namespace) {
  /**
   * Standard output of a command.
   *
   * @throws IllegalStateException if it fails
   */
  public String output(String... arguments) {
    return shell.output(command(arguments));
  }

  /** Runs a command and shows what it prints. */
  public void show(String... arguments) {
    shell.show(command(arguments));
  }

  /** What a JSON path gives for an object. */
  public String jsonPath(String object, String path) {
    return output("get", object, "-o", "jsonpath=" + path);
  }

  /** Status, reason and message of a condition of a cluster. */
  public String condition(String cluster, String type) {
    var path =
        "{range .status.conditions[?(@.type==\""
            + type
            + "\")]}{.status} {.reason}: {.message}{end}";
    return jsonPath("hbc/" + cluster, path);
  }

  /**
   * A value of the plan of a cluster's default group, with its reason: from the config map that the
   * operator writes.
   *
   * @throws IllegalStateException if the plan has no such key
   */
  public JsonNode planned(String cluster, String key) {
    var text = jsonPath("configmap/" + cluster + "-plan", "{.data.plan\\.yaml}");
    try {
      for (JsonNode setting : new YAMLMapper().readTree(text).path("settings")) {
        if (setting.path("key").asText().equals(key)) {
          return setting;
        }
      }
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("the plan must be YAML", e);
    }
    throw new IllegalStateException("no plan has " + key);
  }

  private String[] command(String... arguments) {
    var command = new ArrayList<>(List.of("kubectl", "--namespace", namespace));
    command.addAll(List.of(arguments));
    return command.toArray(String[]::new);
  }
}
