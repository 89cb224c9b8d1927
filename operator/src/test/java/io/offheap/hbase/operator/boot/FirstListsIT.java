package io.offheap.hbase.operator.boot;

import static io.offheap.hbase.operator.Waits.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.Interceptor;
import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.deploy.PodSource;
import io.offheap.hbase.operator.it.ApiServer;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The kinds that an operator has not listed yet, against a real API server. */
@ExtendWith(ApiServer.class)
@Tag("verify")
class FirstListsIT {
  private final CountDownLatch clusters = new CountDownLatch(1);
  private final CountDownLatch pods = new CountDownLatch(1);

  @Test
  void missingKindsAreThoseThatAreNotListed(ApiServer.Running server) throws Exception {
    var client =
        new KubernetesClientBuilder()
            .withConfig(server.client().getConfiguration())
            .withHttpClientBuilderConsumer(
                it -> it.addOrReplaceInterceptor("slow", new SlowLists()))
            .build();
    var operator = new Operator(overrider -> overrider.withKubernetesClient(client));
    var health = operator.register(new Listing()).getControllerHealthInfo();
    var starting = new Thread(operator::start, "starting");
    starting.start();
    try {
      assertThat(FirstLists.missing(health)).isEqualTo(Set.of("HBaseCluster"));

      clusters.countDown();
      await("clusters").atMost(LONG).until(() -> FirstLists.missing(health).equals(Set.of("Pod")));

      pods.countDown();
      await("pods").atMost(LONG).until(() -> FirstLists.missing(health).isEmpty());
    } finally {
      clusters.countDown();
      pods.countDown();
      starting.join();
      operator.stop();
    }
  }

  /** Lists pods, and does nothing. */
  private static final class Listing implements Reconciler<HBaseCluster> {
    @Override
    public List<EventSource<?, HBaseCluster>> prepareEventSources(
        EventSourceContext<HBaseCluster> context) {
      return List.of(new PodSource(context));
    }

    @Override
    public UpdateControl<HBaseCluster> reconcile(
        HBaseCluster cluster, Context<HBaseCluster> context) {
      return UpdateControl.noUpdate();
    }
  }

  private final class SlowLists implements Interceptor {
    @Override
    public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
      var path = request.uri().getPath();
      try {
        if (path.endsWith("/hbaseclusters")) {
          clusters.await();
        } else if (path.endsWith("/pods")) {
          pods.await();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
