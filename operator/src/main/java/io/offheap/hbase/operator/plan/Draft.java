package io.offheap.hbase.operator.plan;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A plan in the making. Every derived value passes through here, so that what a person declared for
 * it is used in its place, marked as theirs, and checked by whatever is derived from it next.
 */
final class Draft {
  /**
   * A value and the field that decides it.
   *
   * @param value the effective value
   * @param field what a person would change
   * @param declared whether a person declared it, or tuning chose it
   */
  record Chosen<T>(T value, String field, boolean declared) {}

  /** A value that a field of the resource may declare. */
  record Field<T>(String path, Optional<T> declared) {
    static <T> Field<T> derivedFrom(String path) {
      return new Field<>(path, Optional.empty());
    }
  }

  private final List<Setting> settings = new ArrayList<>();
  private final List<PlanProblem> problems = new ArrayList<>();
  private final Overrides overrides;
  private final Map<String, Tuned> tuned;

  Draft(Declared declared) {
    overrides = new Overrides(declared, this);
    tuned = declared.tuned().stream().collect(Collectors.toMap(Tuned::key, Function.identity()));
  }

  void problem(String field, String message) {
    problems.add(new PlanProblem(field, message));
  }

  int problemCount() {
    return problems.size();
  }

  void add(Setting setting) {
    settings.add(setting);
  }

  /** Adds to the reason of a value that is set. */
  void remark(Target target, String key, String remark) {
    settings.replaceAll(
        it ->
            it.target() == target && it.key().equals(key)
                ? new Setting(target, key, it.value(), it.reason() + remark, it.source())
                : it);
  }

  /**
   * Sets a value that follows from one field; a person may repeat it, but not contradict it.
   *
   * @param field what to change for another value
   */
  void fixed(Target target, String key, String value, String reason, String source, String field) {
    set(
        target,
        key,
        value,
        reason,
        source,
        String.format(
            "contradicts %s, from which %s follows; change %s instead", field, value, field));
  }

  /** Sets a value that the whole plan stands on; a person may repeat it, but not contradict it. */
  void constant(Target target, String key, String value, String reason, String source) {
    set(target, key, value, reason, source, "is refused, " + value + " is right: " + reason);
  }

  private void set(
      Target target, String key, String value, String reason, String source, String refusal) {
    var declared = overrides.take(target, key);
    if (declared.isPresent() && !isSame(declared.get(), value)) {
      problem(Overrides.field(target, key), key + "=" + declared.get() + " " + refusal);
    }
    var why =
        declared.isPresent()
            ? "declared in " + Overrides.field(target, key) + "; follows as well: " + reason
            : reason;
    add(new Setting(target, key, value, why, declared.isPresent() ? Setting.USER : source));
  }

  /** 30g and 30720m are one size. */
  private static boolean isSame(String one, String other) {
    try {
      return one.equals(other) || Bytes.parseJvm(one) == Bytes.parseJvm(other);
    } catch (NumberFormatException e) {
      return false;
    }
  }

  /** What a person declared for a key, without taking it. */
  Optional<String> declared(Target target, String key) {
    return overrides.declared(target, key);
  }

  /** Refuses a key that has no meaning in this plan. */
  void unused(Target target, String key, String why) {
    overrides
        .take(target, key)
        .ifPresent(value -> problem(Overrides.field(target, key), key + "=" + value + ": " + why));
  }

  /** A whole number that a person may declare. */
  Chosen<Long> number(
      Target target, String key, Field<Long> field, long derived, String reason, String source) {
    return choose(
        target,
        key,
        field,
        derived,
        reason,
        source,
        new Format<>("a whole number", Long::valueOf, String::valueOf));
  }

  /** A size in bytes, written as {@code java} takes it, that a person may declare. */
  Chosen<Long> size(Target target, String key, long derived, String reason, String source) {
    return choose(
        target,
        key,
        Field.derivedFrom(Overrides.field(target, key)),
        derived,
        reason,
        source,
        new Format<>("a size", Bytes::parseJvm, Bytes::jvm));
  }

  /** A fraction or size that a person may declare. */
  Chosen<BigDecimal> decimal(
      Target target,
      String key,
      Field<BigDecimal> field,
      BigDecimal derived,
      String reason,
      String source) {
    return choose(
        target,
        key,
        field,
        derived,
        reason,
        source,
        new Format<>("a number", Draft::shortDecimal, Draft::plain));
  }

  /** A text that a person may declare. */
  Chosen<String> text(Target target, String key, String derived, String reason, String source) {
    return choose(
        target,
        key,
        Field.derivedFrom(Overrides.field(target, key)),
        derived,
        reason,
        source,
        new Format<>("a text", Function.identity(), Function.identity()));
  }

  /** How a kind of value is read and written. */
  private record Format<T>(String kind, Function<String, T> parser, Function<T, String> printer) {
    Optional<T> parse(String text) {
      try {
        return Optional.of(parser.apply(text.trim()));
      } catch (NumberFormatException e) {
        return Optional.empty();
      }
    }
  }

  private <T> Chosen<T> choose(
      Target target,
      String key,
      Field<T> field,
      T derived,
      String reason,
      String source,
      Format<T> format) {
    var written = overrides.take(target, key);
    var override = written.flatMap(format::parse);
    var path = written.isPresent() ? Overrides.field(target, key) : field.path();
    var derivedText = format.printer().apply(derived);
    if (written.isPresent() && override.isEmpty()) {
      problem(
          path,
          String.format(
              "%s=%s is not %s; %s would be", key, written.get(), format.kind(), derivedText));
    }
    var inField = field.declared().map(format.printer());
    if (override.isPresent()
        && inField.isPresent()
        && !format.printer().apply(override.get()).equals(inField.get())) {
      problem(
          path,
          String.format(
              "%s=%s contradicts %s, which is %s; declare it once",
              key, written.get(), field.path(), inField.get()));
    }
    var declared = override.or(field::declared);
    var byTuning = declared.isPresent() ? Optional.<T>empty() : tuned(key, format);
    var value = declared.or(() -> byTuning).orElse(derived);
    var instead = "; derived would be " + derivedText + ": " + reason;
    var why =
        declared.isPresent()
            ? "declared in " + path + instead
            : byTuning.map(it -> "tuned by " + tuned.get(key).rule() + instead).orElse(reason);
    var from = byTuning.isPresent() ? Setting.TUNING : source;
    add(
        new Setting(
            target,
            key,
            format.printer().apply(value),
            why,
            declared.isPresent() ? Setting.USER : from));
    return new Chosen<>(value, path, declared.isPresent() || byTuning.isPresent());
  }

  private <T> Optional<T> tuned(String key, Format<T> format) {
    return Optional.ofNullable(tuned.get(key)).map(Tuned::value).flatMap(format::parse);
  }

  /** No exponent: 1e999999999 is a number, but one that takes a gigabyte to write out. */
  private static BigDecimal shortDecimal(String text) {
    if (!text.matches("[+-]?[0-9.]{1,30}")) {
      throw new NumberFormatException(text);
    }
    return new BigDecimal(text);
  }

  private static String plain(BigDecimal number) {
    return number.stripTrailingZeros().toPlainString();
  }

  PlanResult finish(List<BudgetItem> budget) {
    overrides.passOn(this);
    return problems.isEmpty()
        ? new PlanResult.Planned(new MemoryPlan(settings, budget))
        : refused();
  }

  PlanResult refused() {
    return new PlanResult.Refused(problems);
  }
}
