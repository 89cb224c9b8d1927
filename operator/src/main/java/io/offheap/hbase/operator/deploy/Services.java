package io.offheap.hbase.operator.deploy;

import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.ServicePort;
import io.fabric8.kubernetes.api.model.ServicePortBuilder;
import io.javaoperatorsdk.operator.api.config.informer.Informer;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.processing.dependent.kubernetes.KubernetesDependent;
import io.offheap.hbase.operator.api.HBaseCluster;
import java.util.List;
import java.util.stream.Stream;

/**
 * A headless service for each role, which gives each pod its DNS name, and one for each role whose
 * pages are declared.
 */
@KubernetesDependent(
    informer =
        @Informer(labelSelector = Labels.MANAGED_SELECTOR, informerListLimit = InformerLists.PAGE))
public class Services extends ManagedResource<Service> {
  /** Made by JOSDK. */
  public Services() {
    super(Service.class);
  }

  @Override
  List<Service> desired(ClusterModel model) {
    return Stream.concat(
            model.roles().stream().map(role -> service(model, role)),
            WebPages.of(model.cluster()).stream().map(pages -> service(model, pages)))
        .toList();
  }

  /** Terminating pods still need their DNS names. */
  @Override
  boolean isDisposable(Service service, ClusterModel model, Context<HBaseCluster> context) {
    return hasNoPod(service.getMetadata().getName(), context);
  }

  private static Service service(ClusterModel model, RoleModel role) {
    return new ServiceBuilder()
        .withMetadata(metadata(model, role.name(), role.labels()))
        .withNewSpec()
        .withType("ClusterIP")
        .withClusterIP("None")
        // Servers must resolve each other's names to become ready.
        .withPublishNotReadyAddresses(true)
        .withSelector(role.labels())
        .withPorts(role.role().ports().stream().map(Services::port).toList())
        .endSpec()
        .build();
  }

  /** One browser stays with one server: each shows itself. */
  private static Service service(ClusterModel model, WebPages pages) {
    var labels = Labels.of(model.cluster(), pages.role());
    return new ServiceBuilder()
        .withMetadata(metadata(model, pages.service(), labels))
        .withNewSpec()
        .withType("ClusterIP")
        .withSessionAffinity("ClientIP")
        .withSelector(labels)
        .withPorts(port(new Role.Port("http", pages.port())))
        .endSpec()
        .build();
  }

  private static ServicePort port(Role.Port port) {
    return new ServicePortBuilder()
        .withName(port.name())
        .withPort(port.number())
        .withProtocol("TCP")
        .withNewTargetPort(port.name())
        .build();
  }
}
