package io.offheap.hbase.operator.property;

import io.fabric8.kubernetes.api.model.Quantity;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.plan.Setting;
import io.offheap.hbase.operator.plan.Target;
import io.offheap.hbase.operator.property.Resources.Change;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/** Resources with odd texts in any field that takes one. */
public final class DeclaredTexts {
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

  static final List<Setting> KNOWN = known();

  private DeclaredTexts() {}

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

  static Resource resource(String mode) {
    var resource = Resource.ofMib(30_720, 30_720).with("blockCache.mode", mode);
    return mode.equals("File") ? resource.with("blockCache.file.storage.size", "100Gi") : resource;
  }

  /** Resources of any mode of the block cache with one to three odd texts. */
  static Arbitrary<Resource> resources() {
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
        Combinators.combine(Arbitraries.of(SIZES), texts.filter(DeclaredTexts::isTakenForASize))
            .as((field, text) -> it -> it.with(field, text)),
        texts.map(text -> it -> it.withConfig(text, "1")),
        texts.map(text -> it -> it.withJvmOption(text)),
        texts.map(text -> it -> it.withJvmOption("-Da.b=" + text)));
  }

  /** The same, as the API server returns them. */
  public static Arbitrary<HBaseCluster> clusters() {
    return resources().map(Resource::cluster);
  }

  /** Without odd texts, as the API server returns it. */
  public static HBaseCluster plain() {
    return resource("OffHeap").cluster();
  }

  /** With one property of the region servers, as the API server returns it. */
  public static HBaseCluster withConfig(String key, String value) {
    return resource("OffHeap").withConfig(key, value).cluster();
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
}
