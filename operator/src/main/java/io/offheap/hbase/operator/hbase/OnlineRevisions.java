package io.offheap.hbase.operator.hbase;

import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.util.List;
import java.util.Map;

/** What region servers have taken over of what they can take over while they run. */
public interface OnlineRevisions {
  /** A server that said nothing of it, though it answered. */
  String NONE = "";

  /**
   * What a server should have taken over.
   *
   * @param pod its pod
   * @param uid tells the pod from one of the same name
   * @param revision hash of the values
   */
  record Wanted(String pod, String uid, String revision) {}

  /**
   * The revisions that these servers last said, by their pods' uids; whoever was not heard yet is
   * left out. Nothing here waits: those that did not say what is wanted of them are asked again and
   * again, until another call wants something else, and a pass is woken by another answer.
   */
  Map<String, String> inForce(ResourceID id, List<Wanted> wanted);
}
