package io.offheap.hbase.operator.api;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import com.fasterxml.jackson.databind.annotation.JsonSerialize;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;

/** A rollout in progress; each step is written here before it is taken. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@RecordBuilder
public record RolloutStatus(
    @JsonPropertyDescription("When it began.") String started,
    @JsonPropertyDescription("Whether HBase's balancer was on before it was switched off.")
        Boolean balancer,
    @JsonPropertyDescription("Whether HBase's normalizer was on before it was switched off.")
        Boolean normalizer,
    @JsonPropertyDescription("What it waits for.") String waitingFor,
    @JsonPropertyDescription("Region servers that are being restarted.") List<Server> servers,
    @JsonPropertyDescription("The master that is being restarted.") Master master,
    @JsonPropertyDescription("The server that is compared with its peers.") Canary canary,
    @JsonPropertyDescription(
            "No region server is drained before: the last one could not be drained in time.")
        String notBefore,
    @JsonPropertyDescription("The last restarts that are over.") List<FinishedServer> finished,
    @JsonPropertyDescription("Canaries that were no worse than their peers, the last one first.")
        List<Passed> passed) {

  /** A region server that is being restarted. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  @JsonIgnoreProperties(ignoreUnknown = true)
  @RecordBuilder
  public record Server(
      @JsonPropertyDescription("Pod.") String pod,
      @JsonPropertyDescription("Uid of the pod that is replaced.") String uid,
      @JsonPropertyDescription("Server name of the process in that pod.") String serverName,
      @JsonPropertyDescription("Why: Restart, ScaleDown or PodDeleted (by others).") String cause,
      @JsonPropertyDescription("Drain, Stop, Start or Return.") String step,
      @JsonPropertyDescription("When that step began.") String since,
      @JsonPropertyDescription(
              "Encoded names of the regions to bring back, with spaces between them.")
          @JsonSerialize(converter = JoinedNames.Writer.class)
          @JsonDeserialize(converter = JoinedNames.Reader.class)
          List<String> regions,
      @JsonPropertyDescription("When it was first observed without regions.") String emptyAt,
      @JsonPropertyDescription(
              "Why it is not stopped and gets its regions back: DrainTimedOut (it could not be"
                  + " drained in time) or NotWanted (it is declared again, or another server must"
                  + " get the change first).")
          String cancelled,
      @JsonPropertyDescription("Whether it is the first of its group with a change.")
          Boolean canary,
      @JsonPropertyDescription("How long each step took that is over.") Times times) {}

  /** A master that is being restarted. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Master(
      @JsonPropertyDescription("Pod.") String pod,
      @JsonPropertyDescription("Uid of the pod that is replaced.") String uid,
      @JsonPropertyDescription("Its server name where it was the active one.") String serverName,
      @JsonPropertyDescription("When its restart began.") String since) {}

  /** The first server of a group with a change. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  @RecordBuilder
  public record Canary(
      @JsonPropertyDescription("Group, empty for the default one.") String group,
      @JsonPropertyDescription("Pod.") String pod,
      @JsonPropertyDescription("Since when it is compared.") String since,
      @JsonPropertyDescription("Uid of the pod that serves with the change, once one does.")
          String uid,
      @JsonPropertyDescription("Since when HBase does not list its server as live.")
          String unlisted,
      @JsonPropertyDescription("Since when no server reports metrics, after its window.")
          String unreported,
      @JsonPropertyDescription("Since when it is compared anew after such a time.") String again,
      @JsonPropertyDescription("Restarts of that pod's server by then.") Integer restarts,
      @JsonPropertyDescription(
              "How often it was lost with its node, or ended in an outage of ZooKeeper or HDFS, since"
                  + " it got the change; the second time, the change is rolled back.")
          Integer nodeLosses,
      @JsonPropertyDescription("Counters of it and its peers at that time.")
          List<Sample> samples) {}

  /** A canary that was no worse than its peers. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Passed(
      @JsonPropertyDescription("Group, empty for the default one.") String group,
      @JsonPropertyDescription("Pod.") String pod,
      @JsonPropertyDescription("Since when it was compared.") String since,
      @JsonPropertyDescription("The numbers.") List<String> evidence) {}

  /** Counters of a region server. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  @RecordBuilder
  public record Sample(
      @JsonPropertyDescription("Pod.") String pod,
      @JsonPropertyDescription("Server name.") String serverName,
      @JsonPropertyDescription("When they were read.") String at,
      @JsonPropertyDescription("Bytes that the allocator took from the heap.") long heapBytes,
      @JsonPropertyDescription("Bytes that it took from the pool.") long poolBytes,
      @JsonPropertyDescription("Milliseconds in collections.") long gcMillis,
      @JsonPropertyDescription("Requests.") long requests,
      @JsonPropertyDescription("Requests that ended in an exception.") long errors,
      @JsonPropertyDescription("Restarts of the container.") int restarts) {}

  /** How long each step took; 0, which is left out of status, for one that is not over. */
  @JsonInclude(JsonInclude.Include.NON_DEFAULT)
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record Times(
      @JsonPropertyDescription("Milliseconds until it was drained; absent before.")
          long drainMillis,
      @JsonPropertyDescription("Milliseconds until its pod was deleted; absent before.")
          long stopMillis,
      @JsonPropertyDescription("Milliseconds until its new pod served; absent before.")
          long startMillis,
      @JsonPropertyDescription("Milliseconds until its regions were back; absent before.")
          long returnMillis) {}

  /** A restart that is over. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  @JsonIgnoreProperties(ignoreUnknown = true)
  @RecordBuilder
  public record FinishedServer(
      @JsonPropertyDescription("Pod.") String pod,
      @JsonPropertyDescription("Why it was restarted.") String cause,
      @JsonPropertyDescription("Restarted, ScaledDown, DrainTimedOut or NotWanted.") String outcome,
      @JsonPropertyDescription("Regions that it had.") int regions,
      @JsonPropertyDescription("Milliseconds until it was drained.") long drainMillis,
      @JsonPropertyDescription("Milliseconds until its pod was deleted.") long stopMillis,
      @JsonPropertyDescription("Milliseconds until its new pod served.") long startMillis,
      @JsonPropertyDescription("Milliseconds until its regions were back.") long returnMillis,
      @JsonPropertyDescription("When it ended.") String ended) {}

  /** A rollout that is over. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Finished(
      @JsonPropertyDescription("When it began.") String started,
      @JsonPropertyDescription("When it ended.") String ended,
      @JsonPropertyDescription("Its last restarts, the last one first.")
          List<FinishedServer> servers,
      @JsonPropertyDescription("Its canaries that were no worse than their peers.")
          List<Passed> passed) {}

  /** A declaration of a group with which its servers have served. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Proven(
      @JsonPropertyDescription("Group, empty for the default one.") String group,
      @JsonPropertyDescription("Hash of what is declared for the group.") String declared) {}

  /** A change that made things worse. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record RolledBack(
      @JsonPropertyDescription("Group, empty for the default one.") String group,
      @JsonPropertyDescription("Hash of what was declared for the group.") String declared,
      @JsonPropertyDescription("What happened.") String reason,
      @JsonPropertyDescription("The numbers.") List<String> evidence,
      @JsonPropertyDescription("When.") String at) {}
}
