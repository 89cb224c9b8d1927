package io.offheap.hbase.operator.hbase;

import static io.offheap.hbase.operator.Waits.LONG;
import static io.offheap.hbase.operator.hbase.ControlledHBase.regions;
import static io.offheap.hbase.operator.hbase.ControlledHBase.soon;
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
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * The requests and commands of a rollout, with a master and three region servers of HBase itself.
 */
@ResourceLock(value = HBaseJvm.CLIENT_THREADS, mode = ResourceAccessMode.READ)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class HBaseControlIT {
  private static final int REGIONS = 30;
  private static final int SERVERS = 3;

  @TempDir static Path folder;

  private static ControlledHBase hbase;

  @BeforeAll
  static void start() throws Exception {
    hbase = ControlledHBase.start(folder, 1, SERVERS, CommandSender.MOVE_DEADLINE);
    hbase.prepare(1, REGIONS);
  }

  @AfterAll
  static void stop() {
    hbase.close();
  }

  @Test
  @Order(1)
  void drainsServerAndMovesRegionsBack() {
    hbase.restartAll();
    var before =
        hbase.await(it -> regions(it).count() == REGIONS + 2 && it.inTransition().isEmpty());
    assertThat(before.servers())
        .extracting(Server::pod)
        .containsExactlyInAnyOrderElementsOf(hbase.servers().pods());
    assertThat(before.regions().keySet())
        .containsExactlyInAnyOrderElementsOf(before.servers().stream().map(Server::name).toList());
    assertThat(regions(before).filter(Region::isMeta)).hasSize(1);
    assertThat(regions(before).filter(Region::isSystem)).as("and hbase:namespace").hasSize(2);
    assertThat(before.activeMaster()).isPresent();
    assertThat(before.crashed()).isEmpty();
    assertThat(before.draining()).isEmpty();
    assertThat(before.isBalancerOn()).isTrue();
    assertThat(before.isNormalizerOn()).isTrue();
    hbase.await(it -> it.servers().stream().mapToInt(Server::regions).sum() == REGIONS + 2);

    var source =
        before.servers().stream()
            .filter(it -> before.regions().get(it.name()).stream().anyMatch(Region::isMeta))
            .findFirst()
            .orElseThrow();
    hbase.send(
        new SwitchBalancer(false),
        new SwitchNormalizer(false),
        new Decommission(source.name()),
        new Reconfigure(source.name()));
    var drained =
        hbase.await(
            it ->
                it.draining().contains(source.name())
                    && it.regions().containsKey(source.name())
                    && !it.isBalancerOn()
                    && !it.isNormalizerOn());
    assertThat(drained.assignable()).hasSize(2).doesNotContain(source);

    var all = drained.regions().get(source.name());
    var assignable = drained.assignable().map(Server::name).toList();
    var meta = all.stream().filter(Region::isMeta).toList();
    var moves =
        Stream.concat(meta.stream(), all.stream().filter(it -> !it.isMeta()))
            .map(it -> new Move(it.encodedName(), assignable.get(it.encodedName().charAt(0) % 2)))
            .toList();
    assertThat(moves).hasSizeGreaterThan(10);
    var empty = moveUntil(it -> it.regions().get(source.name()).isEmpty(), moves);
    hbase.await(it -> it.inTransition().isEmpty());
    assertThat(regions(empty)).hasSizeGreaterThanOrEqualTo(REGIONS + 2 - 8);

    hbase.send(new Recommission(source.name()));
    hbase.await(it -> it.draining().isEmpty());
    moveUntil(
        it -> Set.copyOf(it.regions().get(source.name())).equals(Set.copyOf(all)),
        all.stream().map(it -> new Move(it.encodedName(), source.name())).toList());

    hbase.send(new SwitchBalancer(true), new SwitchNormalizer(true));
    hbase.await(it -> it.isBalancerOn() && it.isNormalizerOn());
    assertThat(hbase.clusters().control().refusals(hbase.id())).isEmpty();
  }

  @Test
  @Order(2)
  void changedViewTriggersReconciliationAndUnchangedViewDoesNot() {
    hbase.restartAll();
    hbase.await(
        it ->
            it.inTransition().isEmpty()
                && it.servers().stream()
                    .allMatch(
                        server -> server.regions() == it.regions().get(server.name()).size()));
    // A view is stored a moment before its reconciliation is triggered, and that is before the next
    // view is requested.
    var settledAt = hbase.view().requestedAt();
    hbase.await(it -> it.requestedAt().isAfter(settledAt));
    var requestedAt = hbase.view().requestedAt();
    long before = hbase.clusters().reconciliations(hbase.id());
    hbase.await(it -> it.requestedAt().isAfter(requestedAt.plusSeconds(5)));
    assertThat(hbase.clusters().reconciliations(hbase.id())).isEqualTo(before);

    hbase.send(new SwitchNormalizer(false));
    hbase.await(it -> !it.isNormalizerOn());
    soon(LONG).until(() -> hbase.clusters().reconciliations(hbase.id()), it -> it > before);
    assertThat(hbase.clusters().reconciliations(hbase.id())).isEqualTo(before + 1);
  }

  @Test
  @Order(3)
  void reportsRefusedCommandUntilItSucceeds() {
    hbase.restartAll();
    var view = hbase.await(it -> it.inTransition().isEmpty());
    var region = regions(view).filter(it -> !it.isSystem()).findFirst().orElseThrow();
    var nowhere = new Move(region.encodedName(), RealServers.pod(0) + ",1,1");
    hbase.send(nowhere);
    hbase.send(new Move("0123456789abcdef0123456789abcdef", view.servers().get(0).name()));
    soon(LONG)
        .untilAsserted(
            () ->
                assertThat(hbase.clusters().control().refusals(hbase.id()).values())
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
    assertThat(hbase.view().regions().get(home.getKey())).as("where it was").contains(region);

    hbase.send(new Move(region.encodedName(), home.getKey()));
    soon(LONG)
        .untilAsserted(
            () ->
                assertThat(hbase.clusters().control().refusals(hbase.id()))
                    .doesNotContainKey(nowhere)
                    .hasSize(1));
  }

  @Test
  @Order(4)
  void killedServerIsCrashedUntilItsRegionsAreReassigned() throws Exception {
    var reader = new ViewReader(new ResourceID("demo"), Map::of, failure -> {}, Clock.systemUTC());
    var before = viewOf(reader);
    var killed = before.serverOf(RealServers.pod(2)).orElseThrow().name();
    hbase.servers().regionServer(2).close();

    var views = new ArrayList<HBaseView>();
    var crashes = new ArrayList<ServerCrashes>();
    soon(LONG)
        .pollInterval(Duration.ofMillis(20))
        .until(
            () -> {
              crashes.add(
                  hbase
                      .connection()
                      .getAdmin()
                      .getProcedures()
                      .thenApply(ServerCrashes::of)
                      .get(10, SECONDS));
              views.add(viewOf(reader));
              var last = views.get(views.size() - 1);
              // The procedure can end between the two requests of one view.
              return last.server(killed).isEmpty()
                  && last.crashed().isEmpty()
                  && crashes.get(crashes.size() - 1).finished().contains(killed);
            });

    assertThat(views.stream().filter(it -> it.server(killed).isEmpty()).findFirst().orElseThrow())
        .as("the first view without the server")
        .satisfies(it -> assertThat(it.crashed()).containsExactly(killed));
    assertThat(crashes).anySatisfy(it -> assertThat(it.unfinished()).containsExactly(killed));
    assertThat(crashes).anySatisfy(it -> assertThat(it.finished()).containsExactly(killed));
    assertThat(regions(views.get(views.size() - 1)))
        .as("after the reassignment")
        .hasSize(REGIONS + 2);

    hbase.servers().startRegionServer(2);
    hbase.restartAll();
    var again = hbase.await(it -> it.servers().size() == SERVERS);
    assertThat(HBaseView.startCode(again.serverOf(RealServers.pod(2)).orElseThrow().name()))
        .isGreaterThan(HBaseView.startCode(killed));
  }

  private static HBaseView viewOf(ViewReader reader) throws Exception {
    return reader
        .read(
            hbase.clusters().connections().get(hbase.id(), hbase.servers().regionServers()),
            Set.copyOf(hbase.servers().pods()),
            Optional.empty())
        .get(10, SECONDS);
  }

  /**
   * Sends each incomplete move again, as reconciliations do: HBase refuses some while hbase:meta
   * itself moves, if it cannot find them in time.
   */
  private static HBaseView moveUntil(Predicate<HBaseView> condition, List<Move> moves) {
    return hbase.await(
        it -> {
          hbase.send(
              moves.stream().filter(move -> !hasCome(it, move)).toArray(HBaseCommand[]::new));
          return condition.test(it);
        });
  }

  private static boolean hasCome(HBaseView view, Move move) {
    return view.regions().getOrDefault(move.destination(), List.of()).stream()
        .anyMatch(it -> it.encodedName().equals(move.encodedRegion()));
  }
}
