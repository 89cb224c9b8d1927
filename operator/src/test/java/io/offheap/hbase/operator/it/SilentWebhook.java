package io.offheap.hbase.operator.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhookConfigurationBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A webhook that the pods of one namespace pass through, and that never responds. */
final class SilentWebhook implements AutoCloseable {
  private static final int TIMEOUT_SECONDS = 30;

  private final KubernetesClient client;
  private final ServerSocket socket;
  private final List<Socket> calls = new CopyOnWriteArrayList<>();
  private final ValidatingWebhookConfiguration configuration;

  private SilentWebhook(KubernetesClient client, String namespace) throws IOException {
    this.client = client;
    socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    var thread = new Thread(this::accept, "silent-webhook");
    thread.setDaemon(true);
    thread.start();
    configuration =
        client
            .resource(
                new ValidatingWebhookConfigurationBuilder()
                    .withNewMetadata()
                    .withName("silent-" + namespace)
                    .endMetadata()
                    .addNewWebhook()
                    .withName("silent.example.com")
                    .withAdmissionReviewVersions("v1")
                    .withSideEffects("None")
                    .withFailurePolicy("Ignore")
                    .withTimeoutSeconds(TIMEOUT_SECONDS)
                    .withNewNamespaceSelector()
                    .addToMatchLabels("kubernetes.io/metadata.name", namespace)
                    .endNamespaceSelector()
                    .addNewRule()
                    .withApiGroups("")
                    .withApiVersions("v1")
                    .withOperations("CREATE")
                    .withResources("pods")
                    .endRule()
                    .withNewClientConfig()
                    .withUrl("https://127.0.0.1:" + socket.getLocalPort())
                    .endClientConfig()
                    .endWebhook()
                    .build())
            .create();
  }

  static SilentWebhook start(KubernetesClient client, String namespace) throws IOException {
    return new SilentWebhook(client, namespace);
  }

  /** How often it was called. */
  int calls() {
    return calls.size();
  }

  private void accept() {
    try {
      while (true) {
        calls.add(socket.accept());
      }
    } catch (IOException closed) {
      calls.forEach(SilentWebhook::close);
    }
  }

  private static void close(Closeable connection) {
    try {
      connection.close();
    } catch (IOException e) {
      assertThat(e).as("nothing more is to be done").isNotNull();
    }
  }

  @Override
  public void close() {
    client.resource(configuration).delete();
    close(socket);
  }
}
