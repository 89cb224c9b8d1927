package io.offheap.hbase.operator.plan;

import static io.offheap.hbase.operator.plan.Bytes.GIB;
import static io.offheap.hbase.operator.plan.Bytes.MIB;
import static io.offheap.hbase.operator.plan.DeclaredBuilder.regionServer;
import static org.assertj.core.api.Assertions.assertThat;

import io.offheap.hbase.operator.plan.Declared.CacheMode;
import io.offheap.hbase.operator.plan.Declared.Load;
import java.math.BigDecimal;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Whatever is declared, there is a plan that keeps every sum, or a problem with a field. */
class AnyDeclarationTest {
  private static final long SEED = 21879;
  private static final int DECLARATIONS = 50_000;

  private static final List<Long> ABSURD =
      List.of(Long.MIN_VALUE, -1L, 0L, 1L, 1023L, MIB - 1, 66560L, 1L << 45, Long.MAX_VALUE);

  private static final List<String> FRACTIONS =
      List.of("0.4", "0.1", "0.2", "0", "-1", "0.0001", "0.59", "0.805", "1", "5", "1E+300");

  private static final List<String> VALUES =
      List.of(
          "0",
          "1",
          "-1",
          "0.3",
          "1024",
          "4096",
          "66560",
          "2097152",
          "true",
          "false",
          "x",
          "",
          " ",
          "1e9",
          "1e999999999",
          "9223372036854775807",
          "17592186072064",
          "99999999999999999999",
          "32m",
          "8m",
          "16777216t");

  private final Random random = new Random(SEED);

  @Test
  void isPlannedSoundlyOrRefusedByField() {
    int planned = 0;
    for (int i = 0; i < DECLARATIONS; i++) {
      var declared = anyServer().build();
      var result = new MemoryPlanner().plan(declared);
      if (result instanceof PlanResult.Planned plan) {
        assertSound(declared, plan.plan());
        planned++;
      } else if (result instanceof PlanResult.Refused refused) {
        assertThat(refused.problems()).as("%s", declared).isNotEmpty();
        assertThat(refused.problems())
            .as("%s", declared)
            .allMatch(problem -> problem.field().startsWith("spec.regionServers."))
            .allMatch(problem -> problem.message().length() > 10);
      }
    }
    // Else the loop would show nothing about plans.
    assertThat(planned).isBetween(DECLARATIONS / 50, DECLARATIONS / 2);
  }

  private static void assertSound(Declared declared, MemoryPlan plan) {
    long sum = plan.budget().stream().mapToLong(BudgetItem::bytes).sum();
    var site = plan.hbaseSite();
    long pool =
        Long.parseLong(site.get("hbase.server.allocator.buffer.size"))
            * Long.parseLong(site.get("hbase.server.allocator.max.buffer.count"));
    long bucketCache =
        new BigDecimal(
                site.getOrDefault("hbase.bucketcache.ioengine", "").equals("offheap")
                    ? site.get("hbase.bucketcache.size")
                    : "0")
            .multiply(BigDecimal.valueOf(MIB))
            .longValueExact();
    int shares =
        percent(site.get("hbase.regionserver.global.memstore.size"))
            + percent(site.get("hfile.block.cache.size"));

    assertThat(plan.budget()).as("%s", declared).allMatch(item -> item.bytes() >= 0);
    assertThat(plan.containerMemoryBytes()).as("%s", declared).isEqualTo(sum);
    assertThat(declared.memory().limitBytes().orElse(sum)).as("%s", declared).isEqualTo(sum);
    assertThat(Bytes.roundUp(bucketCache, 4 * MIB) + pool)
        .as("%s", declared)
        .isLessThan(
            Bytes.parseJvm(plan.setting(Target.JVM, "MaxDirectMemorySize").orElseThrow().value()));
    assertThat(shares).as("%s", declared).isLessThanOrEqualTo(80);
  }

  private static int percent(String share) {
    return (int) (Float.parseFloat(share) * 100);
  }

  private DeclaredBuilder anyServer() {
    var server =
        regionServer()
            .heap(size(256 * MIB, 100 * GIB))
            .offHeap(size(16 * MIB, 200 * GIB))
            .mode(any(List.of(CacheMode.values())))
            .load(any(List.of(Load.values())));
    if (random.nextInt(4) == 0) {
      server.limit(size(GIB, 400 * GIB));
    }
    if (random.nextInt(4) == 0) {
      server.bucketCache(size(MIB, 100 * GIB));
    }
    if (random.nextInt(4) == 0) {
      server.pool(size(MIB, 8 * GIB));
    }
    if (random.nextInt(4) == 0) {
      server.memstore(any(FRACTIONS));
    }
    if (random.nextInt(4) == 0) {
      server.l1(any(FRACTIONS));
    }
    if (random.nextInt(4) == 0) {
      server.blocks(block(), block(), block(), any(List.of(-1L, 1L, 939L, 100_000L)));
    }
    if (random.nextInt(4) == 0) {
      server.handlers(any(List.of(Integer.MIN_VALUE, 0, 1, 200, 10_000, Integer.MAX_VALUE)));
    }
    if (random.nextInt(4) == 0) {
      server.cores(any(List.of(Integer.MIN_VALUE, 0, 1, 2, 3, 1024, Integer.MAX_VALUE)));
    }
    if (random.nextInt(4) == 0) {
      server.minimalAllocateSize(any(List.of(-1, 0, 1, 66560, Integer.MAX_VALUE)));
    }
    var derived = regionServer().plan().settings();
    if (random.nextInt(3) == 0) {
      override(server, any(derived));
    }
    return server;
  }

  private void override(DeclaredBuilder server, Setting setting) {
    var value = any(VALUES);
    if (setting.target() == Target.HBASE_SITE) {
      server.config(setting.key(), value);
    } else if (setting.target() == Target.JVM) {
      server.jvmOption(JvmOption.text(setting.key(), value));
    }
  }

  private long size(long least, long most) {
    return random.nextInt(12) == 0
        ? any(ABSURD)
        : Bytes.roundDown(random.nextLong(least, most), random.nextInt(20) == 0 ? 1000 : MIB);
  }

  private long block() {
    return random.nextInt(8) == 0 ? any(ABSURD) : 1024L << random.nextInt(11);
  }

  private <T> T any(List<T> values) {
    return values.get(random.nextInt(values.size()));
  }
}
