package io.offheap.hbase.operator.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Size;
import java.util.List;
import java.util.Map;

/** Which pods may connect to a cluster's. Policies add up: one of your own permits more. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record NetworkPolicySpec(
    @Default("true")
        @JsonPropertyDescription(
            "Whether NetworkPolicies are made: only the cluster's own pods, the operator and what is"
                + " listed here may connect. The network plugin must enforce them.")
        Boolean enabled,
    @Size(max = 16)
        @JsonPropertyDescription(
            "Clients: may connect to ZooKeeper, masters and region servers. None where left out.")
        List<Peer> clients,
    @Size(max = 16)
        @JsonPropertyDescription(
            "May read and write the files of a managed HDFS, as bulk loads and backups do: RPC of the"
                + " name node, RPC and data of the data nodes. HDFS authenticates no client, so they may"
                + " delete all data. None where left out.")
        List<Peer> hdfs,
    @Size(max = 16)
        @Default(
            "[{\"namespaceLabels\":{},\"podLabels\":{\"app.kubernetes.io/name\":\"prometheus\"}}]")
        @JsonPropertyDescription(
            "May connect to the HTTP ports of masters and region servers, as for metrics.")
        List<Peer> metrics) {

  /** Fills in what was left out. */
  public NetworkPolicySpec {
    enabled = enabled == null || enabled;
    clients = clients == null ? List.of() : List.copyOf(clients);
    hdfs = hdfs == null ? List.of() : List.copyOf(hdfs);
    metrics =
        metrics == null
            ? List.of(new Peer(Map.of(), Map.of("app.kubernetes.io/name", "prometheus")))
            : List.copyOf(metrics);
  }

  /** What the schema's defaults are. */
  public static NetworkPolicySpec ofDefaults() {
    return new NetworkPolicySpec(null, null, null, null);
  }

  /** Some pods. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Peer(
      @Size(max = 16)
          @JsonPropertyDescription(
              "Labels of their namespaces; {} for all namespaces, left out for the cluster's own.")
          Map<String, @Size(max = 63) @Pattern(LABEL) String> namespaceLabels,
      @Size(max = 16) @JsonPropertyDescription("Labels of the pods; all pods there where left out.")
          Map<String, @Size(max = 63) @Pattern(LABEL) String> podLabels) {
    private static final String LABEL = "^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$";

    /** Keeps what was declared; no namespace's labels are another thing than none. */
    public Peer {
      namespaceLabels = namespaceLabels == null ? null : Map.copyOf(namespaceLabels);
      podLabels = podLabels == null ? Map.of() : Map.copyOf(podLabels);
    }
  }
}
