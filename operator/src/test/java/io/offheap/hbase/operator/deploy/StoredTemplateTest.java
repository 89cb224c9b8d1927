package io.offheap.hbase.operator.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.utils.Serialization;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The forms are those of Kubernetes' {@code resource.Quantity}. */
class StoredTemplateTest {
  @ParameterizedTest
  @CsvSource({
    "1Gi, 1Gi",
    "1024Mi, 1Gi",
    "0.5Gi, 512Mi",
    "1536Mi, 1536Mi",
    "10485760000, 10485760k",
    "9663676416, 9663676416",
    "1000m, 1",
    "0.1, 100m",
    "0.5Ki, 512",
    "1023, 1023",
    "1.5, 1500m",
    "0, 0",
    "0Mi, 0",
    "1e3, 1e3",
  })
  void quantityIsInCanonicalForm(String declared, String stored) {
    assertThat(StoredTemplate.shortest(new Quantity(declared)).toString()).isEqualTo(stored);
  }

  @Test
  void normalizesVolumesAndVariables() {
    // As texts: quantities of different forms are equal.
    assertThat(
            Serialization.asYaml(
                StoredTemplate.of(
                    template(
                        """
                        spec:
                          containers:
                            - name: a
                              env:
                                - {name: IP, valueFrom: {fieldRef: {fieldPath: status.podIP}}}
                                - {name: CPU, valueFrom: {resourceFieldRef: {resource: limits.cpu}}}
                                - {name: A, value: b}
                          initContainers:
                            - name: b
                              env:
                                - {name: IP, valueFrom: {fieldRef: {fieldPath: status.podIP}}}
                          volumes:
                            - {name: c, emptyDir: {sizeLimit: 1024Mi}}
                            - {name: d, emptyDir: {}}
                            - {name: e, ephemeral: {volumeClaimTemplate: {spec: {resources: {requests: {storage: 1024Gi}}}}}}
                            - {name: f, downwardAPI: {items: [{path: g, fieldRef: {fieldPath: metadata.name}}]}}
                            - name: h
                              projected:
                                sources:
                                  - serviceAccountToken: {path: i}
                                  - downwardAPI: {items: [{path: j, resourceFieldRef: {resource: limits.cpu, divisor: 1000m}}]}
                        """))))
        .isEqualTo(
            Serialization.asYaml(
                template(
                    """
                    spec:
                      containers:
                        - name: a
                          env:
                            - {name: IP, valueFrom: {fieldRef: {apiVersion: v1, fieldPath: status.podIP}}}
                            - {name: CPU, valueFrom: {resourceFieldRef: {resource: limits.cpu, divisor: "0"}}}
                            - {name: A, value: b}
                      initContainers:
                        - name: b
                          env:
                            - {name: IP, valueFrom: {fieldRef: {apiVersion: v1, fieldPath: status.podIP}}}
                      volumes:
                        - {name: c, emptyDir: {sizeLimit: 1Gi}}
                        - {name: d, emptyDir: {}}
                        - {name: e, ephemeral: {volumeClaimTemplate: {spec: {resources: {requests: {storage: 1Ti}}}}}}
                        - {name: f, downwardAPI: {items: [{path: g, fieldRef: {apiVersion: v1, fieldPath: metadata.name}}]}}
                        - name: h
                          projected:
                            sources:
                              - serviceAccountToken: {path: i, expirationSeconds: 3600}
                              - downwardAPI: {items: [{path: j, resourceFieldRef: {resource: limits.cpu, divisor: "1"}}]}
                    """)));
  }

  private static PodTemplateSpec template(String yaml) {
    return Serialization.unmarshal("---\n" + yaml, PodTemplateSpec.class);
  }
}
