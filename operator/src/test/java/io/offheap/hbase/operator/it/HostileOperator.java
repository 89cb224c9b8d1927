package io.offheap.hbase.operator.it;

import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.boot.OperatorProcess;
import io.offheap.hbase.operator.boot.OperatorSettings;
import io.offheap.hbase.operator.deploy.KeptFields;
import io.offheap.hbase.operator.hbase.ClusterControl;
import io.offheap.hbase.operator.hbase.HBaseAccess;
import io.offheap.hbase.operator.hbase.ServerHistory;
import io.offheap.hbase.operator.rollout.HBaseCommand;
import io.offheap.hbase.operator.rollout.HBaseView;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The whole operator in a process of its own. It polls all clusters over the network, as in
 * production: they share its connections, lookups and budgets. The others' servers only respond;
 * what a rollout does to them is done to models in this process.
 */
final class HostileOperator {
  /** The names of hostile clusters begin with it. */
  static final String HOSTILE = "hostile";

  private HostileOperator() {}

  public static void main(String[] arguments) throws IOException, InterruptedException {
    var client =
        new KubernetesClientBuilder()
            .withKubernetesSerialization(KeptFields.serialization())
            .build();
    var models = new ModelHBases(client);
    OperatorProcess.start(
        OperatorSettings.of(System.getenv()), client, context -> access(context, models));
    new CountDownLatch(1).await();
  }

  private static HBaseAccess access(EventSourceContext<HBaseCluster> context, ModelHBases models) {
    var network = HBaseAccess.of(context, () -> {}, new ServerHistory());
    var model = models.access();
    return new HBaseAccess(
        Stream.<List<EventSource<?, HBaseCluster>>>of(network.sources(), model.sources())
            .flatMap(List::stream)
            .toList(),
        new Either(network.control(), model.control()),
        either(network.samples(), model.samples()),
        either(network.readings(), model.readings()),
        id -> (isHostile(id) ? network : model).readSoon().accept(id),
        (id, wanted) ->
            isHostile(id)
                ? network.revisions().inForce(id, wanted)
                : model.revisions().inForce(id, wanted),
        either(network.problems(), model.problems()));
  }

  private static boolean isHostile(ResourceID id) {
    return id.getName().startsWith(HOSTILE);
  }

  private static <T> Function<ResourceID, T> either(
      Function<ResourceID, T> network, Function<ResourceID, T> model) {
    return id -> isHostile(id) ? network.apply(id) : model.apply(id);
  }

  private record Either(ClusterControl network, ClusterControl model) implements ClusterControl {
    private ClusterControl of(ResourceID id) {
      return isHostile(id) ? network : model;
    }

    /**
     * A model's view is as old as the last one that the neighbour's server has sent: without one,
     * or with a late one, its rollout waits as in production.
     */
    @Override
    public Optional<HBaseView> view(ResourceID id) {
      var seen = network.view(id);
      return isHostile(id)
          ? seen
          : seen.flatMap(last -> model.view(id).map(it -> it.at(last.requestedAt())));
    }

    @Override
    public void send(ResourceID id, List<HBaseCommand> commands) {
      of(id).send(id, commands);
    }

    @Override
    public Map<HBaseCommand, String> refusals(ResourceID id) {
      return of(id).refusals(id);
    }

    @Override
    public Set<HBaseCommand> denied(ResourceID id) {
      return of(id).denied(id);
    }

    @Override
    public Optional<Instant> settledAt(ResourceID id) {
      return of(id).settledAt(id);
    }
  }
}
