package io.offheap.hbase.operator.api;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;

/**
 * A spec in status: one text of JSON, so that {@code kubectl describe} does not print each spec
 * three times, field by field.
 *
 * <p>The image is beside the text, as fields: the policy of the chart's {@code allowedImages}
 * compares it, and cannot parse a text. An image in the text is ignored.
 */
public final class SpecText {
  /**
   * Attribute of a mapper for which a spec that cannot be read is an error. For all others it is no
   * spec: the operator lists all resources at once, and one of them must not make the list
   * unreadable.
   */
  public static final String STRICT = "spec-text-strict";

  private static final JsonMapper JSON = JsonMapper.builder().build();

  private static final String IMAGE = "image";
  private static final String TEXT = "json";

  private SpecText() {}

  /** Writes a spec. */
  static final class Writer extends JsonSerializer<HBaseClusterSpec> {
    @Override
    public void serialize(HBaseClusterSpec spec, JsonGenerator out, SerializerProvider provider)
        throws IOException {
      ObjectNode fields = JSON.valueToTree(spec);
      var image = fields.remove(IMAGE);
      out.writeStartObject();
      if (image != null && !image.isNull()) {
        provider.defaultSerializeField(IMAGE, spec.image(), out);
      }
      out.writeStringField(TEXT, JSON.writeValueAsString(fields));
      out.writeEndObject();
    }
  }

  /**
   * Reads a spec, also one that an earlier version wrote field by field. What cannot be read, such
   * as a field of another type than in this version, gives no spec.
   */
  static final class Reader extends JsonDeserializer<HBaseClusterSpec> {
    @Override
    public HBaseClusterSpec deserialize(JsonParser in, DeserializationContext context)
        throws IOException {
      JsonNode kept = in.readValueAsTree();
      try {
        var spec = kept.path(TEXT).isTextual() ? spec(in, kept) : kept;
        if (spec instanceof ObjectNode fields) {
          FormerNames.replaceIn(fields);
        }
        return in.getCodec().treeToValue(spec, HBaseClusterSpec.class);
      } catch (JsonProcessingException e) {
        if (context.getAttribute(STRICT) != null) {
          throw e;
        }
        return null;
      }
    }

    /** The spec of a text, with the image beside it. */
    private static JsonNode spec(JsonParser in, JsonNode kept) throws JsonProcessingException {
      if (JSON.readTree(kept.path(TEXT).textValue()) instanceof ObjectNode fields) {
        fields.remove(IMAGE);
        if (kept.hasNonNull(IMAGE)) {
          fields.set(IMAGE, kept.get(IMAGE));
        }
        return fields;
      }
      throw JsonMappingException.from(in, "a spec is no object");
    }
  }
}
