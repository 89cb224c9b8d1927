package io.offheap.hbase.operator.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Size;
import java.util.List;

/** HBase's own web pages. They authenticate no user, so none is served by default. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record WebPagesSpec(
    @Default("false")
        @JsonPropertyDescription(
            "Whether masters serve HBase's own pages, read-only, with a Service NAME-master-pages."
                + " A change restarts the masters.")
        Boolean masters,
    @Default("false")
        @JsonPropertyDescription(
            "The same for region servers, with a Service NAME-regionserver-pages. A change restarts"
                + " the region servers.")
        Boolean regionServers,
    @Size(max = 16)
        @JsonPropertyDescription(
            "Pods that may open the pages, such as an ingress controller's, where NetworkPolicies"
                + " are made. None where left out: kubectl port-forward needs none.")
        List<NetworkPolicySpec.Peer> clients) {

  /** Fills in what was left out. */
  public WebPagesSpec {
    masters = masters != null && masters;
    regionServers = regionServers != null && regionServers;
    clients = clients == null ? List.of() : List.copyOf(clients);
  }
}
