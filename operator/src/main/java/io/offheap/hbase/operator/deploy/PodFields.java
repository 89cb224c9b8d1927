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
 * Limits the fields of pods and plan maps that the informers keep in memory, since they keep those
 * of all clusters. The operator never writes a pod; it reads a pod's metadata, its status and the
 * config maps that it mounts. All other fields are dropped while they are parsed.
 */
public final class PodFields {
  /** The API server's limit of levels in an object, managed fields included. */
  private static final int API_SERVER_LEVELS = 10_000;

  /** A request, and thus a key of a map, may have 3 MiB. */
  private static final int API_SERVER_NAME = 4 << 20;

  private PodFields() {}

  /**
   * The mapper of the operator's client. It must parse every object that the API server accepts:
   * one resource that cannot be parsed fails the list of all clusters. Pod templates are limited
   * where they are parsed.
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

  /** For the operator's own resource: managed fields nest as deep as the fields. */
  @SuppressWarnings("UnusedVariable")
  private abstract static class OwnRead {
    @JsonDeserialize(converter = Managers.class)
    private ObjectMeta metadata;
  }

  /** For {@link Pod}; Jackson reads the annotations. */
  @SuppressWarnings("UnusedVariable")
  private abstract static class Read {
    @JsonDeserialize(converter = Metadata.class)
    private ObjectMeta metadata;

    @JsonDeserialize(converter = Volumes.class)
    private PodSpec spec;
  }

  /** For {@link ConfigMap}; Jackson reads the annotations. */
  @SuppressWarnings("UnusedVariable")
  private abstract static class ReadConfigMap {
    @JsonDeserialize(converter = PlanMap.Digests.class)
    private Map<String, String> data;
  }

  /** Drops managed fields. */
  static final class Metadata extends StdConverter<ObjectMeta, ObjectMeta> {
    @Override
    public ObjectMeta convert(ObjectMeta read) {
      read.setManagedFields(List.of());
      return read;
    }
  }

  /** Keeps of managed fields who wrote to the status and when, without the fields. */
  static final class Managers extends StdConverter<ObjectMeta, ObjectMeta> {
    @Override
    public ObjectMeta convert(ObjectMeta read) {
      read.setManagedFields(
          read.getManagedFields().stream()
              .filter(it -> "status".equals(it.getSubresource()))
              .map(it -> it.edit().withFieldsV1(null).build())
              .toList());
      return read;
    }
  }

  /** Keeps only projected volumes. */
  static final class Volumes extends StdConverter<PodSpec, PodSpec> {
    @Override
    public PodSpec convert(PodSpec read) {
      var kept = new PodSpec();
      kept.setVolumes(read.getVolumes().stream().filter(it -> it.getProjected() != null).toList());
      return kept;
    }
  }
}
