package io.offheap.hbase.operator.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.databind.JsonNode;

/** A server of the HDFS that the operator runs: the name node, or each data node. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record HdfsServerSpec(
    @PodTemplate
        @JsonPropertyDescription(
            "Metadata and spec of the pods, as in regionServers. The containers namenode,"
                + " checkpoint and datanode are the operator's. A change restarts the pods, one at a"
                + " time.")
        JsonNode podTemplate) {}
