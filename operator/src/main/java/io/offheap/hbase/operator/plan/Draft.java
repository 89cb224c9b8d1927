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
  <T> void fixed(
      Target target,
      String key,
      Kind<T> kind,
      T value,
      String reason,
      String source,
      String field) {
    set(
        target,
        key,
        kind,
        value,
        reason,
        source,
        String.format(
            "contradicts %s, from which %s follows; change %s instead",
            field, kind.write(value), field));
  }

  /** Sets a value that the whole plan stands on; a person may repeat it, but not contradict it. */
  <T> void constant(
      Target target, String key, Kind<T> kind, T value, String reason, String source) {
    var refusal = "is refused, " + kind.write(value) + " is right: " + reason;
    set(target, key, kind, value, reason, source, refusal);
  }

  private <T> void set(
      Target target,
      String key,
      Kind<T> kind,
      T value,
      String reason,
      String source,
      String refusal) {
    var declared = overrides.take(target, key);
    if (declared.isPresent() && !declared.flatMap(kind::read).equals(Optional.of(value))) {
      problem(Overrides.field(target, key), key + "=" + declared.get() + " " + refusal);
    }
    var why =
        declared.isPresent()
            ? "declared in " + Overrides.field(target, key) + "; follows as well: " + reason
            : reason;
    add(
        new Setting(
            target, key, kind.write(value), why, declared.isPresent() ? Setting.USER : source));
  }

  /** What a person declared for a key, without taking it. */
  Optional<String> declared(Target target, String key) {
    return overrides.declared(target, key);
  }

  /** The same as a value; empty as well where it is none, which is refused when it is taken. */
  <T> Optional<T> declared(Target target, String key, Kind<T> kind) {
    return declared(target, key).flatMap(kind::read);
  }

  /** Refuses a key that has no meaning in this plan. */
  void unused(Target target, String key, String why) {
    overrides
        .take(target, key)
        .ifPresent(value -> problem(Overrides.field(target, key), key + "=" + value + ": " + why));
  }

  /** A value that a person may declare under its key alone. */
  <T> Chosen<T> value(
      Target target, String key, Kind<T> kind, T derived, String reason, String source) {
    var field = Field.<T>derivedFrom(Overrides.field(target, key));
    return value(target, key, kind, field, derived, reason, source);
  }

  /** A value that a person may declare under its key, in a field, or in both alike. */
  <T> Chosen<T> value(
      Target target,
      String key,
      Kind<T> kind,
      Field<T> field,
      T derived,
      String reason,
      String source) {
    var written = overrides.take(target, key);
    var override = written.flatMap(kind::read);
    var path = written.isPresent() ? Overrides.field(target, key) : field.path();
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
    var byTuning = declared.isPresent() ? Optional.<T>empty() : tuned(key, kind);
    var value = declared.or(() -> byTuning).orElse(derived);
    var instead = "; derived would be " + derivedText + ": " + reason;
    var why =
        declared.isPresent()
            ? "declared in " + path + instead
            : byTuning.map(it -> "tuned by " + tuned.get(key).rule() + instead).orElse(reason);
    var from = byTuning.isPresent() ? Setting.TUNING : source;
    add(
        new Setting(
            target, key, kind.write(value), why, declared.isPresent() ? Setting.USER : from));
    return new Chosen<>(value, path, declared.isPresent() || byTuning.isPresent());
  }

  private <T> Optional<T> tuned(String key, Kind<T> kind) {
    return Optional.ofNullable(tuned.get(key)).map(Tuned::value).flatMap(kind::read);
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
