package io.offheap.hbase.operator.declare;

import static java.util.Comparator.comparingInt;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.exc.PropertyBindingException;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.type.LogicalType;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.offheap.hbase.operator.plan.Names;
import io.offheap.hbase.operator.plan.PlanProblem;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * Parses a pod template with the Kubernetes client's types, and refuses unknown fields and values
 * of another type. The API server would drop the former silently, and refuse the latter only when a
 * StatefulSet is written.
 */
final class PodTemplateParser {
  private static final ObjectMapper STRICT = strict();

  private PodTemplateParser() {}

  /**
   * The first problem of a template; empty where it can be parsed.
   *
   * @param path of the template in the resource
   */
  static Optional<PlanProblem> problem(String path, JsonNode declared) {
    if (!declared.isObject()) {
      // A declared text, or the reason for which an object was not stored.
      return Optional.of(
          new PlanProblem(path, declared.asText() + "; must be an object with metadata and spec"));
    }
    try {
      STRICT.treeToValue(declared, PodTemplateSpec.class);
      return Optional.empty();
    } catch (PropertyBindingException e) {
      return Optional.of(unknown(path, e));
    } catch (JsonMappingException e) {
      return Optional.of(mistyped(path, declared, e));
    } catch (JsonProcessingException e) {
      return Optional.of(new PlanProblem(path, e.getOriginalMessage()));
    }
  }

  private static PlanProblem unknown(String path, PropertyBindingException e) {
    var name = e.getPropertyName();
    var known =
        Optional.ofNullable(e.getKnownPropertyIds()).stream()
            .flatMap(Collection::stream)
            .map(String::valueOf)
            .filter(it -> !it.equals("additionalProperties"))
            .sorted()
            .toList();
    // The time for a distance grows with the product of the lengths.
    var nearest =
        name.length() > 100
            ? Optional.<String>empty()
            : known.stream().min(comparingInt(it -> Names.distance(it, name)));
    return new PlanProblem(
        path + text(e.getPath()),
        "'"
            + name
            + "' is not a field of a pod template"
            + nearest.map(it -> "; the nearest is " + it).orElse("")
            + "; must be one of "
            + String.join(", ", known));
  }

  private static PlanProblem mistyped(String path, JsonNode declared, JsonMappingException e) {
    var value = declared;
    for (var step : e.getPath()) {
      value =
          step.getFieldName() == null
              ? value.path(step.getIndex())
              : value.path(step.getFieldName());
    }
    var type = e instanceof MismatchedInputException mismatch ? mismatch.getTargetType() : null;
    return new PlanProblem(
        path + text(e.getPath()),
        value + " has the wrong type; must be " + (type == null ? "of another type" : text(type)));
  }

  private static String text(Class<?> type) {
    if (type == Integer.class || type == Long.class || type == int.class || type == long.class) {
      return "a whole number";
    }
    if (type == Boolean.class || type == boolean.class) {
      return "true or false";
    }
    if (CharSequence.class.isAssignableFrom(type)) {
      return "a text; quotes make one of a number";
    }
    return Collection.class.isAssignableFrom(type) ? "a list" : "an object";
  }

  private static String text(List<JsonMappingException.Reference> path) {
    var text = new StringBuilder();
    path.forEach(
        it -> {
          if (it.getFieldName() == null) {
            text.append('[').append(it.getIndex()).append(']');
          } else {
            text.append('.').append(it.getFieldName());
          }
        });
    return text.toString();
  }

  private static ObjectMapper strict() {
    var mapper =
        JsonMapper.builder()
            .annotationIntrospector(new WithoutAnySetter())
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_IGNORED_PROPERTIES)
            .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
            .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS);
    mapper.withCoercionConfig(
        LogicalType.Textual,
        config ->
            config
                .setCoercion(CoercionInputShape.Integer, CoercionAction.Fail)
                .setCoercion(CoercionInputShape.Float, CoercionAction.Fail)
                .setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail));
    return mapper.build();
  }

  /** Ignores the maps of the client's types that accept unknown fields. */
  private static final class WithoutAnySetter extends JacksonAnnotationIntrospector {
    private static final long serialVersionUID = 1;

    @Override
    public Boolean hasAnySetter(Annotated annotated) {
      return false;
    }
  }
}
