package io.offheap.hbase.operator.api;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
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
final class SpecText {
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
   * Reads a spec, also one that an earlier version wrote field by field. An invalid text gives no
   * spec: it must not make the resource unreadable.
   */
  static final class Reader extends JsonDeserializer<HBaseClusterSpec> {
    @Override
    public HBaseClusterSpec deserialize(JsonParser in, DeserializationContext context)
        throws IOException {
      JsonNode kept = in.readValueAsTree();
      var text = kept.path(TEXT);
      var spec = text.isTextual() ? spec(text.textValue(), kept) : kept;
      if (spec instanceof ObjectNode fields) {
        FormerNames.replaceIn(fields);
      }
      return in.getCodec().treeToValue(spec, HBaseClusterSpec.class);
    }

    /** The spec of a text; null for an invalid text. */
    private static JsonNode spec(String text, JsonNode kept) {
      try {
        if (JSON.readTree(text) instanceof ObjectNode fields) {
          fields.remove(IMAGE);
          if (kept.hasNonNull(IMAGE)) {
            fields.set(IMAGE, kept.get(IMAGE));
          }
          return fields;
        }
        return null;
      } catch (JsonProcessingException e) {
        return null;
      }
    }
  }
}
