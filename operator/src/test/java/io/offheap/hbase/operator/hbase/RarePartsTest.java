package io.offheap.hbase.operator.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.offheap.hbase.operator.hbase.RareParts.Parts;
import io.offheap.hbase.operator.hbase.RareParts.Read;
import io.offheap.hbase.operator.hbase.RareParts.Requested;
import io.offheap.hbase.operator.hbase.RareParts.Servers;
import io.offheap.hbase.operator.rollout.HBaseView;
import io.offheap.hbase.operator.rollout.HBaseViewBuilder;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.client.AsyncAdmin;
import org.junit.jupiter.api.Test;

/** Responses of a read that come after the next read has begun. */
class RarePartsTest {
  private static final Instant NOW = Instant.parse("2025-11-01T02:00:00Z");
  private static final Instant REST = NOW.minusSeconds(60);
  private static final String ONE = "hb-rs-0.hb,16020,1";
  private static final String OTHER = "hb-rs-1.hb,16020,1";

  private final RareParts parts = new RareParts();
  private final CountedMaster master = new CountedMaster();

  @Test
  void lateResponseReplacesNoNewerList() {
    var late = new CompletableFuture<Set<String>>();
    var first = read(NOW, Set.of(ONE, OTHER), late);
    var second = read(NOW.plusSeconds(11), Set.of(ONE, OTHER), draining(OTHER));
    assertThat(second).isCompleted();

    late.complete(Set.of());

    assertThat(first).isCompleted();
    assertThat(kept(NOW.plusSeconds(21)).map(Parts::draining)).hasValue(Set.of(OTHER));
  }

  @Test
  void lateResponseDropsNoServerThatHasLeft() {
    var late = new CompletableFuture<String>();
    master.instead.put("getProcedures", late);
    var first = read(NOW, Set.of(ONE, OTHER), draining());
    master.instead.clear();
    assertThat(read(NOW.plusSeconds(11), Set.of(ONE), draining()).join().crashed())
        .containsExactly(OTHER);

    late.complete("[]");

    assertThat(first).isCompleted();
    var next = begin(NOW.plusSeconds(12), Set.of(ONE));
    assertThat(
            parts
                .complete(
                    new Requested(CompletableFuture.completedFuture(true), draining()),
                    admin(),
                    next,
                    Optional.of(view(ONE)))
                .join()
                .crashed())
        .as("its procedure may start yet")
        .containsExactly(OTHER);
  }

  private CompletableFuture<Parts> read(
      Instant now, Set<String> live, CompletableFuture<Set<String>> draining) {
    return parts.complete(
        new Requested(CompletableFuture.completedFuture(true), draining),
        admin(),
        begin(now, live),
        Optional.of(view(ONE, OTHER)));
  }

  private Optional<Parts> kept(Instant now) {
    return parts.kept(begin(now, Set.of(ONE, OTHER)));
  }

  private Servers begin(Instant now, Set<String> live) {
    Read read = parts.begin(now, Optional.of(REST));
    return new Servers(read, Optional.of("hb-master-0.hb,16000,1"), live);
  }

  private AsyncAdmin admin() {
    return master.connection().join().getAdmin();
  }

  private static CompletableFuture<Set<String>> draining(String... servers) {
    return CompletableFuture.completedFuture(Set.of(servers));
  }

  private static HBaseView view(String... servers) {
    return HBaseViewBuilder.builder()
        .requestedAt(NOW)
        .serversAt(NOW)
        .activeMaster(Optional.empty())
        .backupMasters(Set.of())
        .servers(List.of(servers).stream().map(it -> new HBaseView.Server(it, 1)).toList())
        .crashed(Set.of())
        .inTransition(Set.of())
        .draining(Set.of())
        .isBalancerOn(true)
        .isNormalizerOn(true)
        .regions(Map.of())
        .build();
  }
}
