package io.offheap.hbase.operator.plan;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Everything that follows from a region server's declared memory.
 *
 * @param settings every value with its reason; JVM options stand in the order in which {@code java}
 *     takes them
 * @param budget the parts of the container's memory
 */
public record MemoryPlan(List<Setting> settings, List<BudgetItem> budget) {
  static final String CONTAINER_MEMORY = "memory";

  public MemoryPlan {
    settings = List.copyOf(settings);
    budget = List.copyOf(budget);
  }

  /** Properties of {@code hbase-site.xml}, in the plan's order. */
  public Map<String, String> hbaseSite() {
    var site = new LinkedHashMap<String, String>();
    settings.stream()
        .filter(setting -> setting.target() == Target.HBASE_SITE)
        .forEach(setting -> site.put(setting.key(), setting.value()));
    return site;
  }

  /** Options for {@code java}, in order. */
  public List<String> jvmOptions() {
    return settings.stream()
        .filter(setting -> setting.target() == Target.JVM)
        .map(setting -> JvmOption.text(setting.key(), setting.value()))
        .toList();
  }

  /** The container's memory, request and limit, in bytes. */
  public long containerMemoryBytes() {
    return budget.stream().mapToLong(BudgetItem::bytes).sum();
  }

  /** The folder of the bucket cache's file, in mode File. */
  public Optional<String> cacheFolder() {
    return setting(Target.HBASE_SITE, FileCache.ENGINE_KEY)
        .map(Setting::value)
        .filter(engine -> engine.startsWith(FileCache.ENGINE))
        .map(engine -> engine.substring(FileCache.ENGINE.length(), engine.lastIndexOf('/')));
  }

  /** Bytes of the bucket cache's file, 0 where there is none. */
  public long cacheFileBytes() {
    return cacheFolder()
        .flatMap(folder -> setting(Target.HBASE_SITE, OffHeapBudget.SIZE_KEY))
        .flatMap(size -> Kind.FLOAT.read(size.value()))
        .map(OffHeapBudget::bytes)
        .orElse(0L);
  }

  /** The setting of a key, if the plan has it. */
  public Optional<Setting> setting(Target target, String key) {
    return settings.stream()
        .filter(setting -> setting.target() == target && setting.key().equals(key))
        .findFirst();
  }

  /** Ten hexadecimal digits that change when any value changes, and only then. */
  public String hash() {
    try {
      var digest = MessageDigest.getInstance("SHA-256");
      for (Setting setting : settings) {
        var line = setting.target().text() + ' ' + setting.key() + '=' + setting.value() + '\n';
        digest.update(line.getBytes(UTF_8));
      }
      return HexFormat.of().formatHex(digest.digest()).substring(0, 10);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
