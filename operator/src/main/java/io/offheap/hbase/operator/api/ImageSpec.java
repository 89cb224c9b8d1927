package io.offheap.hbase.operator.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.util.List;

/** Where the HBase image comes from. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ImageSpec(
    @JsonPropertyDescription("Repository, without a tag.") String repository,
    @JsonPropertyDescription("Tag.") String tag,
    @JsonPropertyDescription("When the kubelet pulls the image.") PullPolicy pullPolicy,
    @JsonPropertyDescription("Names of image pull secrets in the cluster's namespace.")
        List<String> pullSecrets) {

  /** Kubernetes' own pull policies. */
  public enum PullPolicy {
    Always,
    IfNotPresent,
    Never
  }
}
