package io.offheap.hbase.operator.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.ValidationRule;

/** Which image of the cluster's repository the pods of ZooKeeper or HDFS run. */
@ValidationRule(
    value = "has(self.tag) || has(self.digest)",
    message = "image must have a tag or a digest; leave image out to keep the present one")
@JsonInclude(JsonInclude.Include.NON_NULL)
public record InfrastructureImage(
    @Pattern("^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$") @JsonPropertyDescription("Tag.") String tag,
    @Pattern("^sha256:[a-f0-9]{64}$")
        @JsonPropertyDescription(
            "Digest, sha256:...; where set, it decides, and a tag is left out.")
        String digest) {}
