package io.offheap.hbase.operator.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.exc.InvalidFormatException;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.exc.PropertyBindingException;
import com.fasterxml.jackson.databind.exc.ValueInstantiationException;
import com.fasterxml.jackson.databind.type.LogicalType;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Quantity;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.plan.PlanProblem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.stream.Collectors;

/** Reads an {@link HBaseCluster} from YAML or JSON as strictly as the API server does. */
final class ClusterFile {
  /** No coercion: kubectl would send 5 as a number, and the API server refuse it as a text. */
  private static final ObjectMapper YAML =
      YAMLMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_NUMBERS_FOR_ENUMS)
          .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
          .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
          .withCoercionConfig(
              LogicalType.Textual,
              texts ->
                  texts
                      .setCoercion(CoercionInputShape.Integer, CoercionAction.Fail)
                      .setCoercion(CoercionInputShape.Float, CoercionAction.Fail)
                      .setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail))
          .build();

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
   * Reads the one {@link HBaseCluster} of a file; documents of other kinds are passed over.
   *
   * @param file a path, or {@code -} for standard input
   * @throws InvalidException if there is not exactly one, or if it has fields or values that the
   *     API server would not take
   */
  static HBaseCluster read(String file) throws InvalidException {
    try (var content = file.equals("-") ? System.in : Files.newInputStream(Path.of(file));
        var parser = YAML.getFactory().createParser(content)) {
      var clusters =
          YAML.<JsonNode>readValues(parser, JsonNode.class).readAll().stream()
              .filter(document -> document.path("kind").asText().equals("HBaseCluster"))
              .toList();
      if (clusters.size() != 1) {
        throw new InvalidException(
            "kind",
            file
                + " has "
                + clusters.size()
                + " documents of kind HBaseCluster; exactly one is right");
      }
      return bind(clusters.get(0));
    } catch (NoSuchFileException e) {
      throw new InvalidException(file, "there is no such file");
    } catch (PropertyBindingException e) {
      throw new InvalidException(path(e), "unknown field; known here: " + known(e));
    } catch (InvalidFormatException e) {
      throw new InvalidException(path(e), "'" + e.getValue() + "' is not right" + allowed(e));
    } catch (MismatchedInputException e) {
      throw new InvalidException(path(e), "is of the wrong kind; " + kind(e) + " is right");
    } catch (ValueInstantiationException e) {
      throw new InvalidException(
          path(e), "has an entry without a value; one with a value is right");
    } catch (JsonMappingException e) {
      throw new InvalidException(path(e), e.getOriginalMessage());
    } catch (JsonProcessingException e) {
      throw new InvalidException(file, "cannot be read" + line(e) + ": " + e.getOriginalMessage());
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
        : "; " + kind(e) + " is";
  }

  private static String kind(MismatchedInputException e) {
    var type = e.getTargetType();
    if (type == null) {
      return "a map";
    }
    if (Integer.class.equals(type) || Long.class.equals(type)) {
      return "a whole number";
    }
    if (Number.class.isAssignableFrom(type)) {
      return "a number";
    }
    if (String.class.equals(type)) {
      return "a text";
    }
    if (Quantity.class.equals(type)) {
      return "a quantity, for example 30Gi,";
    }
    return Collection.class.isAssignableFrom(type) ? "a list" : "a map";
  }

  private static String line(JsonProcessingException e) {
    return e.getLocation() == null ? "" : " in line " + e.getLocation().getLineNr();
  }
}
