package io.offheap.hbase.operator.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.offheap.hbase.operator.api.HBaseCluster;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * An API server with the chart's policy on images, and with clusters that are older than the
 * policy. It is not that of the other tests: the policy is for all namespaces.
 */
public final class ImagesPolicy implements ParameterResolver {
  static final String DIGEST = "sha256:" + "0".repeat(64);
  static final String ANOTHER_DIGEST = "sha256:" + "1".repeat(64);
  static final String DEFAULT = "hbase-offheap/hbase:0.1.0";

  private static final String NAMESPACE = "allowed-images";
  private static final ExtensionContext.Namespace STORE =
      ExtensionContext.Namespace.create(ImagesPolicy.class);

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == Installed.class;
  }

  @Override
  public Installed resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return context
        .getRoot()
        .getStore(STORE)
        .getOrComputeIfAbsent("policy", key -> Installed.start(), Installed.class);
  }

  /** The API server, once the policy is in force. */
  public static final class Installed implements AutoCloseable {
    private final ApiServer.Running server;

    private Installed(ApiServer.Running server) {
      this.server = server;
    }

    private static Installed start() {
      try {
        var server = ApiServer.startAnother();
        server.createNamespace(NAMESPACE);
        var installed = new Installed(server);
        installed.createClusters();
        var policy =
            Chart.render(
                server,
                ApiServer.OPERATOR,
                "--show-only",
                "templates/allowedimages.yaml",
                "--set-json",
                "allowedImages=[\"a/b\",\"c\"]");
        server.client().load(new ByteArrayInputStream(policy.getBytes(UTF_8))).serverSideApply();
        await("the policy is in force").atMost(Duration.ofSeconds(60)).until(installed::isInForce);
        return installed;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    /** With images that the policy does not list. */
    private void createClusters() {
      create("running", "{repository: old/hbase, tag: '1'}");
      create("untagged", "{repository: old/hbase}");
      patchStatus("running", status("old/hbase:1", "old/hbase", "1"));
      create("default", "{}");
      create("older", "{}");
      patchStatus("older", status("older/hbase:1", "older/hbase", "1"));
      create("moved", "{repository: a/b, tag: '2'}");
      patchStatus("moved", images(DEFAULT, "old/hbase:1"));
      create("swapped", "{repository: old/hbase, tag: '1'}");
      patchStatus("swapped", images(DEFAULT, "old/hbase:1"));
      patchStatus("swapped", image("zookeeper", "old/hbase:2"));
      patchStatus("swapped", image("hdfs", "old/hbase:3"));
      create("blank", "{repository: old/hbase, tag: '1'}");
      patch("blank", ofZooKeeper("{\"tag\":\"2\"}"));
      create("port", "{repository: 'reg:5000/hbase', tag: '1', digest: '" + DIGEST + "'}");
      patch("port", ofHdfs("{\"tag\":\"2\"}"));
      create("older-port", "{}");
      patchStatus("older-port", images("reg:5000/hbase@" + DIGEST, "reg:5000/hbase@" + DIGEST));
      patch("older-port", ofHdfs("{\"tag\":\"2\",\"digest\":\"" + ANOTHER_DIGEST + "\"}"));
      create("renewed", "{repository: old/hbase, tag: '1'}");
      patchStatus("renewed", images(DEFAULT, "old/hbase:0"));
      patch("renewed", ofZooKeeper("{\"tag\":\"bad\"}"));
      patchStatus("renewed", image("zookeeper", "old/hbase:bad"));
      create("empty", "{}");
      // Its pods have served with 2, and no operator has written that.
      create("forgotten", "{repository: old/hbase, tag: '1'}");
      patchStatus("forgotten", status("old/hbase:1", "old/hbase", "1"));
      patch("forgotten", ofZooKeeper("{\"tag\":\"2\"}"));
    }

    private boolean isInForce() {
      try {
        server.client().resource(cluster("probe", "{repository: old/hbase}")).dryRun().create();
        return false;
      } catch (KubernetesClientException e) {
        return true;
      }
    }

    /** Creates a cluster with an image. */
    void create(String name, String image) {
      create(cluster(name, image));
    }

    /** Creates a cluster, and returns what the API server stores. */
    HBaseCluster create(HBaseCluster cluster) {
      return server.client().resource(cluster).create();
    }

    /** Writes a part of a resource, as its author does. */
    void patch(String name, String merge) {
      resource(name).patch(PatchContext.of(PatchType.JSON_MERGE), merge);
    }

    /** Writes a part of a status, as one does who may write status alone. */
    void patchStatus(String name, String merge) {
      patchStatus(resource(name), merge);
    }

    /** Writes a part of a status, as the operator does. */
    void patchStatusAsOperator(String name, String merge) {
      try (var client = server.operatorClient()) {
        patchStatus(resource(client, name), merge);
      }
    }

    private static void patchStatus(Resource<HBaseCluster> cluster, String merge) {
      cluster.subresource("status").patch(PatchContext.of(PatchType.JSON_MERGE), merge);
    }

    private Resource<HBaseCluster> resource(String name) {
      return resource(server.client(), name);
    }

    private static Resource<HBaseCluster> resource(KubernetesClient client, String name) {
      return client.resources(HBaseCluster.class).inNamespace(NAMESPACE).withName(name);
    }

    @Override
    public void close() {
      server.close();
    }
  }

  static HBaseCluster cluster(String name, String image) {
    return Clusters.parse(
        Clusters.SMALLEST.replace("spec:", "spec:\n  image: " + image), NAMESPACE, name);
  }

  /** A status of the operator's form, with a last good spec. */
  static String status(String image, String repository, String tag) {
    return """
    {"status": {"images": {"defaultImage": "%1$s", "infrastructure": "%1$s"},
     "appliedSpec": {"image": {"repository": "%2$s", "tag": "%3$s"}},
     "lastGood": {"spec": {"image": {"repository": "%2$s", "tag": "%3$s"}}}}}
    """
        .formatted(image, repository, tag);
  }

  /** The images that status has once the operator has read a cluster. */
  static String images(String defaultImage, String infrastructure) {
    return "{\"status\":{\"images\":{\"defaultImage\":\"%s\",\"infrastructure\":\"%s\"}}}"
        .formatted(defaultImage, infrastructure);
  }

  /** One image of status. */
  static String image(String field, String image) {
    return "{\"status\":{\"images\":{\"%s\":\"%s\"}}}".formatted(field, image);
  }

  static String ofZooKeeper(String image) {
    return "{\"spec\":{\"zookeeper\":{\"managed\":{\"image\":%s}}}}".formatted(image);
  }

  static String ofHdfs(String image) {
    return "{\"spec\":{\"storage\":{\"managed\":{\"image\":%s}}}}".formatted(image);
  }
}
