package io.offheap.hbase.operator.hbase;

import static io.offheap.hbase.operator.Waits.LONG;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;

import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.offheap.hbase.operator.rollout.HBaseCommand;
import io.offheap.hbase.operator.rollout.HBaseView;
import io.offheap.hbase.operator.rollout.HBaseView.Region;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/** The servers of one HBase, with a {@link HBaseControl} that polls them as in a rollout. */
final class ControlledHBase implements AutoCloseable {
  private final RealServers servers;
  private final ControlledClusters clusters;
  private final ResourceID id;

  private ControlledHBase(RealServers servers, ControlledClusters clusters) {
    this.servers = servers;
    this.clusters = clusters;
    this.id = clusters.add("real", servers.regionServers());
  }

  /**
   * Starts the servers; returns before they serve.
   *
   * @param moveDeadline deadline of a move
   */
  static ControlledHBase start(Path folder, int masters, int regionServers, Duration moveDeadline) {
    return new ControlledHBase(
        RealServers.start(folder, masters, regionServers), new ControlledClusters(8, moveDeadline));
  }

  /** Waits until all servers serve, and makes a table with this many regions. */
  void prepare(int masters, int regions) throws Exception {
    clusters.awaitStart(
        id,
        it ->
            it.servers().size() == servers.pods().size()
                && it.activeMaster().isPresent()
                && it.backupMasters().size() == masters - 1);
    connection()
        .getAdmin()
        .createTable(
            TableDescriptorBuilder.newBuilder(TableName.valueOf("t"))
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
                .build(),
            IntStream.range(1, regions)
                .mapToObj(i -> "%02d".formatted(i).getBytes(UTF_8))
                .toArray(byte[][]::new))
        .get(LONG.toSeconds(), SECONDS);
  }

  RealServers servers() {
    return servers;
  }

  ControlledClusters clusters() {
    return clusters;
  }

  ResourceID id() {
    return id;
  }

  /** From now on all region servers are being restarted. */
  void restartAll() {
    clusters.restart(id, Set.copyOf(servers.pods()));
  }

  void send(HBaseCommand... commands) {
    clusters.control().send(id, List.of(commands));
  }

  HBaseView view() {
    return clusters.view(id).orElseThrow();
  }

  HBaseView await(Predicate<HBaseView> condition) {
    return soon(Duration.ofMinutes(3)).until(this::view, condition);
  }

  AsyncConnection connection() throws Exception {
    return clusters.connections().get(id, servers.regionServers()).get(10, SECONDS);
  }

  static Stream<Region> regions(HBaseView view) {
    return view.regions().values().stream().flatMap(List::stream);
  }

  static ConditionFactory soon(Duration atMost) {
    return Awaitility.await()
        .atMost(atMost)
        .pollInterval(Duration.ofMillis(100))
        .ignoreExceptions();
  }

  @Override
  public void close() {
    clusters.close();
    servers.close();
  }
}
