package io.offheap.hbase.operator.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Size;
import java.util.Map;

/** What clients of the cluster get by its config map. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ClientsSpec(
    @Size(max = 500)
        @JsonPropertyDescription(
            "Further hbase-site.xml properties in the config map <name>-client. One that the"
                + " operator sets is refused.")
        Map<String, @Size(max = 8192) String> config) {

  /** To declare no property is to declare nothing. */
  public ClientsSpec {
    config = config == null || config.isEmpty() ? null : Map.copyOf(config);
  }
}
