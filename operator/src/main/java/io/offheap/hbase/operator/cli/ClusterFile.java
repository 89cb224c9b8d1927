package io.offheap.hbase.operator.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.exc.InvalidFormatException;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.exc.PropertyBindingException;
import com.fasterxml.jackson.databind.exc.ValueInstantiationException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Quantity;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.declare.ClusterPlan;
import io.offheap.hbase.operator.declare.GroupPlan;
import io.offheap.hbase.operator.declare.ObservedInputs;
import io.offheap.hbase.operator.declare.Plans;
import io.offheap.hbase.operator.plan.MemoryPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

/**
 * An {@link HBaseCluster} from YAML or JSON, parsed as strictly as by the API server.
 *
 * @param name the file and its changes, for messages
 * @param document the resource as written
 */
record ClusterFile(String name, JsonNode document) {
  /**
   * Reads the one {@link HBaseCluster} of a file; documents of other kinds are ignored.
   *
   * @param file a path, or {@code -} for standard input
   * @throws RefusedException if there is not exactly one
   */
  static ClusterFile read(String file) throws RefusedException {
    try (var content = file.equals("-") ? System.in : Files.newInputStream(Path.of(file));
        var parser = StrictYaml.MAPPER.getFactory().createParser(content)) {
      var clusters =
          StrictYaml.MAPPER.<JsonNode>readValues(parser, JsonNode.class).readAll().stream()
              .filter(document -> document.path("kind").asText().equals("HBaseCluster"))
              .toList();
      if (clusters.size() != 1) {
        throw new RefusedException(
            file,
            "kind",
            file
                + " has "
                + clusters.size()
                + " documents of kind HBaseCluster; must be exactly one");
      }
      return new ClusterFile(file, clusters.get(0));
    } catch (NoSuchFileException | InvalidPathException e) {
      throw new RefusedException(file, file, "there is no such file");
    } catch (JsonProcessingException e) {
      throw new RefusedException(
          file, file, "cannot be read" + line(e) + ": " + e.getOriginalMessage());
    } catch (IOException e) {
      throw new RefusedException(file, file, "cannot be read: " + e.getMessage());
    }
  }

  /**
   * This resource with one field changed.
   *
   * @throws RefusedException if the path does not exist
   */
  ClusterFile with(Assignment assignment) throws RefusedException {
    return new ClusterFile(name + " with " + assignment, assignment.applyTo(document));
  }

  /**
   * The plan of the default group of region servers.
   *
   * @throws RefusedException as {@link #plans} does
   */
  MemoryPlan plan() throws RefusedException {
    return plans().get(0).plan();
  }

  /**
   * The plan of a group of region servers.
   *
   * @param group its name
   * @throws RefusedException as {@link #plans} does, and if there is no such group
   */
  GroupPlan plan(String group) throws RefusedException {
    var plans = plans();
    for (GroupPlan plan : plans) {
      if (GroupTitle.of(plan.group()).equals(group)) {
        return plan;
      }
    }
    throw new RefusedException(
        name,
        "--group",
        "'"
            + group
            + "' is not a group of "
            + name
            + "; it has "
            + plans.stream()
                .map(plan -> GroupTitle.of(plan.group()))
                .collect(Collectors.joining(", ")));
  }

  /**
   * The plans of all groups of region servers, the default one first.
   *
   * @throws RefusedException if the resource is refused, or has fields or values that the API
   *     server refuses
   */
  List<GroupPlan> plans() throws RefusedException {
    var result = new Plans().of(cluster(), ObservedInputs.NOTHING);
    if (result instanceof ClusterPlan.Refused refused) {
      throw new RefusedException(name, refused.problems());
    }
    return ((ClusterPlan.Planned) result).groups();
  }

  /**
   * The resource with all defaults.
   *
   * @throws RefusedException if it has fields or values that the API server refuses
   */
  HBaseCluster cluster() throws RefusedException {
    var expected = HasMetadata.getApiVersion(HBaseCluster.class);
    var apiVersion = document.path("apiVersion").asText();
    if (!apiVersion.equals(expected)) {
      throw new RefusedException(name, "apiVersion", "'" + apiVersion + "' must be " + expected);
    }
    try {
      return StrictYaml.MAPPER.treeToValue(declared(), HBaseCluster.class);
    } catch (PropertyBindingException e) {
      throw refused(e, "unknown field; must be one of " + siblings(e));
    } catch (InvalidFormatException e) {
      throw refused(e, "'" + e.getValue() + "' must be " + allowed(e));
    } catch (MismatchedInputException e) {
      throw refused(e, "has the wrong type; must be " + kind(e));
    } catch (ValueInstantiationException e) {
      throw refused(e, "has an entry without a value; each must have one");
    } catch (JsonMappingException e) {
      throw refused(e, e.getOriginalMessage());
    } catch (JsonProcessingException e) {
      throw new RefusedException(name, name, "cannot be read: " + e.getOriginalMessage());
    }
  }

  /** The resource without its status, which another version may have written. */
  private JsonNode declared() {
    if (!document.isObject() || !document.has("status")) {
      return document;
    }
    ObjectNode declared = document.deepCopy();
    declared.remove("status");
    return declared;
  }

  private RefusedException refused(JsonMappingException e, String message) {
    return new RefusedException(name, path(e), message);
  }

  private static String path(JsonMappingException e) {
    return e.getPath().stream()
        .map(
            part -> part.getFieldName() == null ? "[" + part.getIndex() + "]" : part.getFieldName())
        .collect(Collectors.joining("."))
        .replace(".[", "[");
  }

  private static String siblings(PropertyBindingException e) {
    return e.getKnownPropertyIds().stream()
        .map(Object::toString)
        .sorted()
        .collect(Collectors.joining(", "));
  }

  private static String allowed(InvalidFormatException e) {
    var type = e.getTargetType();
    return type.isEnum() ? "one of " + Arrays.toString(type.getEnumConstants()) : kind(e);
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
