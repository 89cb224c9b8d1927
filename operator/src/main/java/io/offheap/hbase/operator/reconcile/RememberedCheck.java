package io.offheap.hbase.operator.reconcile;

import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.HBaseClusterStatus.Images;
import io.offheap.hbase.operator.api.HBaseClusterStatus.LastGood;
import io.offheap.hbase.operator.api.HBaseClusterStatus.LiveStatus;
import io.offheap.hbase.operator.api.HBaseClusterStatus.Table;
import io.offheap.hbase.operator.api.InfrastructureImage;
import io.offheap.hbase.operator.api.RolloutStatus.Proven;
import io.offheap.hbase.operator.api.RolloutStatus.RolledBack;
import io.offheap.hbase.operator.api.StorageSpec;
import io.offheap.hbase.operator.api.TuningStatus;
import io.offheap.hbase.operator.api.TuningStatus.GroupValues;
import io.offheap.hbase.operator.api.ZooKeeperSpec;
import io.offheap.hbase.operator.declare.PodRights;
import io.offheap.hbase.operator.declare.PodTemplateChecks;
import io.offheap.hbase.operator.deploy.ClusterModel.Image;
import io.offheap.hbase.operator.plan.Texts;
import io.offheap.hbase.operator.plan.TunedKey;
import io.offheap.hbase.operator.status.TuningStatuses;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Checks whether remembered state may be applied. Any writer of config maps may have written it, so
 * a part counts only if a declaration could have led to it; other parts are left out and reported.
 */
final class RememberedCheck {
  private static final int MOST_TABLES = 8;
  private static final int MOST_RECORDS = 64;
  private static final int LONGEST_NAME = 1024;
  private static final int MOST_DATA_NODES = 1000;
  private static final int MOST_ZOOKEEPERS = 5;
  private static final long MOST_BYTES = 1L << 53;

  /** The clock of the machine that wrote it may be another. */
  private static final Duration AHEAD = Duration.ofDays(1);

  private final HBaseCluster cluster;
  private final PermittedImages permitted;
  private final PodRights rights;
  private final Clock clock;
  private final List<String> problems = new ArrayList<>();

  /**
   * For one resource.
   *
   * @param cluster the resource, with the remembered state's spec
   * @param rights what the operator's settings permit to pod templates
   * @param clock times that are more than a day later are invalid
   */
  RememberedCheck(HBaseCluster cluster, PermittedImages permitted, PodRights rights, Clock clock) {
    this.cluster = cluster;
    this.permitted = permitted;
    this.rights = rights;
    this.clock = clock;
  }

  /** The parts that were left out, with the reasons. */
  List<String> problems() {
    return List.copyOf(problems);
  }

  /** The valid parts. */
  Remembered check(Remembered it) {
    var images = part("images", it.images(), this::checked);
    var live = part("live", it.live(), this::checked);
    var tuning = part("tuning", it.tuning(), this::checked);
    var rolledBack = part("rolledBack", it.rolledBack(), this::checkedRolledBack);
    var proven = part("proven", it.proven(), RememberedCheck::checkedProven);
    var lastGood = part("lastGood", it.lastGood(), good -> checked(good, images));
    return RememberedBuilder.builder(it)
        .images(images)
        .live(live)
        .tuning(tuning)
        .lastGood(lastGood)
        .rolledBack(rolledBack)
        .proven(proven)
        .nodes(part("nodes", it.nodes(), this::checked))
        .build();
  }

  /** The state to restore, if it is of the HBase that the resource declares. */
  Optional<RolloutCopy> left(Remembered it) {
    return Optional.ofNullable(
        part(
            "hbase",
            it.hbase(),
            copy -> {
              if (!copy.isOf(cluster)) {
                return null;
              }
              var sound = copy.sound(cluster);
              if (!sound.map(RolloutCopy::servers).equals(Optional.of(copy.servers()))) {
                problems.add("hbase: its servers that are none of this cluster are left out");
              }
              return sound.orElse(null);
            }));
  }

  /** A text that would fail another part of the reconciliation is left out as well. */
  private <T> T part(String name, T part, Function<T, T> check) {
    if (part == null) {
      return null;
    }
    try {
      return check.apply(part);
    } catch (RuntimeException e) {
      var why = e instanceof IllegalArgumentException ? e.getMessage() : e.toString();
      problems.add(name + " is left out: " + Texts.cut(String.valueOf(why), 300));
      return null;
    }
  }

  /** Each by itself: one that is left out must not give other pods another image. */
  private Images checked(Images images) {
    var spec = cluster.getSpec();
    // The default image's repository is that of each spec without one, so no spec permits it.
    var defaultImage = image("defaultImage", images.defaultImage(), List.of());
    var ofHBase =
        Image.of(spec.image(), defaultImage == null ? permitted.operators() : defaultImage);
    var infrastructure = image("infrastructure", images.infrastructure(), List.of(ofHBase.name()));
    return new Images(
        defaultImage == null ? permitted.operators() : defaultImage,
        infrastructure == null ? ofHBase.name() : infrastructure,
        image(
            "zookeeper",
            images.zookeeper(),
            computed(ofHBase, spec.zookeeper().managed(), ZooKeeperSpec.Managed::image)),
        image(
            "hdfs",
            images.hdfs(),
            computed(ofHBase, spec.storage().managed(), StorageSpec.Managed::image)));
  }

  private String image(String field, String image, List<String> computed) {
    return part("images." + field, image, it -> permitted(it, computed));
  }

  private static <T> List<String> computed(
      Image ofHBase, T managed, Function<T, InfrastructureImage> declared) {
    return Stream.concat(
            Stream.of(ofHBase.name()),
            Optional.ofNullable(managed).map(declared).map(ofHBase::with).stream())
        .toList();
  }

  private String permitted(String image, List<String> computed) {
    if (!permitted.permit(image, cluster.getSpec(), computed)) {
      throw new IllegalArgumentException(
          image
              + " is no image of the operator's repository, of the declared one or of the chart's"
              + " allowedImages");
    }
    return image;
  }

  private LiveStatus checked(LiveStatus live) {
    var names = new HashSet<String>();
    for (Table table : of(live.tables(), MOST_TABLES)) {
      must(table.name().length() <= LONGEST_NAME, "a table's name is too long");
      must(names.add(table.name()), table.name() + " is there twice");
      bytes(table.blockSize());
      bytes(table.indexBlockSize());
      bytes(table.bloomBlockSize());
      bytes(table.cellSize());
    }
    if (live.workingSet() != null) {
      bytes(live.workingSet());
    }
    var groups = new HashSet<String>();
    for (GroupValues group : of(live.tuned(), MOST_RECORDS)) {
      must(groups.add(Objects.requireNonNull(group.group())), "a group is there twice");
      for (TuningStatus.Value value : of(group.values(), MOST_RECORDS)) {
        must(value.rule() != null, value.key() + " has no rule");
      }
      tuned(group.values());
    }
    return new LiveStatus(
        cluster.getMetadata().getGeneration(), live.tables(), live.workingSet(), live.tuned());
  }

  /** State that tuning cannot parse would end each of its steps. */
  private TuningStatus checked(TuningStatus tuning) {
    must(tuning.groups() != null, "it has no groups");
    var names = new HashSet<String>();
    for (TuningStatus.Group group : of(tuning.groups(), MOST_RECORDS)) {
      must(names.add(Objects.requireNonNull(group.name())), "group is there twice");
      must(group.recommendation() == null && group.history().isEmpty(), "unknown records");
      must(group.rules().size() + group.restarts().size() <= MOST_RECORDS, "too many records");
      var state = TuningStatuses.read(group);
      must(group.trial() == null || state.trial().isPresent(), "a trial cannot be read");
      state.restarts().forEach(this::time);
      state.lastChange().ifPresent(this::time);
      state.stops().forEach(it -> time(it.at()));
      state.trial().ifPresent(it -> time(it.since()));
      tuned(group);
    }
    return tuning;
  }

  /** As they are stored: a value that is left out while it is parsed is a problem here. */
  private static void tuned(TuningStatus.Group group) {
    tuned(group.values());
    if (group.trial() != null) {
      group.trial().values().forEach(RememberedCheck::tuned);
      tuned(group.trial().before());
    }
    group.rules().stream()
        .map(TuningStatus.RuleRecord::kept)
        .filter(Objects::nonNull)
        .forEach(it -> tuned(it.before()));
  }

  private static void tuned(List<TuningStatus.Value> values) {
    values.forEach(it -> tuned(it.key(), it.value()));
    var keys = values.stream().map(TuningStatus.Value::key).collect(Collectors.toSet());
    must(keys.size() == values.size(), "a tuned value is there twice");
  }

  private static void tuned(String key, String value) {
    must(TunedKey.of(key).isPresent(), key + " is no setting that is tuned");
    must(value.matches("[0-9]{1,12}"), key + "=" + value + " is no number");
  }

  /** Sums with extreme times fail, and a time in the future would not pass. */
  private void time(Instant at) {
    boolean hasBeen = !at.isBefore(Instant.EPOCH) && at.isBefore(clock.instant().plus(AHEAD));
    must(hasBeen, at + " is no time that has been");
  }

  private List<RolledBack> checkedRolledBack(List<RolledBack> all) {
    for (RolledBack it : of(all, MOST_RECORDS)) {
      time(Instant.parse(it.at()));
      must(it.group() != null, "an entry has no group");
      must(it.declared().length() <= LONGEST_NAME, "declared is no hash");
      must(
          it.reason().length() <= LONGEST_NAME && it.evidence().size() <= MOST_RECORDS,
          "the reason is too long");
      it.evidence().forEach(Objects::requireNonNull);
    }
    groups(all.stream().map(RolledBack::group).toList());
    return all;
  }

  private static void groups(List<String> names) {
    must(new HashSet<>(names).size() == names.size(), "a group is there twice");
  }

  private static List<Proven> checkedProven(List<Proven> all) {
    for (Proven it : of(all, MOST_RECORDS)) {
      must(it.group() != null && it.declared() != null, "an entry is not whole");
    }
    return all;
  }

  /** Each by itself: one that is left out must not permit fewer servers of the other kind. */
  private KeptNodes.Counts checked(KeptNodes.Counts nodes) {
    return new KeptNodes.Counts(
        count("zookeeper", nodes.zookeeper(), MOST_ZOOKEEPERS),
        count("dataNodes", nodes.dataNodes(), MOST_DATA_NODES));
  }

  private Integer count(String field, Integer count, int most) {
    return part(
        "nodes." + field,
        count,
        it -> {
          must(it >= 1 && it <= most, it + " is not 1 to " + most);
          return it;
        });
  }

  /** It is deployed in place of the declared spec, so it must be a spec that could be declared. */
  private LastGood checked(LastGood good, Images images) {
    var live = good.live() == null ? null : checked(good.live());
    if (good.spec() == null) {
      return new LastGood(cluster.getSpec(), live);
    }
    var spec = DeclaredClaims.in(good.spec(), cluster.getSpec());
    StoredSpec.problem(cluster, spec)
        .ifPresent(
            it -> {
              throw new IllegalArgumentException(it);
            });
    var refused = PodTemplateChecks.problems(spec, rights);
    must(refused.isEmpty(), "a pod template is not permitted: " + refused);
    var defaultImage = images == null ? permitted.operators() : images.defaultImage();
    permitted(
        Image.of(spec.image(), defaultImage).name(),
        List.of(Image.of(cluster.getSpec().image(), defaultImage).name()));
    return new LastGood(spec, live);
  }

  private static void bytes(long size) {
    must(size >= 0 && size <= MOST_BYTES, size + " is no size in bytes");
  }

  private static <T> List<T> of(List<T> all, int most) {
    must(all == null || all.size() <= most, "there are more than " + most);
    return all == null ? List.of() : all;
  }

  private static void must(boolean holds, String why) {
    if (!holds) {
      throw new IllegalArgumentException(why);
    }
  }
}
