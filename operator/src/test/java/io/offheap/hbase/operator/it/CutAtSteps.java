package io.offheap.hbase.operator.it;

import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.Interceptor;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.HBaseClusterStatus;
import io.offheap.hbase.operator.api.RolloutStatus;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Refuses all writes of an operator after the first status with a new step of a rollout: for the
 * API server, the operator was killed directly after that step.
 */
final class CutAtSteps {
  private final Set<String> steps = new TreeSet<>();
  private boolean isCut;

  /** Adds it to a client as interceptor. */
  void guard(HttpClient.Builder http) {
    http.addOrReplaceInterceptor("cut", new Guard());
  }

  /** The steps at which an operator was cut off. */
  synchronized Set<String> steps() {
    return Set.copyOf(steps);
  }

  synchronized boolean isCut() {
    return isCut;
  }

  /** Permits writes of the next operator, after the previous one was closed. */
  synchronized void mend() {
    isCut = false;
  }

  private synchronized void assertMayWrite() {
    if (isCut) {
      throw new IllegalStateException("cut off behind a step");
    }
  }

  private synchronized void written(HBaseClusterStatus status) {
    isCut |= steps.addAll(steps(status.rollout()));
  }

  private static Set<String> steps(RolloutStatus rollout) {
    var steps = new TreeSet<String>();
    if (rollout == null) {
      return steps;
    }
    rollout.servers().forEach(it -> steps.add(it.pod() + " " + it.step()));
    if (rollout.master() != null) {
      steps.add(rollout.master().pod());
    }
    if (rollout.canary() != null) {
      steps.add(rollout.canary().pod() + " CANARY");
    }
    return steps;
  }

  private final class Guard implements Interceptor {
    @Override
    public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
      if (!request.method().equals("GET")) {
        assertMayWrite();
      }
    }

    @Override
    public void after(
        HttpRequest request,
        HttpResponse<?> response,
        AsyncBody.Consumer<List<ByteBuffer>> consumer) {
      if (request.method().equals("PATCH")
          && request.uri().getPath().endsWith("/status")
          && request.uri().getPath().contains("/hbaseclusters/")
          && response.isSuccessful()) {
        var cluster = Serialization.unmarshal(request.bodyString(), HBaseCluster.class);
        written(cluster.getStatus());
      }
    }
  }
}
