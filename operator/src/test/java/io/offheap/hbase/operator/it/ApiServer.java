package io.offheap.hbase.operator.it;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fabric8.kubeapitest.KubeAPIServer;
import io.fabric8.kubeapitest.KubeAPIServerConfigBuilder;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.offheap.hbase.operator.deploy.KeptFields;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * A real etcd and kube-apiserver, started once for all tests of a run, except those that need their
 * own. The operator under test uses a service account with exactly the chart's rights, so that the
 * audit log distinguishes its writes from the tests'.
 */
public final class ApiServer implements ParameterResolver {
  static final ServiceAccount OPERATOR =
      new ServiceAccount("operator-under-test", "operator-under-test");

  private static final ExtensionContext.Namespace STORE =
      ExtensionContext.Namespace.create(ApiServer.class);

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == Running.class;
  }

  @Override
  public Running resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return context
        .getRoot()
        .getStore(STORE)
        .getOrComputeIfAbsent("server", key -> Running.start(), Running.class);
  }

  /** Starts an API server for one test only. */
  static Running startAnother() {
    return Running.start();
  }

  /** The running server. */
  public static final class Running implements AutoCloseable {
    private final KubeAPIServer server;
    private final KubernetesClient client;
    private final AuditFile auditFile;
    private final Path kubeConfigFile;

    private Running(KubeAPIServer server, Path home) throws IOException {
      this.server = server;
      this.auditFile = new AuditFile(auditFile(home));
      this.kubeConfigFile =
          Files.writeString(home.resolve("kubeconfig"), server.getKubeConfigYaml());
      this.client = new KubernetesClientBuilder().withConfig(config()).build();
    }

    private static Running start() {
      Awaitility.setDefaultConditionEvaluationListener(new TimeoutThreads());
      try {
        var home = Files.createTempDirectory("api-server");
        var binaries = Path.of(ClusterScript.run("api-binaries"));
        Files.createSymbolicLink(home.resolve("k8s"), binaries.resolve("k8s"));
        var server =
            new KubeAPIServer(
                KubeAPIServerConfigBuilder.anAPIServerConfig()
                    .withTestDir(home.toString())
                    .withOfflineMode(true)
                    .withStartupTimeout(120_000)
                    .withApiServerFlag("--audit-policy-file", resource("audit-policy.yaml"))
                    .withApiServerFlag("--audit-log-path", auditFile(home).toString())
                    .build());
        server.start();
        var running = new Running(server, home);
        running.prepare();
        return running;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private static Path auditFile(Path home) {
      return home.resolve("audit.log");
    }

    private static String resource(String name) {
      URL url = ApiServer.class.getResource("/api-server/" + name);
      return Path.of(url.getPath()).toString();
    }

    private void prepare() throws IOException {
      try (var crd = Files.newInputStream(crd())) {
        client.load(crd).serverSideApply();
      }
      client
          .apiextensions()
          .v1()
          .customResourceDefinitions()
          .withName("hbaseclusters.hbase.offheap.io")
          .waitUntilCondition(
              it ->
                  it != null
                      && it.getStatus() != null
                      && it.getStatus().getConditions() != null
                      && it.getStatus().getConditions().stream()
                          .anyMatch(
                              condition ->
                                  condition.getType().equals("Established")
                                      && condition.getStatus().equals("True")),
              30,
              TimeUnit.SECONDS);
      createNamespace(OPERATOR.namespace());
      var rights = Chart.render(this, OPERATOR, "--show-only", "templates/rbac.yaml");
      client.load(new ByteArrayInputStream(rights.getBytes(UTF_8))).serverSideApply();
    }

    private static Path crd() {
      return Path.of("..", "crds", "hbaseclusters.hbase.offheap.io-v1.yml");
    }

    /** The tests' own client, with an administrator's rights. */
    public KubernetesClient client() {
      return client;
    }

    /** A client for the operator under test; closed with the operator. */
    KubernetesClient operatorClient() {
      return clientOf(OPERATOR);
    }

    /** The same, with an interceptor. */
    KubernetesClient operatorClient(Consumer<HttpClient.Builder> between) {
      return clientOf(OPERATOR, between);
    }

    /** A client with the rights of a service account. */
    KubernetesClient clientOf(ServiceAccount account) {
      return clientOf(account, http -> {});
    }

    private KubernetesClient clientOf(
        ServiceAccount account, Consumer<HttpClient.Builder> between) {
      var config =
          new ConfigBuilder(config())
              .withImpersonateUsername(account.user())
              .withImpersonateGroups(account.groups())
              .build();
      return new KubernetesClientBuilder()
          .withConfig(config)
          .withKubernetesSerialization(KeptFields.serialization())
          .withHttpClientBuilderConsumer(between)
          .build();
    }

    /** The kubeconfig of an administrator, for the real kubectl and helm. */
    Path kubeConfigFile() {
      return kubeConfigFile;
    }

    /** The requests of the operator under test. */
    AuditLog auditLog() {
      return auditLog(OPERATOR);
    }

    /** The requests of a service account. */
    AuditLog auditLog(ServiceAccount account) {
      return new AuditLog(auditFile, account.user());
    }

    /** Creates a namespace that is named after a test, and returns its name. */
    String createNamespace(TestInfo test) {
      var name =
          test.getTestClass().orElseThrow().getSimpleName()
              + "-"
              + test.getTestMethod().orElseThrow().getName();
      // In a host name, the names of pods and services come before it. The hash keeps apart tests
      // whose names begin alike.
      var namespace =
          (name.length() <= 45
                  ? name
                  : name.substring(0, 36) + "-" + Integer.toHexString(name.hashCode()))
              .toLowerCase(Locale.ROOT);
      createNamespace(namespace);
      return namespace;
    }

    /** Creates a namespace. */
    void createNamespace(String name) {
      client
          .resource(
              new NamespaceBuilder()
                  .withMetadata(new ObjectMetaBuilder().withName(name).build())
                  .build())
          .create();
    }

    private Config config() {
      return Config.fromKubeconfig(server.getKubeConfigYaml());
    }

    @Override
    public void close() {
      client.close();
      server.stop();
    }
  }
}
