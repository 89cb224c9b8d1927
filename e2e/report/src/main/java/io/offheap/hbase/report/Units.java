package io.offheap.hbase.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The content of {@code units.yaml}.
 *
 * @param inputs paths of what is measured, and of what measures it, as {@link Artefacts} takes them
 * @param memoryInputs the same of the shapes
 * @param stepsInputs what units with the operator's own steps have beside {@code inputs}
 * @param build minutes that the build of a clean clone takes on two idle cores
 * @param units comparisons of variants
 * @param grids plots of several units
 * @param memory shapes whose memory is compared with their plans
 * @param seeds what others reported, and which units show it
 */
record Units(
    List<String> inputs,
    List<String> memoryInputs,
    List<String> stepsInputs,
    double build,
    List<Unit> units,
    List<Grid> grids,
    List<MemoryShape> memory,
    List<SeedClaim> seeds) {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int KEY_LENGTH = 16;

  static Units read(Path file) throws IOException {
    return new YAMLMapper().readValue(file.toFile(), Units.class);
  }

  /**
   * Checks names from the command line.
   *
   * @throws IOException if one is that of no unit and of no shape
   */
  void requireNames(Set<String> named) throws IOException {
    var unknown = new TreeSet<>(named);
    units.forEach(unit -> unknown.remove(unit.name()));
    memory.forEach(shape -> unknown.remove(shape.name()));
    if (!unknown.isEmpty()) {
      throw new IOException("no unit and no shape: " + String.join(", ", unknown));
    }
  }

  /** Returns the units as a set measures them. */
  List<Unit> of(MeasuredSet set) {
    return switch (set) {
      case WHOLE -> units;
      case QUICK ->
          units.stream().filter(unit -> unit.quick() != null).map(Unit::quickened).toList();
      case SMOKE -> units.stream().map(Unit::smallest).toList();
    };
  }

  /** Returns the shapes as a set measures them. */
  List<MemoryShape> memoryOf(MeasuredSet set) {
    return switch (set) {
      case WHOLE -> memory;
      case QUICK -> List.of();
      case SMOKE -> memory.stream().limit(1).map(MemoryShape::smallest).toList();
    };
  }

  /**
   * Returns what a unit's result depends on, as one word. The words of its title, its goals and how
   * often it is measured change nothing that was measured.
   *
   * @param files the text of {@link InputWords}
   */
  static String key(Unit unit, String files) throws IOException {
    return key(
        List.of(
            InputWords.of(files, unit.name()),
            unit.limit(),
            unit.table(),
            unit.cache(),
            unit.load(),
            unit.seconds(),
            unit.variants(),
            unit.isSideBySide()));
  }

  /** Returns one word for all that a result depends on. */
  static String key(List<?> measured) throws IOException {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256")
              .digest(JSON.writeValueAsString(measured).getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest).substring(0, KEY_LENGTH);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("each JVM has SHA-256", e);
    }
  }
}
