package io.offheap.hbase.operator.it;

import io.offheap.hbase.operator.rollout.HBaseView;
import io.offheap.hbase.operator.rollout.ServerSample;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToDoubleFunction;

/**
 * What the region servers of a {@link ModelHBase} say of themselves under a load that is the same
 * for all; they differ in the share of what they allocate that comes from the heap.
 */
final class ModelFigures {
  private static final long BYTES_A_SECOND = 100L << 20;
  private static final long REQUESTS_A_SECOND = 1_000;

  private final ToDoubleFunction<String> heapShare;
  private final Map<String, Told> told = new ConcurrentHashMap<>();

  private record Told(Instant since, double heapShare) {}

  /**
   * For one cluster.
   *
   * @param heapShare the share of the server in a pod; asked once for each process
   */
  ModelFigures(ToDoubleFunction<String> heapShare) {
    this.heapShare = heapShare;
  }

  List<ServerSample> of(HBaseView view) {
    return view.servers().stream().map(HBaseView.Server::name).map(this::sample).toList();
  }

  private ServerSample sample(String server) {
    var pod = HBaseView.podOf(server);
    var first =
        told.computeIfAbsent(server, name -> new Told(Instant.now(), heapShare.applyAsDouble(pod)));
    var now = Instant.now();
    double seconds = Duration.between(first.since(), now).toMillis() / 1000.0;
    double bytes = BYTES_A_SECOND * seconds;
    return new ServerSample(
        pod,
        server,
        now,
        (long) (bytes * first.heapShare()),
        (long) (bytes * (1 - first.heapShare())),
        0,
        OptionalDouble.empty(),
        OptionalDouble.empty(),
        (long) (REQUESTS_A_SECOND * seconds),
        0,
        0);
  }
}
