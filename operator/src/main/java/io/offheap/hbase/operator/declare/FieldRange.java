package io.offheap.hbase.operator.declare;

import static io.offheap.hbase.operator.plan.Bytes.MIB;
import static io.offheap.hbase.operator.plan.Bytes.quantity;

import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.offheap.hbase.operator.api.ByteRange;
import java.lang.reflect.AnnotatedElement;
import java.util.Optional;

/**
 * The range of a field of a region server group, as the field's declaration in {@code api} has it:
 * {@link Min} and {@link Max} of a whole number, {@link ByteRange} of bytes.
 *
 * @param form the form of its values
 * @param min the least value
 * @param max the largest value
 */
public record FieldRange(Form form, long min, long max) {
  /** The form of a field's values. */
  public enum Form {
    /** A whole number. */
    COUNT,
    /** Bytes. */
    BYTES,
    /** Whole MiB. */
    MIB
  }

  /** The range that a declaration has, if it has one. */
  static Optional<FieldRange> of(AnnotatedElement declaration) {
    var bytes = declaration.getAnnotation(ByteRange.class);
    if (bytes != null) {
      return Optional.of(
          new FieldRange(
              bytes.wholeMib() ? Form.MIB : Form.BYTES, bytes(bytes.min()), bytes(bytes.max())));
    }
    var min = declaration.getAnnotation(Min.class);
    var max = declaration.getAnnotation(Max.class);
    if (min == null && max == null) {
      return Optional.empty();
    }
    if (min == null || max == null) {
      throw new IllegalStateException(declaration + " has one bound; must have both");
    }
    return Optional.of(new FieldRange(Form.COUNT, (long) min.value(), (long) max.value()));
  }

  private static long bytes(String quantity) {
    return Quantities.bytes(quantity).orElseThrow();
  }

  /** What is wrong with a value; empty where nothing is. */
  Optional<String> problem(long value) {
    if (value < min || value > max) {
      return Optional.of(
          text(value) + " is out of range; must be from " + text(min) + " to " + text(max));
    }
    if (form == Form.MIB && value % MIB != 0) {
      return Optional.of(
          value
              + " bytes is not a whole number of MiB; must be "
              + quantity(wholeMib(value))
              + " or "
              + quantity(wholeMib(value) + MIB));
    }
    return Optional.empty();
  }

  /** The nearest value of the range, whole MiB rounded down. */
  public long nearest(long value) {
    long inRange = Math.max(min, Math.min(max, value));
    return form == Form.MIB ? wholeMib(inRange) : inRange;
  }

  private static long wholeMib(long bytes) {
    return Math.floorDiv(bytes, MIB) * MIB;
  }

  private String text(long value) {
    return form == Form.COUNT ? Long.toString(value) : quantity(value);
  }
}
