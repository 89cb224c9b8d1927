package io.offheap.hbase.operator.deploy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import com.fasterxml.jackson.databind.util.StdConverter;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.List;
import java.util.Map;

/**
 * What is kept of a pod, and of a config map with plans, that the API server sends. The operator
 * never writes a pod, and reads of it its metadata, its status and which config maps it has
 * mounted. The rest, of which the containers are by far the most, is dropped as it is read: the
 * informers keep all pods and config maps of all clusters.
 */
public final class PodFields {
  private PodFields() {}

  /** For the operator's client. */
  public static KubernetesSerialization serialization() {
    return new KubernetesSerialization(
        new ObjectMapper()
            .addMixIn(Pod.class, Read.class)
            .addMixIn(ConfigMap.class, ReadConfigMap.class),
        true);
  }

  /** Of {@link Pod}; Jackson reads the annotations. */
  @SuppressWarnings("UnusedVariable")
  private abstract static class Read {
    @JsonDeserialize(converter = Metadata.class)
    private ObjectMeta metadata;

    @JsonDeserialize(converter = Volumes.class)
    private PodSpec spec;
  }

  /** Of {@link ConfigMap}; Jackson reads the annotations. */
  @SuppressWarnings("UnusedVariable")
  private abstract static class ReadConfigMap {
    @JsonDeserialize(converter = PlanMap.Digests.class)
    private Map<String, String> data;
  }

  /** Without who set which field. */
  static final class Metadata extends StdConverter<ObjectMeta, ObjectMeta> {
    @Override
    public ObjectMeta convert(ObjectMeta read) {
      read.setManagedFields(List.of());
      return read;
    }
  }

  /** The projected volumes alone. */
  static final class Volumes extends StdConverter<PodSpec, PodSpec> {
    @Override
    public PodSpec convert(PodSpec read) {
      var kept = new PodSpec();
      kept.setVolumes(read.getVolumes().stream().filter(it -> it.getProjected() != null).toList());
      return kept;
    }
  }
}
