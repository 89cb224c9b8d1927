package io.offheap.hbase.operator.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Size;
import java.util.List;

/** The HBase image. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ImageSpec(
    @Pattern("^([^/:@\\s]+(:[0-9]+)?/)?[^:@\\s]+$")
        @JsonPropertyDescription("Repository, without a tag.")
        String repository,
    @Pattern("^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$") @JsonPropertyDescription("Tag.") String tag,
    @Pattern("^sha256:[a-f0-9]{64}$")
        @JsonPropertyDescription(
            "Digest, sha256:...; where set, it decides, and a tag is left out: a client that can write to"
                + " the registry cannot change what runs.")
        String digest,
    @JsonPropertyDescription("When the kubelet pulls the image.") PullPolicy pullPolicy,
    @Size(max = 16) @JsonPropertyDescription("Image pull secrets in the cluster's namespace.")
        List<ObjectName> pullSecrets) {

  /** Kubernetes' own pull policies. */
  public enum PullPolicy {
    Always,
    IfNotPresent,
    Never
  }
}
