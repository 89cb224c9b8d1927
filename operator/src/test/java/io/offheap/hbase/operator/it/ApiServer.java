package io.offheap.hbase.operator.it;

import io.fabric8.kubeapitest.KubeAPIServer;
import io.fabric8.kubeapitest.KubeAPIServerConfigBuilder;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBindingBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * A real etcd and kube-apiserver, started once for all tests of a run. The operator under test
 * speaks as a user of its own, so that the audit log tells its writes from the tests'.
 */
public final class ApiServer implements ParameterResolver {
  private static final String OPERATOR_USER = "operator-under-test";
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

  /** The server that runs. */
  public static final class Running implements ExtensionContext.Store.CloseableResource {
    private final KubeAPIServer server;
    private final KubernetesClient client;
    private final AuditLog auditLog;

    private Running(KubeAPIServer server, AuditLog auditLog) {
      this.server = server;
      this.auditLog = auditLog;
      this.client = new KubernetesClientBuilder().withConfig(config()).build();
    }

    private static Running start() {
      try {
        var home = Files.createTempDirectory("api-server");
        var binaries = Path.of(ClusterScript.run("api-binaries"));
        Files.createSymbolicLink(home.resolve("k8s"), binaries.resolve("k8s"));
        var audit = home.resolve("audit.log");
        var server =
            new KubeAPIServer(
                KubeAPIServerConfigBuilder.anAPIServerConfig()
                    .withTestDir(home.toString())
                    .withOfflineMode(true)
                    .withStartupTimeout(120_000)
                    .withApiServerFlag("--audit-policy-file", resource("audit-policy.yaml"))
                    .withApiServerFlag("--audit-log-path", audit.toString())
                    .build());
        server.start();
        var running = new Running(server, new AuditLog(audit, OPERATOR_USER));
        running.prepare();
        return running;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
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
                      && it.getStatus().getConditions().stream()
                          .anyMatch(
                              condition ->
                                  condition.getType().equals("Established")
                                      && condition.getStatus().equals("True")),
              30,
              TimeUnit.SECONDS);
      client
          .resource(
              new ClusterRoleBindingBuilder()
                  .withMetadata(new ObjectMetaBuilder().withName(OPERATOR_USER).build())
                  .withNewRoleRef("rbac.authorization.k8s.io", "ClusterRole", "cluster-admin")
                  .addNewSubject("rbac.authorization.k8s.io", "User", OPERATOR_USER, null)
                  .build())
          .serverSideApply();
    }

    private static Path crd() {
      return Path.of("..", "crds", "hbaseclusters.hbase.offheap.io-v1.yml");
    }

    /** The tests' own client, an administrator. */
    public KubernetesClient client() {
      return client;
    }

    /** A client for the operator under test; closed with the operator. */
    KubernetesClient operatorClient() {
      var config = new ConfigBuilder(config()).withImpersonateUsername(OPERATOR_USER).build();
      return new KubernetesClientBuilder().withConfig(config).build();
    }

    /** The kubeconfig of an administrator, for the real kubectl and helm. */
    String kubeConfig() {
      return server.getKubeConfigYaml();
    }

    AuditLog auditLog() {
      return auditLog;
    }

    /** Makes a namespace. */
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
