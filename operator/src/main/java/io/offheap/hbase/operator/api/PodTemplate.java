package io.offheap.hbase.operator.api;

import static java.lang.annotation.ElementType.ANNOTATION_TYPE;
import static java.lang.annotation.ElementType.FIELD;
import static java.lang.annotation.ElementType.METHOD;
import static java.lang.annotation.ElementType.PARAMETER;
import static java.lang.annotation.ElementType.RECORD_COMPONENT;
import static java.lang.annotation.RetentionPolicy.RUNTIME;

import com.fasterxml.jackson.annotation.JacksonAnnotationsInside;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.io.IOException;
import java.lang.annotation.Retention;
import java.lang.annotation.Target;
import java.util.TreeMap;

/**
 * Marks a field that has a part of a Kubernetes pod template as it was declared. The definition
 * keeps every field of it, since the schema of a pod template is larger than that of the whole
 * resource; the operator reads it field by field and refuses what it does not know.
 *
 * <p>The value is always in one form: keys in alphabetical order, and nothing for a {@code null}. A
 * value that is not an object, or that is over a limit, is replaced by a text with the reason: a
 * resource must not make the operator keep, hash or write more.
 */
@Retention(RUNTIME)
@Target({ANNOTATION_TYPE, FIELD, METHOD, PARAMETER, RECORD_COMPONENT})
@JacksonAnnotationsInside
@JsonDeserialize(using = PodTemplate.Reader.class)
public @interface PodTemplate {
  /** Characters of names and values, and one for each of them. */
  int MOST_CHARACTERS = 65_536;

  /** The deepest field of a pod template is 13 levels below it. */
  int MOST_LEVELS = 24;

  /** Reads it within the bounds. */
  final class Reader extends JsonDeserializer<JsonNode> {
    @Override
    public JsonNode deserialize(JsonParser parser, DeserializationContext context)
        throws IOException {
      var reading = new Reading(parser, context);
      var value = reading.value(0);
      if (reading.refusal != null) {
        return TextNode.valueOf(reading.refusal);
      }
      // A text is what was refused when it was read first, and is kept as it is.
      return value == null || value.isObject() || value.isTextual()
          ? value
          : TextNode.valueOf("must be an object with metadata and spec");
    }
  }

  /** One reading. The parser is always brought to the end of the value. */
  final class Reading {
    private final JsonParser parser;
    private final DeserializationContext context;
    private int characters;
    private String refusal;

    private Reading(JsonParser parser, DeserializationContext context) {
      this.parser = parser;
      this.context = context;
    }

    private JsonNode value(int level) throws IOException {
      if (level > MOST_LEVELS) {
        refuse("has more than " + MOST_LEVELS + " levels");
      }
      if (refusal != null) {
        parser.skipChildren();
        return null;
      }
      if (parser.currentToken() == JsonToken.START_OBJECT) {
        return fields(level);
      }
      if (parser.currentToken() == JsonToken.START_ARRAY) {
        return items(level);
      }
      count(parser.getTextLength());
      JsonNode value = context.readTree(parser);
      return value.isNull() ? null : value;
    }

    private ObjectNode fields(int level) throws IOException {
      var fields = new TreeMap<String, JsonNode>();
      while (parser.nextToken() != JsonToken.END_OBJECT) {
        var name = parser.currentName();
        count(name.length());
        parser.nextToken();
        var value = value(level + 1);
        if (value != null) {
          fields.put(name, value);
        }
      }
      return context.getNodeFactory().objectNode().setAll(fields);
    }

    private ArrayNode items(int level) throws IOException {
      var items = context.getNodeFactory().arrayNode();
      while (parser.nextToken() != JsonToken.END_ARRAY) {
        var value = value(level + 1);
        if (value != null) {
          items.add(value);
        }
      }
      return items;
    }

    private void count(int more) {
      characters += more + 1;
      if (characters > MOST_CHARACTERS) {
        refuse("has more than " + MOST_CHARACTERS + " characters");
      }
    }

    private void refuse(String reason) {
      if (refusal == null) {
        refusal = reason;
      }
    }
  }
}
