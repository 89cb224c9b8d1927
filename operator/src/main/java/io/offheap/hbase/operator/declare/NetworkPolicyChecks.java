package io.offheap.hbase.operator.declare;

import io.offheap.hbase.operator.api.HBaseClusterSpec;
import io.offheap.hbase.operator.api.NetworkPolicySpec;
import io.offheap.hbase.operator.plan.PlanProblem;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Labels in {@code spec.networkPolicy} and of the clients of HBase's pages: the API server would
 * refuse the policies at each write.
 */
final class NetworkPolicyChecks {
  private NetworkPolicyChecks() {}

  static List<PlanProblem> problems(HBaseClusterSpec spec) {
    var policy = spec.networkPolicy();
    var problems = new ArrayList<PlanProblem>();
    checkPeers("networkPolicy.clients", policy.clients(), problems);
    checkPeers("networkPolicy.hdfs", policy.hdfs(), problems);
    checkPeers("networkPolicy.metrics", policy.metrics(), problems);
    checkPeers("webPages.clients", spec.servedPages().clients(), problems);
    return problems;
  }

  private static void checkPeers(
      String field, List<NetworkPolicySpec.Peer> peers, List<PlanProblem> problems) {
    for (int i = 0; i < peers.size(); i++) {
      var path = "spec." + field + "[" + i + "]";
      var namespaces = Optional.ofNullable(peers.get(i).namespaceLabels()).orElse(Map.of());
      labelProblems(path + ".namespaceLabels", namespaces).forEach(problems::add);
      labelProblems(path + ".podLabels", peers.get(i).podLabels()).forEach(problems::add);
    }
  }

  private static Stream<PlanProblem> labelProblems(String field, Map<String, String> labels) {
    return labels.keySet().stream()
        .filter(name -> !Labels.isName(name))
        .sorted()
        .map(name -> new PlanProblem(field, Labels.notName(name)));
  }
}
