package io.offheap.hbase.operator.plan;

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
  private final Problems problems = new Problems();
  private final Overrides overrides;
  private final Map<String, Tuned> tuned;

  Draft(Declared declared) {
    overrides = new Overrides(declared, problems);
    tuned = declared.tuned().stream().collect(Collectors.toMap(Tuned::key, Function.identity()));
  }

  void problem(String field, String message) {
    problems.add(field, message);
  }

  int problemCount() {
    return problems.count();
  }

  void add(Setting setting) {
    settings.add(setting);
  }

  /** Adds to the reason of a value that is set. */
  void remark(Key<?> key, String remark) {
    settings.replaceAll(
        it ->
            key.is(it.target(), it.key())
                ? new Setting(it.target(), it.key(), it.value(), it.reason() + remark, it.source())
                : it);
  }

  /**
   * Sets a value that follows from one field; a person may repeat it, but not contradict it.
   *
   * @param field what to change for another value
   */
  <T> void fixed(Key<T> key, T value, String reason, String source, String field) {
    set(
        key,
        value,
        reason,
        source,
        String.format(
            "contradicts %s, from which %s follows; change %s instead",
            field, key.kind().write(value), field));
  }

  /** Sets a value that the whole plan stands on; a person may repeat it, but not contradict it. */
  <T> void constant(Key<T> key, T value, String reason, String source) {
    var refusal = "is refused, " + key.kind().write(value) + " is right: " + reason;
    set(key, value, reason, source, refusal);
  }

  private <T> void set(Key<T> key, T value, String reason, String source, String refusal) {
    var declared = overrides.take(key);
    if (declared.isPresent() && !declared.flatMap(key.kind()::read).equals(Optional.of(value))) {
      problem(Overrides.field(key), key + "=" + declared.get() + " " + refusal);
    }
    var why =
        declared.isPresent()
            ? "declared in " + Overrides.field(key) + "; follows as well: " + reason
            : reason;
    add(key, value, why, declared.isPresent() ? Setting.USER : source);
  }

  private <T> void add(Key<T> key, T value, String reason, String source) {
    add(new Setting(key.target(), key.name(), key.kind().write(value), reason, source));
  }

  /** The text that a person declared for a key, without taking it. */
  Optional<String> declaredText(Key<?> key) {
    return overrides.declared(key);
  }

  /** The same as a value; empty as well where it is none, which is refused when it is taken. */
  <T> Optional<T> declared(Key<T> key) {
    return declaredText(key).flatMap(key.kind()::read);
  }

  /** Refuses a key that has no meaning in this plan. */
  void unused(Key<?> key, String why) {
    overrides
        .take(key)
        .ifPresent(value -> problem(Overrides.field(key), key + "=" + value + ": " + why));
  }

  /** A value that a person may declare under its key alone. */
  <T> Chosen<T> value(Key<T> key, T derived, String reason, String source) {
    return value(key, Field.derivedFrom(Overrides.field(key)), derived, reason, source);
  }

  /** The same of a number, which must be in a range where it is declared. */
  Chosen<Long> numberInRange(
      Key<Long> key, long derived, long min, long max, String reason, String source) {
    var chosen = value(key, derived, reason, source);
    if (chosen.declared() && (chosen.value() < min || chosen.value() > max)) {
      problem(
          chosen.field(),
          key
              + "="
              + chosen.value()
              + " is out of range; from "
              + min
              + " to "
              + max
              + " is right");
      return new Chosen<>(derived, chosen.field(), true);
    }
    return chosen;
  }

  /** A value that a person may declare under its key, in a field, or in both alike. */
  <T> Chosen<T> value(Key<T> key, Field<T> field, T derived, String reason, String source) {
    var kind = key.kind();
    var written = overrides.take(key);
    var override = written.flatMap(kind::read);
    var path = written.isPresent() ? Overrides.field(key) : field.path();
    var derivedText = kind.write(derived);
    if (written.isPresent() && override.isEmpty()) {
      problem(
          path,
          String.format(
              "%s=%s is not %s; %s would be", key, written.get(), kind.name(), derivedText));
    }
    var inField = field.declared().map(kind::write);
    // As the process reads either: a field may have digits that HBase's float has not.
    if (override.isPresent()
        && inField.isPresent()
        && !override.equals(inField.flatMap(kind::read))) {
      problem(
          path,
          String.format(
              "%s=%s contradicts %s, which is %s; declare it once",
              key, written.get(), field.path(), inField.get()));
    }
    var declared = override.or(field::declared);
    var byTuning = declared.isPresent() ? Optional.<T>empty() : tuned(key);
    var value = declared.or(() -> byTuning).orElse(derived);
    var instead = "; derived would be " + derivedText + ": " + reason;
    var why =
        declared.isPresent()
            ? "declared in " + path + instead
            : byTuning
                .map(it -> "tuned by " + tuned.get(key.name()).rule() + instead)
                .orElse(reason);
    var from = byTuning.isPresent() ? Setting.TUNING : source;
    add(key, value, why, declared.isPresent() ? Setting.USER : from);
    return new Chosen<>(value, path, declared.isPresent() || byTuning.isPresent());
  }

  private <T> Optional<T> tuned(Key<T> key) {
    return Optional.ofNullable(tuned.get(key.name())).map(Tuned::value).flatMap(key.kind()::read);
  }

  PlanResult finish(List<BudgetItem> budget) {
    settings.addAll(overrides.rest(problems));
    return problems.count() == 0
        ? new PlanResult.Planned(new MemoryPlan(settings, budget))
        : refused();
  }

  PlanResult refused() {
    return new PlanResult.Refused(problems.all());
  }
}
