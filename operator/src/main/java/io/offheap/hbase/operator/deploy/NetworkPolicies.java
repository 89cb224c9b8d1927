package io.offheap.hbase.operator.deploy;

import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.LabelSelectorBuilder;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyBuilder;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyIngressRule;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyIngressRuleBuilder;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPeer;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPeerBuilder;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPort;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPortBuilder;
import io.javaoperatorsdk.operator.api.config.informer.Informer;
import io.javaoperatorsdk.operator.processing.dependent.kubernetes.KubernetesDependent;
import io.offheap.hbase.operator.api.NetworkPolicySpec;
import io.offheap.hbase.operator.render.Ports;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * A NetworkPolicy for each role. It permits connections from the cluster's own pods, and
 *
 * <ul>
 *   <li>to HBase's pods from the operator,
 *   <li>to the ports that a client needs from the declared clients,
 *   <li>to HDFS' RPC and data ports from the declared HDFS clients,
 *   <li>to HBase's HTTP ports and ZooKeeper's metrics from the declared collectors of metrics,
 *   <li>to HBase's pages, where they are declared, from their declared clients.
 * </ul>
 *
 * <p>Egress is not restricted: DNS, an external HDFS and an external ZooKeeper may be anywhere.
 */
@KubernetesDependent(
    informer =
        @Informer(labelSelector = Labels.MANAGED_SELECTOR, informerListLimit = InformerLists.PAGE))
public class NetworkPolicies extends ManagedResource<NetworkPolicy> {
  /** The label by which a namespace is selected by its name. */
  private static final String NAMESPACE_NAME = "kubernetes.io/metadata.name";

  /** Made by JOSDK. */
  public NetworkPolicies() {
    super(NetworkPolicy.class);
  }

  @Override
  List<NetworkPolicy> desired(ClusterModel model) {
    if (!model.cluster().getSpec().networkPolicy().enabled()) {
      return List.of();
    }
    return model.roles().stream()
        .map(RoleModel::role)
        .distinct()
        .map(role -> policy(model, role))
        .toList();
  }

  private static NetworkPolicy policy(ClusterModel model, Role role) {
    var labels = Labels.of(model.cluster(), role);
    return new NetworkPolicyBuilder()
        .withMetadata(metadata(model, model.name(role), labels))
        .withNewSpec()
        .withPodSelector(selector(labels))
        .withPolicyTypes("Ingress")
        .withIngress(ingress(model, role))
        .endSpec()
        .build();
  }

  private static List<NetworkPolicyIngressRule> ingress(ClusterModel model, Role role) {
    var rules = new ArrayList<NetworkPolicyIngressRule>();
    rules.add(
        rule(
            List.of(
                new NetworkPolicyPeerBuilder()
                    .withPodSelector(selector(Labels.of(model.cluster())))
                    .build())));
    var declared = model.cluster().getSpec().networkPolicy();
    var pages = model.cluster().getSpec().servedPages().clients();
    switch (role) {
      case ZOOKEEPER -> {
        addRule(rules, peers(declared.clients()), Ports.ZOOKEEPER_CLIENT);
        addRule(rules, peers(declared.metrics()), Ports.ZOOKEEPER_METRICS);
      }
      case MASTER -> {
        addRule(rules, operator(model), Ports.MASTER_RPC, Ports.MASTER_HTTP);
        addRule(rules, peers(declared.clients()), Ports.MASTER_RPC);
        addRule(rules, peers(declared.metrics()), Ports.MASTER_HTTP);
      }
      case REGIONSERVER -> {
        addRule(rules, operator(model), Ports.REGIONSERVER_RPC, Ports.REGIONSERVER_HTTP);
        addRule(rules, peers(declared.clients()), Ports.REGIONSERVER_RPC);
        addRule(rules, peers(declared.metrics()), Ports.REGIONSERVER_HTTP);
      }
      // HBase's clients access HDFS through region servers. The HTTP ports stay closed: HDFS' port
      // with the metrics also has WebHDFS, which deletes files without authentication.
      case NAMENODE -> addRule(rules, peers(declared.hdfs()), Ports.NAMENODE_RPC);
      case DATANODE ->
          addRule(rules, peers(declared.hdfs()), Ports.DATANODE_DATA, Ports.DATANODE_IPC);
    }
    WebPages.of(model.cluster(), role).ifPresent(it -> addRule(rules, peers(pages), it.port()));
    return rules;
  }

  /** A rule without peers would permit all sources. */
  private static void addRule(
      List<NetworkPolicyIngressRule> rules, List<NetworkPolicyPeer> peers, int... ports) {
    if (!peers.isEmpty()) {
      rules.add(rule(peers, ports));
    }
  }

  private static NetworkPolicyIngressRule rule(List<NetworkPolicyPeer> from, int... ports) {
    return new NetworkPolicyIngressRuleBuilder()
        .withFrom(from)
        .withPorts(Arrays.stream(ports).mapToObj(NetworkPolicies::port).toList())
        .build();
  }

  private static NetworkPolicyPort port(int number) {
    return new NetworkPolicyPortBuilder().withProtocol("TCP").withNewPort(number).build();
  }

  private static List<NetworkPolicyPeer> operator(ClusterModel model) {
    return model.operator().stream()
        .map(
            it ->
                new NetworkPolicyPeerBuilder()
                    .withNamespaceSelector(selector(Map.of(NAMESPACE_NAME, it.namespace())))
                    .withPodSelector(selector(it.labels()))
                    .build())
        .toList();
  }

  private static List<NetworkPolicyPeer> peers(List<NetworkPolicySpec.Peer> declared) {
    return declared.stream()
        .map(
            it -> {
              var peer = new NetworkPolicyPeerBuilder().withPodSelector(selector(it.podLabels()));
              return it.namespaceLabels() == null
                  ? peer.build()
                  : peer.withNamespaceSelector(selector(it.namespaceLabels())).build();
            })
        .toList();
  }

  private static LabelSelector selector(Map<String, String> labels) {
    return new LabelSelectorBuilder().withMatchLabels(labels).build();
  }
}
