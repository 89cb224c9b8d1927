package io.offheap.hbase.operator.reconcile;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.cfg.ContextAttributes;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.HBaseClusterStatus;
import io.offheap.hbase.operator.api.HBaseClusterStatus.Images;
import io.offheap.hbase.operator.api.HBaseClusterStatus.LastGood;
import io.offheap.hbase.operator.api.HBaseClusterStatus.LiveStatus;
import io.offheap.hbase.operator.api.RolloutStatus.Proven;
import io.offheap.hbase.operator.api.RolloutStatus.RolledBack;
import io.offheap.hbase.operator.api.SpecText;
import io.offheap.hbase.operator.api.TuningStatus;
import io.offheap.hbase.operator.api.TuningStatusGroupBuilder;
import io.offheap.hbase.operator.plan.Texts;
import io.offheap.hbase.operator.status.RolloutStatuses;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The state that outlives a resource and its status, as a text. It has the parts of status that
 * cannot be observed again and that affect the running cluster, and none that changes at rest.
 *
 * @param version {@link #VERSION}
 * @param declared fingerprint of the spec that all of this but {@code images} and {@code hbase} is
 *     for
 * @param images images that the cluster keeps, also with another spec: its volumes are the same
 * @param live the plans' input without tuned values
 * @param tuning tuned values, and the results of each rule's changes
 * @param lastGood the last good configuration; without a spec if that is the same
 * @param rolledBack changes that were rolled back
 * @param proven the groups' proven configurations
 * @param hbase the state to restore in HBase
 * @param nodes the servers whose volumes may be kept
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@RecordBuilder
record Remembered(
    int version,
    String declared,
    Images images,
    LiveStatus live,
    TuningStatus tuning,
    LastGood lastGood,
    List<RolledBack> rolledBack,
    List<Proven> proven,
    RolloutCopy hbase,
    KeptNodes.Counts nodes) {
  static final int VERSION = 1;

  /** An object has 1 MiB. */
  static final int LONGEST = 256 * 1024;

  private static final int LONGEST_REASON = 300;
  private static final String VERSION_PART = "version";

  private static final List<String> PARTS =
      Arrays.stream(Remembered.class.getRecordComponents()).map(RecordComponent::getName).toList();

  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
          .defaultAttributes(
              ContextAttributes.getEmpty().withSharedAttribute(SpecText.STRICT, true))
          .build();

  /**
   * The state to keep of an applied configuration.
   *
   * @param left what HBase is to have back of a rollout that status does not have
   */
  static Remembered of(Applied applied, Optional<RolloutCopy> left) {
    var status =
        Optional.ofNullable(applied.cluster().getStatus()).orElseGet(HBaseClusterStatus::empty);
    return of(applied.cluster(), status, applied.images(), applied.live(), left);
  }

  /** The state to keep of a reconciliation's status. */
  static Remembered of(Applied applied, HBaseClusterStatus next) {
    return of(
        applied.cluster(), next, next.images(), Optional.ofNullable(next.live()), Optional.empty());
  }

  private static Remembered of(
      HBaseCluster cluster,
      HBaseClusterStatus status,
      Images images,
      Optional<LiveStatus> live,
      Optional<RolloutCopy> left) {
    var rollout = RolloutStatuses.read(status);
    return RememberedBuilder.builder()
        .version(VERSION)
        .declared(SpecFingerprint.of(cluster.getSpec()))
        .images(images)
        .live(live.flatMap(it -> Optional.ofNullable(plain(it, null))).orElse(null))
        .tuning(
            Optional.ofNullable(status.tuning())
                .filter(it -> it.groups() != null)
                .map(Remembered::lasting)
                .filter(it -> !it.groups().isEmpty())
                .orElse(null))
        .lastGood(
            Optional.ofNullable(status.good())
                .filter(it -> it.spec() != null)
                .map(it -> relative(it, cluster))
                .orElse(null))
        .rolledBack(status.rolledBack())
        .proven(status.proven())
        .hbase(RolloutCopy.of(cluster, rollout).or(() -> left).orElse(null))
        .nodes(KeptNodes.Counts.of(cluster.getSpec()))
        .build();
  }

  private static LastGood relative(LastGood good, HBaseCluster cluster) {
    var live = good.live() == null ? null : plain(good.live(), good.live().tuned());
    return SpecFingerprint.isSame(good.spec(), cluster.getSpec())
        ? new LastGood(null, live)
        : new LastGood(good.spec(), live);
  }

  /** Without the generation, which another resource counts from 1 again. */
  private static LiveStatus plain(LiveStatus live, List<TuningStatus.GroupValues> tuned) {
    boolean hasTables = live.tables() != null && !live.tables().isEmpty();
    return hasTables || live.workingSet() != null || tuned != null
        ? new LiveStatus(null, hasTables ? live.tables() : null, live.workingSet(), tuned)
        : null;
  }

  private static boolean isUntouched(TuningStatus.Group group) {
    return Stream.of(group.values(), group.rules(), group.restarts())
            .allMatch(it -> it == null || it.isEmpty())
        && group.trial() == null
        && group.lastChange() == null
        && group.trials() == 0;
  }

  /** Without the parts that the next reconciliation makes: messages, a recommendation, history. */
  private static TuningStatus lasting(TuningStatus tuning) {
    return new TuningStatus(
        tuning.groups().stream()
            .filter(it -> !isUntouched(it))
            .map(
                it ->
                    TuningStatusGroupBuilder.builder(it)
                        .message(null)
                        .reason(null)
                        .suspected(null)
                        .recommendation(null)
                        .history(List.of())
                        .build())
            .toList());
  }

  /** Without the last good spec, the only part without a small limit. */
  Remembered withoutLastGood() {
    return RememberedBuilder.builder(this).lastGood(null).build();
  }

  /** The parts that count if another spec is declared. */
  Remembered withoutPlans() {
    return RememberedBuilder.builder(this)
        .live(null)
        .tuning(null)
        .lastGood(null)
        .rolledBack(null)
        .proven(null)
        .build();
  }

  /** The text to keep. */
  String text() {
    try {
      return JSON.writeValueAsString(this);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("what status has can be written as JSON", e);
    }
  }

  /**
   * Parses a text. A part that cannot be parsed, or that this version does not know, is left out.
   *
   * @param problems gets why a part is left out
   * @throws IllegalArgumentException if the text is no JSON of this version, with the problem
   */
  static Remembered read(String text, Consumer<String> problems) {
    if (text.length() > LONGEST) {
      throw new IllegalArgumentException(
          "the text has " + text.length() + " characters; it must have at most " + LONGEST);
    }
    try {
      // Not for all of the mapper: a quantity is read by a parser that has more after it.
      var tree = JSON.reader().with(DeserializationFeature.FAIL_ON_TRAILING_TOKENS).readTree(text);
      var version = tree.path(VERSION_PART);
      if (!version.isInt() || version.intValue() != VERSION) {
        throw new IllegalArgumentException("version is " + version + "; it must be " + VERSION);
      }
      return read((ObjectNode) tree, problems);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(e.getOriginalMessage(), e);
    }
  }

  /**
   * A text without its copy of a rollout; all else stays as it is.
   *
   * @param isRestored whether it is the copy to remove
   * @return empty if the text has no such copy
   * @throws IllegalArgumentException if the text is no JSON of this version
   */
  static Optional<String> withoutRollout(String text, Predicate<RolloutCopy> isRestored) {
    if (Optional.ofNullable(read(text, problem -> {}).hbase()).filter(isRestored).isEmpty()) {
      return Optional.empty();
    }
    try {
      var tree = (ObjectNode) JSON.readTree(text);
      tree.remove("hbase");
      return Optional.of(JSON.writeValueAsString(tree));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(e.getOriginalMessage(), e);
    }
  }

  private static Remembered read(ObjectNode tree, Consumer<String> problems)
      throws JsonProcessingException {
    try {
      return JSON.treeToValue(tree, Remembered.class);
    } catch (JsonProcessingException e) {
      var known = tree.objectNode();
      for (String part : PARTS) {
        if (tree.has(part)) {
          problem(part, tree.get(part))
              .ifPresentOrElse(
                  why -> problems.accept(part + " is left out: " + Texts.cut(why, LONGEST_REASON)),
                  () -> known.set(part, tree.get(part)));
        }
      }
      tree.properties().stream()
          .map(Map.Entry::getKey)
          .filter(it -> !PARTS.contains(it))
          .findFirst()
          .ifPresent(
              it ->
                  problems.accept(
                      Texts.cut(it, LONGEST_REASON)
                          + " is left out: it must be one of "
                          + String.join(", ", PARTS)));
      return JSON.treeToValue(known, Remembered.class);
    }
  }

  /** Why a part cannot be parsed by itself. */
  private static Optional<String> problem(String part, JsonNode value) {
    try {
      var alone = JSON.createObjectNode().put(VERSION_PART, VERSION);
      JSON.treeToValue(alone.set(part, value), Remembered.class);
      return Optional.empty();
    } catch (JsonProcessingException e) {
      return Optional.of(e.getOriginalMessage());
    }
  }
}
