package io.offheap.hbase.operator.declare;

import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.plan.PlanProblem;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

/**
 * What the schema cannot say of a resource: the API server does not estimate the cost of rules over
 * unbounded names, and its messages do not tell the values of two fields.
 */
public final class ClusterChecks {
  private ClusterChecks() {}

  /** Everything that keeps a cluster of this resource from being made; empty where nothing does. */
  public static List<PlanProblem> problems(HBaseCluster cluster) {
    var problems = new ArrayList<PlanProblem>();
    var name = cluster.getMetadata().getName();
    if (!name.matches("[a-z]([-a-z0-9]*[a-z0-9])?")) {
      problems.add(
          new PlanProblem(
              "metadata.name",
              "'"
                  + name
                  + "' gives no service name; a letter first, then lower case letters,"
                  + " digits and dashes are right"));
    }
    var hdfs = cluster.getSpec().storage().managedHdfs();
    if (hdfs != null && hdfs.replication() > hdfs.dataNodes()) {
      problems.add(
          new PlanProblem(
              "spec.storage.managedHdfs.replication",
              hdfs.replication()
                  + " copies cannot be kept on "
                  + hdfs.dataNodes()
                  + " dataNodes; at most "
                  + hdfs.dataNodes()
                  + " is right"));
    }
    var regionServers = cluster.getSpec().regionServers();
    var request = regionServers.cpuRequest();
    if (request != null
        && request.getNumericalAmount().compareTo(BigDecimal.valueOf(regionServers.cores())) > 0) {
      problems.add(
          new PlanProblem(
              "spec.regionServers.cpuRequest",
              request
                  + " is over spec.regionServers.cores, the limit; at most "
                  + regionServers.cores()
                  + " is right"));
    }
    return problems;
  }
}
