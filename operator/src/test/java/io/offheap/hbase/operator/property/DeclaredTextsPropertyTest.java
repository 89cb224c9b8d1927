package io.offheap.hbase.operator.property;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Quantity;
import io.offheap.hbase.operator.declare.ClusterChecks;
import io.offheap.hbase.operator.declare.ClusterPlan;
import io.offheap.hbase.operator.declare.ObservedInputs;
import io.offheap.hbase.operator.declare.Plans;
import io.offheap.hbase.operator.declare.RolloutSettings;
import io.offheap.hbase.operator.plan.MemoryPlan;
import io.offheap.hbase.operator.plan.PlanProblem;
import io.offheap.hbase.operator.plan.Setting;
import io.offheap.hbase.operator.plan.Target;
import io.offheap.hbase.operator.property.Resources.Change;
import io.offheap.hbase.operator.render.ConfigFiles;
import io.offheap.hbase.operator.render.HadoopXml;
import io.offheap.hbase.operator.render.Topology;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.statistics.Statistics;
import org.apache.hadoop.conf.Configuration;

/**
 * For any declared text there is a plan whose files contain it, or a refusal that names the field;
 * never an exception, which would end the reconciliation.
 */
class DeclaredTextsPropertyTest {
  private static final Topology TOPOLOGY =
      new Topology(
          new Topology.ZooKeeper("zk:2181", "/hbase", List.of()),
          "hdfs://ns/hbase",
          Optional.empty());

  private static final List<String> SIZES =
      List.of(
          "memory.heap",
          "memory.offHeap",
          "memory.limit",
          "memory.workingSet",
          "memory.offHeapMemstore",
          "blockCache.bucketCacheSize",
          "blockCache.file.path",
          "blockCache.file.storage.size",
          "hfile.blockSize",
          "hfile.indexBlockSize",
          "hfile.bloomBlockSize",
          "allocator.poolSize",
          "g1.survivorSize",
          "resources.requests.cpu");

  private static final List<String> MODES =
      List.of("OffHeap", "File", "Lru", "MetaOnly", "Disabled");

  private static final List<String> NOT_DERIVED =
      List.of(
          "dfs.client.read.shortcircuit",
          "hbase.coprocessor.user.enabled",
          "hbase.offheap.observer.enabled",
          "hbase.hstore.compaction.min",
          "hbase.hregion.majorcompaction.jitter",
          "hbase.rs.cacheblocksonwrite",
          "hbase.rootdir");

  private static final List<Setting> KNOWN = known();

  /** Every setting that a plan of any mode has. */
  private static List<Setting> known() {
    var settings = new ArrayList<Setting>();
    for (var mode : MODES) {
      var resource = resource(mode);
      resource.plan().settings().stream()
          .filter(it -> it.target() != Target.CONTAINER)
          .filter(it -> settings.stream().noneMatch(that -> that.key().equals(it.key())))
          .forEach(settings::add);
    }
    return settings;
  }

  private static Resource resource(String mode) {
    var resource = Resource.ofMib(30_720, 30_720).with("blockCache.mode", mode);
    return mode.equals("File") ? resource.with("blockCache.file.storage.size", "100Gi") : resource;
  }

  @Provide
  Arbitrary<Resource> resources() {
    return Combinators.combine(
            Arbitraries.of(MODES), Arbitraries.oneOf(changes()).list().ofMinSize(1).ofMaxSize(3))
        .as(
            (mode, changes) -> {
              var resource = resource(mode);
              for (var change : changes) {
                resource = change.apply(resource);
              }
              return resource;
            });
  }

  private static List<Arbitrary<Change>> changes() {
    var texts = OddTexts.any();
    var keys =
        Stream.of(
                KNOWN.stream().filter(it -> it.target() == Target.HBASE_SITE).map(Setting::name),
                NOT_DERIVED.stream(),
                OddTexts.unknownKeys().stream())
            .flatMap(it -> it)
            .toList();
    var options =
        KNOWN.stream().filter(it -> it.target() == Target.JVM).map(Setting::name).toList();
    return List.of(
        Combinators.combine(Arbitraries.of(keys), texts)
            .as((key, text) -> it -> it.withConfig(key, text)),
        Combinators.combine(Arbitraries.of(options), texts)
            .as((name, text) -> it -> it.withJvmOption(KnownKeys.option(name, text))),
        Combinators.combine(
                Arbitraries.of(SIZES), texts.filter(DeclaredTextsPropertyTest::isTakenForASize))
            .as((field, text) -> it -> it.with(field, text)),
        texts.map(text -> it -> it.withConfig(text, "1")),
        texts.map(text -> it -> it.withJvmOption(text)),
        texts.map(text -> it -> it.withJvmOption("-Da.b=" + text)));
  }

  @Property
  void rendersPlanOrRefuses(@ForAll("resources") Resource resource) {
    var planned = planned(resource);

    planned.ifPresent(DeclaredTextsPropertyTest::assertRendered);
    Statistics.collect(planned.isPresent());
    Statistics.coverage(it -> it.check(true).percentage(share -> share > 5 && share < 95));
  }

  /**
   * Each key with each text would be ten thousand plans; each text with each kind of key is few.
   */
  @Example
  void rendersOrRefusesEachKeyWithFractionAndEachText() {
    for (var setting : KNOWN) {
      for (var mode : List.of("OffHeap", "File")) {
        planned(declare(resource(mode), setting, "10240.5"))
            .ifPresent(DeclaredTextsPropertyTest::assertRendered);
      }
    }
    for (var text : OddTexts.TEXTS) {
      planned(resource("File").withConfig("hbase.bucketcache.size", text))
          .ifPresent(DeclaredTextsPropertyTest::assertRendered);
    }
  }

  @Provide
  Arbitrary<String> texts() {
    return OddTexts.any();
  }

  @Property
  void parsesDurationOrReturnsEmpty(@ForAll("texts") String text) {
    for (var time : List.of(text, text + "h", "1h" + text + "m")) {
      assertThat(RolloutSettings.duration(time).filter(it -> it.isNegative() || it.isZero()))
          .isEmpty();
    }
  }

  /** A text that the client cannot parse is refused by the API server. */
  private static boolean isTakenForASize(String text) {
    try {
      Quantity.parse(text);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static Resource declare(Resource resource, Setting setting, String value) {
    return setting.target() == Target.JVM
        ? resource.withJvmOption(KnownKeys.option(setting.name(), value))
        : resource.withConfig(setting.name(), value);
  }

  /** Checks and plan as in a reconciliation. */
  private static Optional<MemoryPlan> planned(Resource resource) {
    var cluster = resource.cluster();
    var checks = ClusterChecks.problems(cluster);
    assertAreProblems(checks);
    var plans = new Plans().of(cluster, ObservedInputs.NOTHING);
    if (plans instanceof ClusterPlan.Refused refused) {
      assertThat(refused.problems()).isNotEmpty();
      assertAreProblems(refused.problems());
      return Optional.empty();
    }
    return checks.isEmpty()
        ? Optional.of(((ClusterPlan.Planned) plans).groups().get(0).plan())
        : Optional.empty();
  }

  private static void assertAreProblems(List<PlanProblem> problems) {
    assertThat(problems)
        .allSatisfy(
            problem -> {
              assertThat(problem.field()).startsWith("spec.").hasSizeLessThan(1000);
              assertThat(problem.message()).hasSizeBetween(10, 10_000);
              assertThat(problem.toString().chars().noneMatch(Character::isISOControl)).isTrue();
              assertThat(StandardCharsets.UTF_8.newEncoder().canEncode(problem.toString()))
                  .isTrue();
            });
  }

  private static void assertRendered(MemoryPlan plan) {
    var files = ConfigFiles.regionServer(TOPOLOGY, plan);
    assertThat(ConfigFiles.online(plan)).isNotEmpty();
    assertThat(plan.bucketCache().map(MemoryPlan.BucketCache::fileBytes).orElse(0L))
        .isNotNegative();
    assertThat(files.get("jvm.options").lines().map(String::strip).toList())
        .isEqualTo(plan.jvmOptions());
    assertThat(new TreeSet<>(plan.jvmOptions())).hasSameSizeAs(plan.jvmOptions());
    var site = new Configuration(false);
    site.addResource(
        new ByteArrayInputStream(HadoopXml.of(plan.hbaseSite()).getBytes(StandardCharsets.UTF_8)));
    for (Map.Entry<String, String> property : plan.hbaseSite().entrySet()) {
      assertThat(site.getRaw(property.getKey()))
          .as(property.getKey())
          .isEqualTo(property.getValue());
    }
  }
}
