package io.offheap.hbase.operator.deploy;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import com.fasterxml.jackson.databind.util.StdConverter;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.client.CustomResource;
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
  /** The API server reads no object that has more levels, in its fields or in who set them. */
  private static final int API_SERVER_LEVELS = 10_000;

  /** A request may have 3 MiB, and a key of a map as many. */
  private static final int API_SERVER_NAME = 4 << 20;

  private PodFields() {}

  /**
   * For the operator's client. It reads whatever the API server took: a resource that it could not
   * read would be missing from the lists of all clusters, and its author would have stopped the
   * operator. What a pod template may have is bounded where it is read.
   */
  public static KubernetesSerialization serialization() {
    var everything =
        StreamReadConstraints.builder()
            .maxNestingDepth(2 * API_SERVER_LEVELS)
            .maxNameLength(API_SERVER_NAME)
            .build();
    var mapper =
        new ObjectMapper(JsonFactory.builder().streamReadConstraints(everything).build())
            .addMixIn(Pod.class, Read.class)
            .addMixIn(ConfigMap.class, ReadConfigMap.class)
            .addMixIn(CustomResource.class, OwnRead.class);
    return new KubernetesSerialization(mapper, true);
  }

  /** Of the operator's own resource: who set its fields nests as deep as they do. */
  @SuppressWarnings("UnusedVariable")
  private abstract static class OwnRead {
    @JsonDeserialize(converter = Metadata.class)
    private ObjectMeta metadata;
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
