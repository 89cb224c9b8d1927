package io.offheap.hbase.operator.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;

/**
 * A reference to an object in the cluster's namespace.
 *
 * @param name the object's name
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ObjectName(
    @Required
        @Pattern("^[a-z0-9]([-.a-z0-9]{0,251}[a-z0-9])?$")
        @JsonPropertyDescription("Name of the object.")
        String name) {}
