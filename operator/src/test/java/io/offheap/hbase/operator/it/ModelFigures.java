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
 * The metrics of the region servers of a {@link ModelHBase} under the same load; the servers differ
 * in their heap share.
 */
final class ModelFigures {
  private static final long BYTES_A_SECOND = 100L << 20;
  private static final long REQUESTS_A_SECOND = 1_000;

  private final ToDoubleFunction<String> heapShare;
  private final Map<String, Share> shares = new ConcurrentHashMap<>();

  private record Share(Instant since, double heapShare) {}

  /**
   * For one cluster.
   *
   * @param heapShare the share of the server in a pod; called once for each process
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
        shares.computeIfAbsent(
            server, name -> new Share(Instant.now(), heapShare.applyAsDouble(pod)));
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
