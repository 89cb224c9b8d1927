package io.offheap.hbase.operator.deploy;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import io.fabric8.kubernetes.api.model.Quantity;
import java.io.IOException;

/**
 * Reads a quantity that is none as its text, so that its resource is refused with the name of the
 * field. The API server stores one where the installed definition has neither a rule nor a pattern
 * for it, as earlier ones.
 */
@JsonDeserialize(using = UnparsedQuantity.Reader.class)
interface UnparsedQuantity {
  /** Reads it as the client does, which also reads an object of amount and format. */
  final class Reader extends JsonDeserializer<Quantity> {
    private final Quantity.Deserializer parsed = new Quantity.Deserializer();

    @Override
    public Quantity deserialize(JsonParser parser, DeserializationContext context)
        throws IOException {
      JsonNode node = context.readTree(parser);
      try (var again = node.traverse(parser.getCodec())) {
        again.nextToken();
        return parsed.deserialize(again, context);
      } catch (IllegalArgumentException e) {
        return new Quantity(node.asText(), "");
      }
    }
  }
}
