package io.offheap.hbase.operator.cli;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.exc.InvalidFormatException;
import com.fasterxml.jackson.databind.exc.PropertyBindingException;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.plan.PlanProblem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;

/** Reads an {@link HBaseCluster} from YAML or JSON as strictly as the API server does. */
final class ClusterFile {
  private static final ObjectMapper YAML =
      new ObjectMapper(new YAMLFactory())
          .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES);

  private ClusterFile() {}

  /** A file that holds no readable {@link HBaseCluster}. */
  static final class InvalidException extends Exception {
    private static final long serialVersionUID = 1L;
    private final transient PlanProblem problem;

    InvalidException(String field, String message) {
      super(field + ": " + message);
      problem = new PlanProblem(field, message);
    }

    PlanProblem problem() {
      return problem;
    }
  }

  /**
   * Reads the first {@link HBaseCluster} of a file.
   *
   * @param file a path, or {@code -} for standard input
   * @throws InvalidException if there is none, or if it has fields or values that the API server
   *     would not take
   */
  static HBaseCluster read(String file) throws InvalidException {
    try (var content = file.equals("-") ? System.in : Files.newInputStream(Path.of(file));
        var parser = YAML.getFactory().createParser(content)) {
      var documents = YAML.readValues(parser, JsonNode.class);
      while (documents.hasNext()) {
        var document = documents.next();
        if (document.path("kind").asText().equals("HBaseCluster")) {
          return bind(document);
        }
      }
      throw new InvalidException("kind", file + " has no document of kind HBaseCluster");
    } catch (NoSuchFileException e) {
      throw new InvalidException(file, "there is no such file");
    } catch (PropertyBindingException e) {
      throw new InvalidException(path(e), "unknown field; known here: " + known(e));
    } catch (InvalidFormatException e) {
      throw new InvalidException(path(e), "'" + e.getValue() + "' is not right" + allowed(e));
    } catch (JsonMappingException e) {
      throw new InvalidException(path(e), e.getOriginalMessage());
    } catch (JsonProcessingException e) {
      throw new InvalidException(file, "is no YAML: " + e.getMessage());
    } catch (IOException e) {
      throw new InvalidException(file, "cannot be read: " + e.getMessage());
    }
  }

  private static HBaseCluster bind(JsonNode document)
      throws JsonProcessingException, InvalidException {
    var expected = HasMetadata.getApiVersion(HBaseCluster.class);
    var apiVersion = document.path("apiVersion").asText();
    if (!apiVersion.equals(expected)) {
      throw new InvalidException("apiVersion", "'" + apiVersion + "'; " + expected + " is right");
    }
    return YAML.treeToValue(document, HBaseCluster.class);
  }

  private static String path(JsonMappingException e) {
    return e.getPath().stream()
        .map(
            part -> part.getFieldName() == null ? "[" + part.getIndex() + "]" : part.getFieldName())
        .collect(Collectors.joining("."))
        .replace(".[", "[");
  }

  private static String known(PropertyBindingException e) {
    return e.getKnownPropertyIds().stream()
        .map(Object::toString)
        .sorted()
        .collect(Collectors.joining(", "));
  }

  private static String allowed(InvalidFormatException e) {
    var type = e.getTargetType();
    return type.isEnum()
        ? "; one of " + Arrays.toString(type.getEnumConstants()) + " is"
        : "; a value of type " + type.getSimpleName() + " is";
  }
}
