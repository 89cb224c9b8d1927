package io.offheap.hbase.operator.deploy;

import io.fabric8.kubernetes.api.model.SecurityContext;
import io.fabric8.kubernetes.api.model.SecurityContextBuilder;

/** What each container has that the operator makes. */
final class ContainerDefaults {
  private ContainerDefaults() {}

  static String pullPolicy(ClusterModel model) {
    return model.image().pullPolicy().orElse("IfNotPresent");
  }

  static SecurityContext noPrivilege() {
    return new SecurityContextBuilder()
        .withAllowPrivilegeEscalation(false)
        .withReadOnlyRootFilesystem(true)
        .withNewCapabilities()
        .withDrop("ALL")
        .endCapabilities()
        .build();
  }
}
