package io.offheap.hbase.operator.hbase;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.offheap.hbase.operator.rollout.HBaseCommand;
import io.offheap.hbase.operator.rollout.HBaseCommand.Decommission;
import io.offheap.hbase.operator.rollout.HBaseCommand.Move;
import io.offheap.hbase.operator.rollout.HBaseCommand.Recommission;
import io.offheap.hbase.operator.rollout.HBaseCommand.Reconfigure;
import io.offheap.hbase.operator.rollout.HBaseCommand.SwitchBalancer;
import io.offheap.hbase.operator.rollout.HBaseCommand.SwitchNormalizer;
import io.offheap.hbase.operator.rollout.HBaseView;
import io.offheap.hbase.operator.rollout.HBaseView.Region;
import io.offheap.hbase.operator.rollout.HBaseView.Server;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** What a rollout asks and tells, with two masters and three region servers of HBase itself. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class HBaseControlTest {
  private static final int REGIONS = 30;
  private static final List<String> PODS =
      IntStream.range(0, 3).mapToObj(RealServers::pod).toList();

  @TempDir static Path folder;

  private static RealServers hbase;
  private static RealHBase otherHBase;
  private static ControlledClusters clusters;
  private static ResourceID id;
  private static ResourceID other;

  @BeforeAll
  static void start() throws Exception {
    hbase = RealServers.start(folder.resolve("servers"));
    otherHBase = RealHBase.start(folder.resolve("other"));
    clusters = new ControlledClusters(8);
    id = clusters.add("real", hbase.regionServers());
    other = clusters.add("other", List.of(otherHBase.regionServer()));
    soon(Duration.ofMinutes(2))
        .untilAsserted(
            () -> {
              assertThat(view(id).servers()).hasSize(3);
              assertThat(view(id).backupMasters()).hasSize(1);
              assertThat(view(other).servers()).hasSize(1);
            });
    connection()
        .getAdmin()
        .createTable(
            TableDescriptorBuilder.newBuilder(TableName.valueOf("t"))
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
                .build(),
            IntStream.range(1, REGIONS)
                .mapToObj(i -> bytes("%02d".formatted(i)))
                .toArray(byte[][]::new))
        .get(60, SECONDS);
  }

  @AfterAll
  static void stop() {
    clusters.close();
    hbase.close();
    otherHBase.close();
  }

  @Test
  @Order(1)
  void aServerIsEmptiedAndFilledAgain() {
    rollAll();
    var before = await(it -> regions(it).count() == REGIONS + 2 && it.inTransition().isEmpty());
    assertThat(before.servers()).extracting(Server::pod).containsExactlyInAnyOrderElementsOf(PODS);
    assertThat(before.regions().keySet())
        .containsExactlyInAnyOrderElementsOf(before.servers().stream().map(Server::name).toList());
    assertThat(regions(before).filter(Region::isMeta)).hasSize(1);
    assertThat(regions(before).filter(Region::isSystem)).as("and hbase:namespace").hasSize(2);
    assertThat(before.activeMaster()).isPresent();
    assertThat(before.crashed()).isEmpty();
    assertThat(before.draining()).isEmpty();
    assertThat(before.isBalancerOn()).isTrue();
    assertThat(before.isNormalizerOn()).isTrue();
    await(it -> it.servers().stream().mapToInt(Server::regions).sum() == REGIONS + 2);

    var source =
        before.servers().stream()
            .filter(it -> before.regions().get(it.name()).stream().anyMatch(Region::isMeta))
            .findFirst()
            .orElseThrow();
    send(
        new SwitchBalancer(false),
        new SwitchNormalizer(false),
        new Decommission(source.name()),
        new Reconfigure(source.name()));
    var drained =
        await(
            it ->
                it.draining().contains(source.name())
                    && !it.isBalancerOn()
                    && !it.isNormalizerOn());
    assertThat(drained.takers()).hasSize(2).doesNotContain(source);

    var all = drained.regions().get(source.name());
    var takers = drained.takers().map(Server::name).toList();
    var meta = all.stream().filter(Region::isMeta).toList();
    var moves =
        Stream.concat(meta.stream(), all.stream().filter(it -> !it.isMeta()))
            .map(it -> new Move(it.encodedName(), takers.get(it.encodedName().charAt(0) % 2)))
            .toList();
    assertThat(moves).hasSizeGreaterThan(10);
    var empty = moveUntil(it -> it.regions().get(source.name()).isEmpty(), moves);
    await(it -> it.inTransition().isEmpty());
    assertThat(regions(empty)).hasSizeGreaterThanOrEqualTo(REGIONS + 2 - 8);

    send(new Recommission(source.name()));
    await(it -> it.draining().isEmpty());
    moveUntil(
        it -> Set.copyOf(it.regions().get(source.name())).equals(Set.copyOf(all)),
        all.stream().map(it -> new Move(it.encodedName(), source.name())).toList());

    send(new SwitchBalancer(true), new SwitchNormalizer(true));
    await(it -> it.isBalancerOn() && it.isNormalizerOn());
    assertThat(clusters.control().refusals(id)).isEmpty();
  }

  @Test
  @Order(2)
  void aPassIsWokenByWhatChangesAndNotByEachLook() {
    rollAll();
    await(
        it ->
            it.inTransition().isEmpty()
                && it.servers().stream()
                    .allMatch(
                        server -> server.regions() == it.regions().get(server.name()).size()));
    var asked = view(id).asked();
    long woken = clusters.woken(id);
    await(it -> it.asked().isAfter(asked.plusSeconds(5)));
    assertThat(clusters.woken(id)).isEqualTo(woken);

    send(new SwitchNormalizer(false));
    await(it -> !it.isNormalizerOn());
    // What is seen is there a moment before anybody is woken for it.
    soon(Duration.ofSeconds(5)).until(() -> clusters.woken(id), it -> it > woken);
    assertThat(clusters.woken(id)).isEqualTo(woken + 1);
  }

  @Test
  @Order(3)
  void whatHBaseRefusesIsSaidUntilItSucceeds() {
    rollAll();
    var view = await(it -> it.inTransition().isEmpty());
    var region = regions(view).filter(it -> !it.isSystem()).findFirst().orElseThrow();
    var nowhere = new Move(region.encodedName(), PODS.get(0) + ",1,1");
    send(nowhere);
    send(new Move("0123456789abcdef0123456789abcdef", view.servers().get(0).name()));
    soon(Duration.ofSeconds(20))
        .untilAsserted(
            () ->
                assertThat(clusters.control().refusals(id).values())
                    .satisfiesExactlyInAnyOrder(
                        it ->
                            assertThat(it)
                                .isEqualTo("No live region server: " + nowhere.destination()),
                        it -> assertThat(it).startsWith("UnknownRegionException: ")));
    var home =
        view.regions().entrySet().stream()
            .filter(it -> it.getValue().contains(region))
            .findFirst()
            .orElseThrow();
    assertThat(view(id).regions().get(home.getKey())).as("where it was").contains(region);

    send(new Move(region.encodedName(), home.getKey()));
    soon(Duration.ofSeconds(20))
        .untilAsserted(
            () ->
                assertThat(clusters.control().refusals(id)).doesNotContainKey(nowhere).hasSize(1));
  }

  @Test
  @Order(4)
  void aServerThatIsKilledIsCrashedUntilItsRegionsAreTakenOver() throws Exception {
    var reader = new ViewReader("demo");
    var before = look(reader);
    var killed = before.serverOf(PODS.get(2)).orElseThrow().name();
    hbase.regionServer(2).close();

    var looks = new ArrayList<HBaseView>();
    var crashes = new ArrayList<ServerCrashes>();
    soon(Duration.ofSeconds(40))
        .pollInterval(Duration.ofMillis(20))
        .until(
            () -> {
              crashes.add(
                  connection()
                      .getAdmin()
                      .getProcedures()
                      .thenApply(ServerCrashes::of)
                      .get(10, SECONDS));
              looks.add(look(reader));
              var last = looks.get(looks.size() - 1);
              // The procedure can end between the two questions of one look.
              return last.server(killed).isEmpty()
                  && last.crashed().isEmpty()
                  && crashes.get(crashes.size() - 1).finished().contains(killed);
            });

    assertThat(looks.stream().filter(it -> it.server(killed).isEmpty()).findFirst().orElseThrow())
        .as("the first look that does not have it any more")
        .satisfies(it -> assertThat(it.crashed()).containsExactly(killed));
    assertThat(crashes).anySatisfy(it -> assertThat(it.unfinished()).containsExactly(killed));
    assertThat(crashes).anySatisfy(it -> assertThat(it.finished()).containsExactly(killed));
    assertThat(regions(looks.get(looks.size() - 1))).as("once taken over").hasSize(REGIONS + 2);

    hbase.startRegionServer(2);
    rollAll();
    var again = await(it -> it.servers().size() == 3);
    assertThat(HBaseView.startCode(again.serverOf(PODS.get(2)).orElseThrow().name()))
        .isGreaterThan(HBaseView.startCode(killed));
  }

  @Test
  @Order(5)
  void aMasterThatIsFrozenHoldsUpItsOwnClusterAlone() {
    rollAll();
    clusters.roll(other, Set.of("localhost"));
    var before = await(it -> it.servers().size() == 3 && it.inTransition().isEmpty());
    var master = hbase.master(before.activeMaster().orElseThrow());
    master.freeze();
    try {
      var frozen = Instant.now();
      var moves =
          regions(before)
              .filter(it -> !it.isSystem())
              .map(it -> new Move(it.encodedName(), before.servers().get(0).name()))
              .toArray(HBaseCommand[]::new);
      var otherLooks = looks(other, Duration.ofSeconds(8), () -> send(moves));
      assertThat(view(id).asked()).as("no look was answered").isBefore(frozen);
      assertThat(otherLooks).as("the other's looks, one each second").isGreaterThanOrEqualTo(5);

      var after = await(it -> it.asked().isAfter(frozen));
      assertThat(after.activeMaster()).isEqualTo(before.backupMasters().stream().findFirst());
      soon(Duration.ofSeconds(65))
          .untilAsserted(
              () -> assertThat(clusters.control().running(id)).as("commands under way").isZero());
      assertThat(clusters.control().refusals(id).values())
          .filteredOn("No answer in 60 s"::equals)
          .as("moves that were begun, each once")
          .hasSizeBetween(1, 8);
    } finally {
      master.thaw();
    }
  }

  @Test
  @Order(6)
  void nothingIsKeptOfAResourceThatIsGone() {
    clusters.remove(other);
    soon(Duration.ofSeconds(5))
        .untilAsserted(() -> assertThat(clusters.view(other)).as("view").isEmpty());
    assertThat(clusters.control().refusals(other)).isEmpty();
    clusters.control().askSoon(other);
    clusters.control().send(other, List.of(new SwitchBalancer(false)));
    assertThat(clusters.control().running(other)).isZero();
  }

  private static long looks(ResourceID cluster, Duration time, Runnable meanwhile) {
    var seen = new HashSet<Instant>();
    var end = Instant.now().plus(time);
    soon(time.plusSeconds(1))
        .until(
            () -> {
              meanwhile.run();
              seen.add(view(cluster).asked());
              return Instant.now().isAfter(end);
            });
    return seen.size();
  }

  private static HBaseView look(ViewReader reader) throws Exception {
    return reader
        .read(clusters.connections().get(id, hbase.regionServers()), Set.copyOf(PODS))
        .get(10, SECONDS);
  }

  private static void rollAll() {
    clusters.roll(id, Set.copyOf(PODS));
  }

  private static void send(HBaseCommand... commands) {
    clusters.control().send(id, List.of(commands));
  }

  private static HBaseView view(ResourceID cluster) {
    return clusters.view(cluster).orElseThrow();
  }

  private static HBaseView await(Predicate<HBaseView> condition) {
    return soon(Duration.ofMinutes(3)).until(() -> view(id), condition);
  }

  /**
   * Asks again for each move that has not come about, as passes do: HBase refuses some while
   * hbase:meta itself moves, where it cannot find them in time.
   */
  private static HBaseView moveUntil(Predicate<HBaseView> condition, List<Move> moves) {
    return await(
        it -> {
          send(moves.stream().filter(move -> !hasCome(it, move)).toArray(HBaseCommand[]::new));
          return condition.test(it);
        });
  }

  private static boolean hasCome(HBaseView view, Move move) {
    return view.regions().getOrDefault(move.destination(), List.of()).stream()
        .anyMatch(it -> it.encodedName().equals(move.encodedRegion()));
  }

  private static ConditionFactory soon(Duration atMost) {
    return org.awaitility.Awaitility.await()
        .atMost(atMost)
        .pollInterval(Duration.ofMillis(100))
        .ignoreExceptions();
  }

  private static Stream<Region> regions(HBaseView view) {
    return view.regions().values().stream().flatMap(List::stream);
  }

  private static AsyncConnection connection() throws Exception {
    return clusters.connections().get(id, hbase.regionServers()).get(10, SECONDS);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }
}
