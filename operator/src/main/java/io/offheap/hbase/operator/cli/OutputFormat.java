package io.offheap.hbase.operator.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;

/** Format of a tool's output: a table for people, JSON and YAML for programs. */
enum OutputFormat {
  table,
  json,
  yaml;

  /** The text to print of an output in both forms. */
  String text(String forPeople, Object document) {
    if (this == table) {
      return forPeople;
    }
    var mapper = this == json ? new ObjectMapper() : new ObjectMapper(new YAMLFactory());
    try {
      var text =
          mapper
              .enable(SerializationFeature.INDENT_OUTPUT)
              .enable(SerializationFeature.WRITE_ENUMS_USING_TO_STRING)
              .writeValueAsString(document);
      return text.endsWith("\n") ? text : text + "\n";
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("records of texts and numbers can always be written", e);
    }
  }
}
