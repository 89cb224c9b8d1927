package io.offheap.hbase.operator.rollout;

import io.offheap.hbase.operator.rollout.HBaseView.Region;
import io.offheap.hbase.operator.rollout.HBaseView.Server;
import io.offheap.hbase.operator.rollout.SimulatedInfrastructure.Service;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * A simulation of HBase in steps of a second: regions are on a server or in transition; a region in
 * transition to a server arrives there even if the server has begun to drain; a server's death is
 * detected later; commands arrive late. What it does without ZooKeeper and HDFS: {@link
 * SimulatedInfrastructure}.
 */
final class SimulatedHBase {
  static final int SECONDS_TO_FIND_DEAD = 4;
  private static final int SECONDS_TO_TAKE_OVER = 3;

  private final Random random;
  private final SimulatedInfrastructure infrastructure;
  private final SimulatedMasters masters = new SimulatedMasters();
  private final Map<String, Place> regions = new TreeMap<>();
  private final Map<String, Optional<Instant>> servers = new LinkedHashMap<>();
  private final Map<String, Instant> takenOverAt = new LinkedHashMap<>();
  private final Set<String> draining = new TreeSet<>();
  private Instant balancedAt = Instant.MIN;
  private boolean balancer = true;
  private boolean normalizer = true;
  private Instant now;

  /** Share of moves that are refused. */
  double refusing;

  /** Whether the master does not respond. */
  boolean isUnresponsive;

  /** Servers and masters that do not respond, though they serve. */
  final Set<String> silent = new TreeSet<>();

  /** The server of a region, or its destination. */
  private record Place(String server, Optional<Instant> arrives, boolean isChosen) {
    boolean isOpen() {
      return arrives.isEmpty();
    }
  }

  SimulatedHBase(Random random, SimulatedInfrastructure infrastructure, Instant now) {
    this.random = random;
    this.infrastructure = infrastructure;
    this.now = now;
  }

  static Region region(String name) {
    boolean isMeta = name.equals("meta");
    return new Region(name, isMeta, isMeta || name.equals("namespace"));
  }

  void create(String region, String server) {
    regions.put(region, new Place(server, Optional.empty(), true));
  }

  void switched(boolean balances, boolean normalizes) {
    balancer = balances;
    normalizer = normalizes;
  }

  void drainedByOthers(String server) {
    draining.add(server);
  }

  void register(String server) {
    // The same host with a later start: the earlier process is dead.
    for (String other : List.copyOf(servers.keySet())) {
      if (HBaseView.podOf(other).equals(HBaseView.podOf(server))) {
        expire(other);
      }
    }
    servers.put(server, Optional.empty());
  }

  void registerMaster(String master) {
    masters.register(master, now);
  }

  /** The process of a server or master has died, which is found later. */
  void died(String server, int secondsToFind) {
    masters.died(server, now.plusSeconds(secondsToFind));
    servers.computeIfPresent(server, (name, dead) -> Optional.of(now.plusSeconds(secondsToFind)));
  }

  /** The process of a server or master has exited. */
  void exited(String server) {
    masters.exited(server, now);
    if (servers.containsKey(server)) {
      expire(server);
    }
  }

  private void expire(String server) {
    servers.remove(server);
    takenOverAt.put(server, now.plusSeconds(SECONDS_TO_TAKE_OVER));
  }

  /** Advances the time by a second. */
  void tick(Instant time) {
    now = time;
    if (!infrastructure.serves(Service.ZOOKEEPER)) {
      return;
    }
    boolean hasFiles = infrastructure.serves(Service.HDFS);
    masters.tick(now, hasFiles);
    for (var entry : List.copyOf(servers.entrySet())) {
      if (entry.getValue().filter(it -> !now.isBefore(it)).isPresent()) {
        expire(entry.getKey());
      }
    }
    if (masters.active().isEmpty() || !hasFiles) {
      return;
    }
    takenOverAt.entrySet().removeIf(it -> !now.isBefore(it.getValue()) && takeOver(it.getKey()));
    for (String region : List.copyOf(regions.keySet())) {
      travel(region);
    }
    if (balancer && now.isAfter(balancedAt.plusSeconds(10))) {
      balancedAt = now;
      balance();
    }
  }

  private boolean takeOver(String server) {
    regions.replaceAll(
        (name, place) ->
            place.isOpen() && place.server().equals(server)
                ? new Place("", Optional.of(now), false)
                : place);
    return true;
  }

  /** Closed, then a server is chosen, then opened there. */
  private void travel(String region) {
    var place = regions.get(region);
    if (place.isOpen() || now.isBefore(place.arrives().get())) {
      return;
    }
    boolean isThere = servers.getOrDefault(place.server(), Optional.of(now)).isEmpty();
    if (place.isChosen() && isThere) {
      regions.put(region, new Place(place.server(), Optional.empty(), true));
      return;
    }
    var takers = assignable();
    var chosen =
        isThere && takers.contains(place.server())
            ? Optional.of(place.server())
            : takers.stream().skip(random.nextInt(Math.max(1, takers.size()))).findFirst();
    regions.put(
        region,
        chosen
            .map(it -> new Place(it, Optional.of(now.plusSeconds(1 + random.nextInt(6))), true))
            .orElse(new Place("", Optional.of(now.plusSeconds(1)), false)));
  }

  private List<String> assignable() {
    return servers.entrySet().stream()
        .filter(it -> it.getValue().isEmpty() && !draining.contains(it.getKey()))
        .map(Map.Entry::getKey)
        .toList();
  }

  private void balance() {
    var byLoad = Comparator.comparingInt((String it) -> on(it).size());
    var most = assignable().stream().max(byLoad);
    var least = assignable().stream().min(byLoad);
    if (most.isPresent() && on(most.get()).size() > on(least.get()).size() + 2) {
      move(on(most.get()).get(0), least.get());
    }
  }

  /** Regions that a server holds. */
  List<String> on(String server) {
    return regions.entrySet().stream()
        .filter(it -> it.getValue().isOpen() && it.getValue().server().equals(server))
        .map(Map.Entry::getKey)
        .toList();
  }

  /** Executes a command; false if it was refused. */
  boolean arrived(HBaseCommand command) {
    if (respondingMaster().isEmpty()) {
      return false;
    }
    if (command instanceof HBaseCommand.SwitchBalancer it) {
      balancer = it.on();
    } else if (command instanceof HBaseCommand.SwitchNormalizer it) {
      normalizer = it.on();
    } else if (command instanceof HBaseCommand.Decommission it) {
      if (!servers.containsKey(it.server())) {
        return false;
      }
      draining.add(it.server());
    } else if (command instanceof HBaseCommand.Recommission it) {
      draining.remove(it.server());
    } else if (command instanceof HBaseCommand.Move it) {
      return random.nextDouble() >= refusing && move(it.encodedRegion(), it.destination());
    }
    return true;
  }

  private boolean move(String region, String server) {
    var place = regions.get(region);
    if (place == null
        || !place.isOpen()
        || !servers.containsKey(server)
        || !infrastructure.serves(Service.HDFS)) {
      return false;
    }
    if (!place.server().equals(server)) {
      regions.put(region, new Place(server, Optional.of(now.plusSeconds(1)), false));
    }
    return true;
  }

  private Optional<String> respondingMaster() {
    boolean isSilent = isUnresponsive || !infrastructure.serves(Service.ZOOKEEPER);
    return masters.active().filter(it -> !isSilent && !silent.contains(it));
  }

  boolean hasActiveMaster() {
    return masters.active().isPresent();
  }

  /** The master's report; empty while no master is active, or it does not respond. */
  Optional<HBaseView> masterReport() {
    return respondingMaster()
        .map(
            active ->
                new HBaseView(
                    now,
                    now,
                    Optional.of(active),
                    masters.backups(),
                    servers.keySet().stream().map(it -> new Server(it, on(it).size())).toList(),
                    takenOverAt.keySet(),
                    regions.entrySet().stream()
                        .filter(it -> !it.getValue().isOpen())
                        .map(Map.Entry::getKey)
                        .collect(Collectors.toSet()),
                    draining,
                    balancer,
                    normalizer,
                    Map.of()));
  }

  /** The regions that live servers report. */
  Map<String, List<Region>> reportedRegions(List<String> names) {
    var regionsByServer = new TreeMap<String, List<Region>>();
    for (String name : names) {
      if (servers.getOrDefault(name, Optional.of(now)).isEmpty() && !silent.contains(name)) {
        regionsByServer.put(name, on(name).stream().map(SimulatedHBase::region).toList());
      }
    }
    return regionsByServer;
  }

  Set<String> draining() {
    return Set.copyOf(draining);
  }

  List<Boolean> switches() {
    return List.of(balancer, normalizer);
  }

  boolean isAlive(String server) {
    return servers.getOrDefault(server, Optional.of(now)).isEmpty();
  }

  /** The pod that each region is on; empty while it is on no live server. */
  Map<String, String> podsOfRegions() {
    var pods = new TreeMap<String, String>();
    regions.forEach(
        (region, place) ->
            pods.put(
                region,
                place.isOpen() && isAlive(place.server()) ? HBaseView.podOf(place.server()) : ""));
    return pods;
  }

  List<String> living() {
    return new ArrayList<>(servers.keySet());
  }
}
