package io.offheap.hbase.operator.deploy;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.DeserializationConfig;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.deser.BeanDeserializerModifier;
import com.fasterxml.jackson.databind.deser.std.DelegatingDeserializer;
import com.fasterxml.jackson.databind.module.SimpleModule;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;

/**
 * The mapper of the operator's client. Its informers keep objects of all clusters, and everybody
 * who may write in a watched namespace can give an object their label: what {@link ObjectLimits}
 * does not keep is dropped as soon as an object is parsed.
 */
public final class KeptFields {
  /** The API server's limit of levels in an object, managed fields included. */
  private static final int API_SERVER_LEVELS = 10_000;

  /** A request, and thus a key of a map, may have 3 MiB. */
  private static final int API_SERVER_NAME = 4 << 20;

  private KeptFields() {}

  /**
   * The mapper. It must parse every object that the API server accepts, also with fields of another
   * version of the definition: one resource that cannot be parsed fails the list of all clusters
   * ({@link UnknownFields}, {@link UnreadableValues}). Pod templates are limited where they are
   * parsed.
   */
  public static KubernetesSerialization serialization() {
    var everything =
        StreamReadConstraints.builder()
            .maxNestingDepth(2 * API_SERVER_LEVELS)
            .maxNameLength(API_SERVER_NAME)
            .build();
    var mapper = new ObjectMapper(JsonFactory.builder().streamReadConstraints(everything).build());
    var module = new SimpleModule("kept-fields");
    module.setDeserializerModifier(
        new Limiting(new ObjectLimits(object -> sizeOf(object, mapper)), new UnreadableValues()));
    mapper.registerModule(module);
    mapper.addMixIn(Quantity.class, UnparsedQuantity.class);
    mapper.addHandler(new UnknownFields());
    return new KubernetesSerialization(mapper, true);
  }

  /** Bytes of an object as JSON. */
  private static long sizeOf(HasMetadata object, ObjectMapper mapper) {
    var counted = new Counted();
    try {
      mapper.writeValue(counted, object);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return counted.bytes;
  }

  /** Counts what is written. */
  private static final class Counted extends OutputStream {
    private long bytes;

    @Override
    public void write(int one) {
      bytes++;
    }

    @Override
    public void write(byte[] some, int from, int length) {
      bytes += length;
    }
  }

  /** Adds the limits to the kinds that informers keep. */
  private static final class Limiting extends BeanDeserializerModifier {
    private static final long serialVersionUID = 1L;

    private final transient ObjectLimits limits;
    private final transient UnreadableValues unreadable;

    Limiting(ObjectLimits limits, UnreadableValues unreadable) {
      this.limits = limits;
      this.unreadable = unreadable;
    }

    @Override
    public JsonDeserializer<?> modifyDeserializer(
        DeserializationConfig config, BeanDescription bean, JsonDeserializer<?> whole) {
      if (!ObjectLimits.isLimited(bean.getBeanClass())) {
        return whole;
      }
      var limited = new Limited(whole, limits);
      return CustomResource.class.isAssignableFrom(bean.getBeanClass())
          ? new Lenient(limited, unreadable)
          : limited;
    }
  }

  /** Reads an object, and drops what is not kept. */
  private static final class Limited extends DelegatingDeserializer {
    private static final long serialVersionUID = 1L;

    private final transient ObjectLimits limits;

    Limited(JsonDeserializer<?> whole, ObjectLimits limits) {
      super(whole);
      this.limits = limits;
    }

    @Override
    protected JsonDeserializer<?> newDelegatingInstance(JsonDeserializer<?> whole) {
      return new Limited(whole, limits);
    }

    @Override
    public Object deserialize(JsonParser parser, DeserializationContext context)
        throws IOException {
      var read = super.deserialize(parser, context);
      if (read instanceof HasMetadata object && object.getMetadata() != null) {
        limits.drop(object);
      }
      return read;
    }
  }

  /** Reads a cluster without the values that cannot be read. */
  private static final class Lenient extends DelegatingDeserializer {
    private static final long serialVersionUID = 1L;

    private final transient UnreadableValues unreadable;

    Lenient(JsonDeserializer<?> whole, UnreadableValues unreadable) {
      super(whole);
      this.unreadable = unreadable;
    }

    @Override
    protected JsonDeserializer<?> newDelegatingInstance(JsonDeserializer<?> whole) {
      return new Lenient(whole, unreadable);
    }

    @Override
    public Object deserialize(JsonParser parser, DeserializationContext context)
        throws IOException {
      return unreadable.read(
          context.readTree(parser),
          tree -> {
            try (var again = tree.traverse(parser.getCodec())) {
              again.nextToken();
              return super.deserialize(again, context);
            }
          });
    }
  }
}
