package io.offheap.hbase.operator.hbase;

import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.util.List;
import java.util.Map;

/** The revision of the online configuration that region servers have in force. */
public interface OnlineRevisions {
  /** Of a server that responds and has no revision. */
  String NONE = "";

  /**
   * The revision that a server must have in force.
   *
   * @param pod name of the pod
   * @param uid uid of the pod, which differs from that of a later pod of the same name
   * @param revision hash of the values
   */
  record Wanted(String pod, String uid, String revision) {}

  /**
   * The last reported revisions of these servers, by the uids of their pods; without servers that
   * have not reported. Never blocks: servers without the expected revision are polled until another
   * call changes the expectation, and a change triggers a reconciliation.
   */
  Map<String, String> inForce(ResourceID id, List<Wanted> wanted);
}
