package io.offheap.hbase.operator.observe;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.offheap.hbase.operator.deploy.Labels;
import io.offheap.hbase.operator.deploy.PodDryRun;
import io.offheap.hbase.operator.deploy.PodDryRun.Response;
import io.offheap.hbase.operator.deploy.RoleModel;
import io.offheap.hbase.operator.deploy.StatefulSets;
import io.offheap.hbase.operator.log.LogLine;
import io.offheap.hbase.operator.rollout.Rollout;
import io.offheap.hbase.operator.rollout.ServerRestart;
import io.offheap.hbase.operator.rollout.ServerRestart.Step;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which pods the API server would not create: those that are to be restarted, before anything of
 * them is lost, and those that are missing. A dry run requests it, for one pod of a StatefulSet and
 * every 30 s at most, once more before a pod is deleted, and for nothing while all pods are there
 * as they are to be.
 *
 * <p>Where the API server or a webhook does not respond, what it refused last stays refused;
 * without such, a rollout continues. The next request comes later and later then, and only a few
 * passes wait for a response at a time: a cluster whose webhook does not respond delays no other.
 */
public final class PodAdmissions {
  private static final Logger LOG = LoggerFactory.getLogger(PodAdmissions.class);

  private static final Duration KEPT = Duration.ofSeconds(30);

  /** What was responded earlier is not enough to delete a pod: its drain took time. */
  private static final Duration KEPT_AT_STOP = Duration.ofSeconds(5);

  /** A pod that was deleted is made again within a moment. */
  private static final Duration MISSING = Duration.ofSeconds(10);

  private static final Duration LONGEST_SILENCE = Duration.ofMinutes(5);

  /**
   * A message that differs in its numbers alone (ports, times, what is used of a quota) is written
   * so seldom.
   */
  private static final Duration SAME_MESSAGE = Duration.ofMinutes(10);

  /** What is kept of a message, from its beginning, which has who refuses. */
  private static final int LENGTH = 600;

  /** As many passes wait for a response at a time. */
  private static final int WAITING = 3;

  /** So long another one waits until it may be one of these. */
  private static final Duration TURN = Duration.ofSeconds(1);

  private final LongSupplier nanos;
  private final Predicate<ResourceID> isThere;
  private final DryRun dryRun;
  private final Map<ResourceID, Known> clusters = new ConcurrentHashMap<>();
  private final Semaphore turns = new Semaphore(WAITING);

  /** {@link PodDryRun#request}. */
  public interface DryRun {
    Response request(KubernetesClient client, StatefulSet set, int ordinal, boolean replaced);
  }

  /**
   * What is known of a cluster.
   *
   * @param pods what the API server responded, by {@link Question#key}
   * @param silence that it did not respond last, if so
   */
  private record Known(Map<String, Checked> pods, Optional<Silence> silence) {
    static final Known NOTHING = new Known(Map.of(), Optional.empty());
  }

  /**
   * There was no response.
   *
   * @param key the question to which there was none
   * @param since when it was requested last
   * @param pause how long nothing is requested from then on
   */
  private record Silence(String key, long since, Duration pause) {
    boolean isOver(long now) {
      return now - since >= pause.toNanos();
    }

    Silence again(Question question, long now) {
      var twice = pause.multipliedBy(2);
      return new Silence(
          question.key(), now, twice.compareTo(LONGEST_SILENCE) < 0 ? twice : LONGEST_SILENCE);
    }
  }

  /**
   * What is known of a StatefulSet's pods.
   *
   * @param pod the pod that it is known of
   * @param hash its template
   * @param missing since when it is missing
   * @param at when the API server responded; empty where it has not yet
   * @param refusal its message
   */
  private record Checked(
      String pod,
      Optional<String> hash,
      Optional<Long> missing,
      Optional<Long> at,
      Optional<Refusal> refusal) {
    boolean isDue(long now, Duration kept) {
      return missing.filter(it -> now - it < MISSING.toNanos()).isEmpty()
          && at.filter(it -> now - it < kept.toNanos()).isEmpty();
    }

    Checked with(Response response, long now) {
      return new Checked(
          pod,
          hash,
          missing,
          Optional.of(now),
          response instanceof PodDryRun.Refused refused
              ? Optional.of(Refusal.of(refused.message(), now, refusal))
              : Optional.empty());
    }
  }

  /**
   * A message.
   *
   * @param at when it was new
   */
  private record Refusal(String message, long at) {
    static Refusal of(String text, long now, Optional<Refusal> before) {
      var line = text.replaceAll("[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}]+", " ").strip();
      var message = line.length() <= LENGTH ? line : line.substring(0, LENGTH) + "...";
      return before
          .filter(it -> now - it.at < SAME_MESSAGE.toNanos())
          .filter(it -> withoutNumbers(it.message).equals(withoutNumbers(message)))
          .orElseGet(() -> new Refusal(message, now));
    }

    private static String withoutNumbers(String message) {
      return message.replaceAll("\\S*[0-9]\\S*", "#");
    }
  }

  /**
   * Pods whose servers are drained or stopped now. They are replaced whatever may begin now, and
   * also where what is declared is again what they run with.
   *
   * @param drained those that are drained
   * @param stopped those that are deleted next
   */
  private record Leaving(Set<String> drained, Set<String> stopped) {
    static Leaving of(Optional<Rollout> rollout) {
      return new Leaving(pods(rollout, Step.DRAIN), pods(rollout, Step.STOP));
    }

    private static Set<String> pods(Optional<Rollout> rollout, Step step) {
      return rollout.stream()
          .flatMap(it -> it.restarts().stream())
          .filter(it -> it.step() == step && it.cause() != ServerRestart.Cause.SCALE_DOWN)
          .map(ServerRestart::pod)
          .collect(Collectors.toSet());
    }

    boolean isTo(Pod pod) {
      return isNext(pod) || drained.contains(pod.getMetadata().getName());
    }

    boolean isNext(Pod pod) {
      return stopped.contains(pod.getMetadata().getName());
    }

    Duration kept(Question question) {
      return question.isReplaced() && stopped.contains(question.pod()) ? KEPT_AT_STOP : KEPT;
    }
  }

  /**
   * A pod to request.
   *
   * @param isReplaced whether it exists and is to be restarted; else it is missing
   */
  private record Question(RoleModel role, StatefulSet set, int ordinal, boolean isReplaced) {
    String pod() {
      return set.getMetadata().getName() + "-" + ordinal;
    }

    String key() {
      return set.getMetadata().getName() + (isReplaced ? " replaced" : " missing");
    }

    /** What is known, as far as it is about this. */
    Checked of(Optional<Checked> before, long now) {
      var hash = StatefulSets.templateHash(set);
      var same = before.filter(it -> it.hash().equals(hash));
      boolean isSamePod = same.filter(it -> it.pod().equals(pod())).isPresent();
      if (isReplaced) {
        return new Checked(
            pod(),
            hash,
            Optional.empty(),
            same.filter(it -> isSamePod).flatMap(Checked::at),
            same.flatMap(Checked::refusal));
      }
      return same.filter(it -> isSamePod)
          .orElseGet(
              () -> new Checked(pod(), hash, Optional.of(now), Optional.empty(), Optional.empty()));
    }
  }

  /**
   * Nothing was requested yet.
   *
   * @param nanos a time that nobody sets, in nanoseconds
   * @param isThere whether a cluster exists, as far as is known
   */
  public PodAdmissions(LongSupplier nanos, Predicate<ResourceID> isThere) {
    this(nanos, isThere, PodDryRun::request);
  }

  /** The same, with another dry run. */
  public PodAdmissions(LongSupplier nanos, Predicate<ResourceID> isThere, DryRun dryRun) {
    this.nanos = nanos;
    this.isThere = isThere;
    this.dryRun = dryRun;
  }

  /**
   * Pods that the API server would not create, with its message.
   *
   * @param rollout what is under way, as status has it
   * @param mayRestart the roles whose outdated pods may be restarted now
   */
  public Map<String, String> refused(
      Observation observed,
      Optional<Rollout> rollout,
      Predicate<RoleModel> mayRestart,
      KubernetesClient client) {
    var id = ResourceID.fromResource(observed.model().cluster());
    var before = clusters.getOrDefault(id, Known.NOTHING);
    var silence = before.silence();
    var leaving = Leaving.of(rollout);
    var now = new HashMap<String, Checked>();
    var refused = new HashMap<String, String>();
    boolean isBusy = false;
    for (Question question : questions(observed, mayRestart, leaving, silence)) {
      long time = nanos.getAsLong();
      var checked = question.of(Optional.ofNullable(before.pods().get(question.key())), time);
      boolean isDue = checked.isDue(time, leaving.kept(question));
      boolean isSilent = silence.filter(it -> !it.isOver(time)).isPresent();
      if (isDue && !isSilent && !isBusy) {
        var response = request(question, client);
        long responded = nanos.getAsLong();
        isBusy = response.isEmpty();
        if (response.filter(PodDryRun.NoResponse.class::isInstance).isPresent()) {
          silence = Optional.of(silence(id, question, silence, responded));
        } else if (response.isPresent()) {
          silence = silence.filter(it -> !it.key().equals(question.key()));
          checked = checked.with(response.get(), responded);
        }
      }
      now.put(question.key(), checked);
      checked
          .refusal()
          .ifPresent(it -> affected(observed, question, leaving, it.message(), refused));
    }
    if (now.isEmpty()) {
      clusters.remove(id);
    } else {
      clusters.put(id, new Known(Map.copyOf(now), silence.filter(it -> now.containsKey(it.key()))));
    }
    // It was deleted meanwhile: nobody would forget it.
    if (!isThere.test(id)) {
      forget(id);
    }
    return refused;
  }

  private static Silence silence(
      ResourceID cluster, Question question, Optional<Silence> before, long now) {
    if (before.isEmpty()) {
      LOG.warn(
          "{}",
          LogLine.of("NoResponseToDryRun")
              .cluster(cluster.getNamespace().orElse(""), cluster.getName())
              .with("pod", question.pod()));
    }
    return before
        .map(it -> it.again(question, now))
        .orElseGet(() -> new Silence(question.key(), now, KEPT));
  }

  /** Empty where too many passes wait for a response: it is requested in the next pass. */
  private Optional<Response> request(Question question, KubernetesClient client) {
    try {
      if (!turns.tryAcquire(TURN.toMillis(), TimeUnit.MILLISECONDS)) {
        return Optional.empty();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
    try {
      return Optional.of(
          dryRun.request(client, question.set(), question.ordinal(), question.isReplaced()));
    } finally {
      turns.release();
    }
  }

  /** What holds for one pod of a set holds for all that are in the same state. */
  private static void affected(
      Observation observed,
      Question question,
      Leaving leaving,
      String why,
      Map<String, String> refused) {
    if (!question.isReplaced()) {
      missing(observed, question.role()).forEach(pod -> refused.put(pod, why));
      return;
    }
    observed
        .pods(question.role())
        .filter(it -> observed.isOutdated(it) || leaving.isTo(it))
        .forEach(pod -> refused.put(pod.getMetadata().getName(), why));
  }

  /** That to which there was no response comes last: it keeps no other from being requested. */
  private static List<Question> questions(
      Observation observed,
      Predicate<RoleModel> mayRestart,
      Leaving leaving,
      Optional<Silence> silence) {
    return observed.model().roles().stream()
        .flatMap(it -> questions(observed, it, mayRestart.test(it), leaving))
        .sorted(
            Comparator.comparing(
                it -> silence.filter(last -> last.key().equals(it.key())).isPresent()))
        .toList();
  }

  /** One about what is missing, and one about what is to be restarted: of that the next pod. */
  private static Stream<Question> questions(
      Observation observed, RoleModel role, boolean mayRestart, Leaving leaving) {
    var set = Optional.ofNullable(observed.statefulSets().get(role.name()));
    if (set.isEmpty() || !observed.isTemplateObserved(role)) {
      return Stream.empty();
    }
    var missing = missing(observed, role).stream().findFirst().map(Labels::ordinalOf);
    var replaced =
        observed
            .pods(role)
            .filter(it -> it.getMetadata().getDeletionTimestamp() == null)
            .filter(it -> (mayRestart && observed.isOutdated(it)) || leaving.isTo(it))
            .max(Comparator.comparing(leaving::isNext).thenComparing(Labels::ordinalOf))
            .map(Labels::ordinalOf);
    return Stream.concat(
        missing.map(it -> new Question(role, set.get(), it, false)).stream(),
        replaced.map(it -> new Question(role, set.get(), it, true)).stream());
  }

  /** Names of the declared pods that do not exist, lowest ordinal first. */
  public static List<String> missing(Observation observed, RoleModel role) {
    var names =
        observed.pods(role).map(it -> it.getMetadata().getName()).collect(Collectors.toSet());
    return IntStream.range(0, observed.declaredReplicas().getOrDefault(role.name(), 0))
        .mapToObj(it -> role.name() + "-" + it)
        .filter(it -> !names.contains(it))
        .toList();
  }

  /** Nothing is kept of a cluster that was deleted. */
  public void forget(ResourceID id) {
    clusters.remove(id);
  }

  /** Whether nothing is kept. */
  public boolean isEmpty() {
    return clusters.isEmpty();
  }
}
