package io.offheap.hbase.operator.report;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.log.LogLine;
import io.offheap.hbase.operator.plan.Texts;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Kubernetes events of a cluster, as {@code kubectl describe} shows them.
 *
 * <p>A repeated event is the same object with a higher count, for as long as the API server keeps
 * it, an hour after the last time: the name is made from the cluster, the reason and the note. They
 * are events of {@code v1}: those of {@code events.k8s.io} have no time that kubectl sorts by.
 *
 * <p>Events are for people, so nothing waits for them and nothing fails with them: one thread
 * records them in their order; what cannot be recorded, or is more than {@link #MOST} of a cluster
 * within {@link #PERIOD}, is only logged. What is recorded is logged too.
 */
public final class Events {
  private static final Logger LOG = LoggerFactory.getLogger(Events.class);

  /** How many different events a cluster may add within {@link #PERIOD}. */
  static final int MOST = 200;

  static final Duration PERIOD = Duration.ofHours(1);

  /** Half of the time for which the API server keeps an event. */
  static final Duration MISSED = Duration.ofMinutes(30);

  /** The clock of the process that wrote a time may be ahead by so much. */
  static final Duration AHEAD = Duration.ofMinutes(1);

  private static final String NORMAL = "Normal";
  private static final String WARNING = "Warning";
  private static final String TOO_MANY = "too many events at once";

  private static final int LONGEST_NOTE = 1024;
  private static final int QUEUE = 1000;

  /** Clusters whose events are limited; the one that was quiet for longest is forgotten. */
  private static final int CLUSTERS = 1000;

  private final KubernetesClient client;
  private final String component;
  private final Clock clock;
  private final ThreadPoolExecutor recorder;
  private final Map<String, Added> added = new Bounded();
  private final RecentEvents recent = new RecentEvents();

  /** How many events a cluster has added since a time. */
  private record Added(Instant since, int events) {}

  /**
   * Makes a recorder.
   *
   * @param component the source, in the column From
   */
  public Events(KubernetesClient client, String component, Clock clock) {
    this.client = client;
    this.component = component;
    this.clock = clock;
    this.recorder =
        new ThreadPoolExecutor(
            1,
            1,
            10,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(QUEUE),
            task -> {
              var thread = new Thread(task, "events");
              thread.setDaemon(true);
              return thread;
            });
    recorder.allowCoreThreadTimeOut(true);
  }

  /** A normal change. */
  public void normal(HBaseCluster cluster, String reason, String note) {
    record(NORMAL, cluster, reason, note);
  }

  /** A failure, or a state that a person must check. */
  public void warning(HBaseCluster cluster, String reason, String note) {
    record(WARNING, cluster, reason, note);
  }

  /**
   * What an earlier process wrote to status at a time, and may have ended before it recorded it:
   * recorded now, unless it was recorded since that time. The time was the same process' as that of
   * its event. What is older than {@link #MISSED} is left: the API server may not have its event
   * any more. So is what is later than {@link #AHEAD} from now: no event of it would be recorded
   * since that time, and each process that starts would record one.
   */
  void missed(HBaseCluster cluster, Transition written) {
    var now = clock.instant();
    if (written.at().isBefore(now.minus(MISSED)) || written.at().isAfter(now.plus(AHEAD))) {
      return;
    }
    var type = written.isWarning() ? WARNING : NORMAL;
    var event = event(type, cluster, written.reason(), written.note());
    try {
      recorder.execute(
          () -> {
            if (!isRecordedSince(written.at(), event)) {
              log(event, written.note());
              record(event);
            }
          });
    } catch (RejectedExecutionException e) {
      LOG.warn("{}", leftOut(event).with("cause", TOO_MANY));
    }
  }

  /** If that cannot be read, it counts as not recorded: the log must have it. */
  private boolean isRecordedSince(Instant time, Event event) {
    try {
      return Optional.ofNullable(client.resource(event).get())
          .map(Event::getLastTimestamp)
          .filter(it -> !Instant.parse(it).isBefore(time.truncatedTo(ChronoUnit.SECONDS)))
          .isPresent();
    } catch (RuntimeException e) {
      return false;
    }
  }

  /**
   * What was written to status.
   *
   * @param at when it was decided, which is shortly before it was written
   * @param isWarning whether its event's type is Warning
   * @param reason of its event
   * @param note of its event
   */
  record Transition(Instant at, boolean isWarning, String reason, String note) {}

  /** What was recorded last of each cluster. */
  public RecentEvents recent() {
    return recent;
  }

  private void record(String type, HBaseCluster cluster, String reason, String note) {
    var event = event(type, cluster, reason, note);
    log(event, note);
    try {
      recorder.execute(() -> record(event));
    } catch (RejectedExecutionException e) {
      LOG.warn("{}", leftOut(event).with("cause", TOO_MANY));
    }
  }

  /** The log has each, whatever becomes of the event. */
  private void log(Event event, String note) {
    var about = event.getInvolvedObject();
    var reason = event.getReason();
    var line = LogLine.of(reason).cluster(about.getNamespace(), about.getName()).with("note", note);
    LOG.atLevel(WARNING.equals(event.getType()) ? Level.WARN : Level.INFO).log("{}", line);
    recent.add(
        new ResourceID(about.getName(), about.getNamespace()),
        event.getLastTimestamp(),
        event.getType(),
        reason,
        event.getMessage());
  }

  /** Its content is in the log already. */
  private static LogLine leftOut(Event event) {
    var about = event.getInvolvedObject();
    return LogLine.of("EventLeftOut")
        .cluster(about.getNamespace(), about.getName())
        .with("reason", event.getReason());
  }

  private void record(Event event) {
    try {
      if (!add(event)) {
        count(event);
      }
    } catch (RuntimeException e) {
      LOG.warn("{}", leftOut(event).with("cause", e.getMessage()));
    }
  }

  /** Makes a new event; false if there is one of this name, or the cluster has too many. */
  private boolean add(Event event) {
    var cluster = event.getInvolvedObject().getUid();
    if (!mayAdd(cluster)) {
      return false;
    }
    try {
      client.resource(event).create();
    } catch (KubernetesClientException e) {
      if (e.getCode() == 409) {
        return false;
      }
      throw e;
    }
    added.computeIfPresent(cluster, (key, it) -> new Added(it.since(), it.events() + 1));
    return true;
  }

  private void count(Event event) {
    var there = client.resource(event).get();
    if (there == null) {
      LOG.warn("{}", leftOut(event).with("cause", "too many events"));
      return;
    }
    client
        .resource(
            new EventBuilder(there)
                .withCount(there.getCount() + 1)
                .withLastTimestamp(event.getLastTimestamp())
                .build())
        .patch(PatchContext.of(PatchType.JSON_MERGE));
  }

  private boolean mayAdd(String cluster) {
    var now = clock.instant();
    var before = added.get(cluster);
    if (before == null || before.since().plus(PERIOD).isBefore(now)) {
      before = new Added(now, 0);
      added.put(cluster, before);
    }
    return before.events() < MOST;
  }

  private Event event(String type, HBaseCluster cluster, String reason, String note) {
    var about = cluster.getMetadata();
    var now = clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
    var identity = String.join("\n", about.getUid(), type, reason, note);
    var hash = UUID.nameUUIDFromBytes(identity.getBytes(StandardCharsets.UTF_8));
    return new EventBuilder()
        .withNewMetadata()
        .withName(about.getName() + "." + hash)
        .withNamespace(about.getNamespace())
        .endMetadata()
        .withType(type)
        .withReason(reason)
        .withMessage(shortened(note))
        .withFirstTimestamp(now)
        .withLastTimestamp(now)
        .withCount(1)
        .withNewSource()
        .withComponent(component)
        .endSource()
        .withReportingComponent(component)
        .withNewInvolvedObject()
        .withApiVersion(cluster.getApiVersion())
        .withKind(cluster.getKind())
        .withNamespace(about.getNamespace())
        .withName(about.getName())
        .withUid(about.getUid())
        .withResourceVersion(about.getResourceVersion())
        .endInvolvedObject()
        .build();
  }

  private static String shortened(String note) {
    return note.length() <= LONGEST_NOTE ? note : Texts.cut(note, LONGEST_NOTE - 3) + "...";
  }

  private static final class Bounded extends LinkedHashMap<String, Added> {
    private static final long serialVersionUID = 1L;

    Bounded() {
      super(16, 0.75f, true);
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<String, Added> eldest) {
      return size() > CLUSTERS;
    }
  }
}
