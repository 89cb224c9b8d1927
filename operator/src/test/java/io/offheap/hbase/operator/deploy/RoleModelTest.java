package io.offheap.hbase.operator.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RoleModelTest {
  /** Java's immutable maps have another order in each process, which must not restart pods. */
  @Test
  void hashIsIndependentOfMapOrder() {
    var one = template("memory", "cpu");
    var other = template("cpu", "memory");

    assertThat(one.toString()).isNotEqualTo(other.toString());
    assertThat(RoleModel.hashOfJson(one)).isEqualTo(RoleModel.hashOfJson(other));
  }

  @Test
  void anotherQuantityChangesHash() {
    var one = template("memory", "cpu");
    var more = template("memory", "cpu");
    more.getSpec().getContainers().get(0).getResources().getRequests().put("cpu", quantity("cpus"));

    assertThat(RoleModel.hashOfJson(one)).isNotEqualTo(RoleModel.hashOfJson(more));
  }

  private static PodTemplateSpec template(String... keys) {
    var labels = new LinkedHashMap<String, String>();
    var requests = new LinkedHashMap<String, Quantity>();
    for (String key : keys) {
      labels.put(key, key);
      requests.put(key, quantity(key));
    }
    return new PodTemplateSpecBuilder()
        .withNewMetadata()
        .withLabels(labels)
        .endMetadata()
        .withNewSpec()
        .addNewContainer()
        .withNewResources()
        .withRequests(requests)
        .withLimits(Map.of())
        .endResources()
        .endContainer()
        .endSpec()
        .build();
  }

  private static Quantity quantity(String of) {
    return new Quantity(Integer.toString(of.length()));
  }
}
