package io.offheap.hbase.operator.cli;

import com.fasterxml.jackson.databind.json.JsonMapper;
import io.offheap.hbase.operator.api.HBaseCluster;
import java.util.List;

/** Changes fields of a resource as {@code what-if --set} does, for other packages. */
public final class SpecEdit {
  private static final JsonMapper JSON = new JsonMapper();

  private SpecEdit() {}

  /**
   * A copy of a resource with changed fields, parsed as strictly as a file.
   *
   * @param assignments each {@code FIELD=VALUE}
   * @throws RefusedException if an assignment is invalid, or a field or value is refused
   */
  public static HBaseCluster apply(HBaseCluster cluster, List<String> assignments)
      throws RefusedException {
    var file = new ClusterFile("the resource", JSON.valueToTree(cluster));
    for (String assignment : assignments) {
      file = file.with(Assignment.parse(assignment));
    }
    var changed = file.cluster();
    changed.setStatus(cluster.getStatus());
    return changed;
  }
}
