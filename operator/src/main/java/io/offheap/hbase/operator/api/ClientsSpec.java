package io.offheap.hbase.operator.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Size;
import java.util.Map;

/** The config map for clients of the cluster. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ClientsSpec(
    @Size(max = 500)
        @JsonPropertyDescription(
            "Further hbase-site.xml properties in the config map <name>-client. One that the"
                + " operator sets is refused.")
        Map<String, @Size(max = 8192) String> config) {

  /** An empty map of properties equals none. */
  public ClientsSpec {
    config = config == null || config.isEmpty() ? null : Map.copyOf(config);
  }
}
