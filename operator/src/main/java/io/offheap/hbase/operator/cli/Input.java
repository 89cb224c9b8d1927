package io.offheap.hbase.operator.cli;

import io.fabric8.kubernetes.api.model.Quantity;
import io.offheap.hbase.operator.plan.Bytes;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * A field that a plan may depend on, and values to try.
 *
 * @param field path of the field
 * @param now its present value, declared or derived
 * @param ways sequences of values, each with a growing distance from the present one, so that the
 *     first value with an effect is the nearest
 */
record Input(String field, String now, List<List<String>> ways) {
  /** Doublings and halvings in a sequence: up to 64 times as much, or a 64th. */
  private static final int STEPS = 6;

  private static final List<String> FRACTIONS = List.of("0.05", "0.1", "0.2", "0.3");

  static Input quantity(String field, Quantity quantity) {
    return bytes(field, Quantity.getAmountInBytes(quantity).longValueExact());
  }

  static Input bytes(String field, long bytes) {
    return scaled(field, bytes, Bytes::quantity);
  }

  static Input count(String field, long count) {
    return scaled(field, count, Long::toString);
  }

  /** A number to double and halve, with its text. */
  static Input scaled(String field, long number, LongFunction<String> text) {
    var up = IntStream.rangeClosed(1, STEPS).mapToLong(step -> number << step);
    var down = IntStream.rangeClosed(1, STEPS).mapToLong(step -> number >> step);
    return new Input(
        field,
        text.apply(number),
        Stream.of(up, down).map(way -> texts(way.filter(other -> other > 0), text)).toList());
  }

  private static List<String> texts(LongStream numbers, LongFunction<String> text) {
    return numbers.mapToObj(text).toList();
  }

  /** A share of the heap. */
  static Input fraction(String field, BigDecimal share) {
    var up = FRACTIONS.stream().map(step -> share.add(new BigDecimal(step)));
    var down = FRACTIONS.stream().map(step -> share.subtract(new BigDecimal(step)));
    return new Input(
        field,
        share.toPlainString(),
        Stream.of(up, down)
            .map(way -> way.filter(other -> other.signum() > 0).map(Input::plain).toList())
            .toList());
  }

  private static String plain(BigDecimal number) {
    return number.stripTrailingZeros().toPlainString();
  }

  /** One of a few names; each other name is a sequence of its own. */
  static Input choice(String field, Enum<?> now, Enum<?>[] all) {
    return choice(field, now.name(), all);
  }

  /** The same, by the name. */
  static Input choice(String field, String now, Object[] all) {
    return new Input(
        field,
        now,
        Arrays.stream(all)
            .map(one -> ((Enum<?>) one).name())
            .filter(one -> !one.equals(now))
            .map(List::of)
            .toList());
  }
}
