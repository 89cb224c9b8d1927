package io.offheap.hbase.operator.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.crd.generator.annotation.SchemaFrom;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import java.io.IOException;

/**
 * A further group of region servers: a name, and beside it in the resource the fields of the
 * default group. What a group leaves out it takes from the default group.
 *
 * @param name unique name of the group
 * @param servers the same fields as the default group's
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonDeserialize(using = RegionServerGroupSpec.Reader.class)
public record RegionServerGroupSpec(
    @Required
        @Size(max = 15)
        @Pattern("^[a-z0-9]([-a-z0-9]{0,13}[a-z0-9])?$")
        @JsonPropertyDescription("Its name, part of its pods' names.")
        String name,
    // The generator of the definition does not flatten it; src/build/Definition.java does.
    @JsonUnwrapped @SchemaFrom(type = JsonNode.class) RegionServersSpec servers) {

  /** Jackson writes such a record; the Kubernetes client's mapper does not read it. */
  static final class Reader extends JsonDeserializer<RegionServerGroupSpec> {
    private static final String NAME = "name";

    @Override
    public RegionServerGroupSpec deserialize(JsonParser parser, DeserializationContext context)
        throws IOException {
      ObjectNode fields = context.readValue(parser, ObjectNode.class);
      var name = context.readTreeAsValue(fields.get(NAME), String.class);
      fields.remove(NAME);
      return new RegionServerGroupSpec(
          name, context.readTreeAsValue(fields, RegionServersSpec.class));
    }
  }
}
