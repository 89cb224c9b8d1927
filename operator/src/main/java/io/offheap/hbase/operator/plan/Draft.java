package io.offheap.hbase.operator.plan;

import io.offheap.hbase.operator.plan.Sentence.Input;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Builds a plan. Every derived value passes through here, so that a declared or tuned value
 * replaces it, is marked as such, and is the input of later formulas.
 */
final class Draft {
  /**
   * A value and the field that decides it.
   *
   * @param value the effective value
   * @param field the field to change for another value
   * @param declared whether the value is declared or tuned
   */
  record Chosen<T>(T value, FieldPath field, boolean declared) {}

  /** A value that a field of the resource may declare. */
  record Field<T>(FieldPath path, Optional<T> declared) {
    static <T> Field<T> derivedFrom(FieldPath path) {
      return new Field<>(path, Optional.empty());
    }
  }

  private final List<Setting> settings = new ArrayList<>();
  private final FieldNames names;
  private final Problems problems;
  private final Overrides overrides;
  private final Map<Key<?>, Tuned> tuned;

  Draft(Declared declared) {
    names = declared.names();
    problems = new Problems(names);
    overrides = new Overrides(declared, problems);
    tuned =
        declared.tuned().stream()
            .collect(Collectors.toMap(it -> it.key().key(), Function.identity()));
  }

  void problem(FieldPath field, Sentence message) {
    problems.add(field, message);
  }

  /** A problem whose message names no field. */
  void problem(FieldPath field, String message) {
    problem(field, Sentence.of(message));
  }

  int problemCount() {
    return problems.count();
  }

  /** Adds to the reason of a value that is set. */
  void remark(Key<?> key, Sentence remark) {
    settings.replaceAll(it -> it.key().equals(key) ? it.with(remark) : it);
  }

  /**
   * Sets a value that follows from one field; a declared value must equal it.
   *
   * @param field the field to change for another value
   */
  <T> void fixed(Key<T> key, T value, Sentence formula, String source, FieldPath field) {
    set(key, value, derived(formula), source, contradicts(key, value, field));
  }

  /**
   * Sets the value of a field; a value declared under the key must equal it.
   *
   * @param sentence has the name of the field
   */
  <T> void fromField(Key<T> key, T value, Sentence sentence, FieldPath field) {
    var reason = Reason.derived(sentence, names);
    set(key, value, new From(Provenance.DECLARED, reason), "", contradicts(key, value, field));
  }

  /** Sets a value that the whole plan depends on; a declared value must equal it. */
  <T> void constant(Key<T> key, T value, Sentence formula, String source) {
    var refusal =
        Sentence.of(
            "{}: {}", Sentence.of("is refused; must be " + key.kind().write(value)), formula);
    set(key, value, derived(formula), source, refusal);
  }

  /** The same for a reason without fields and inputs. */
  <T> void constant(Key<T> key, T value, String reason, String source) {
    constant(key, value, Sentence.of(reason), source);
  }

  /** A reason with the provenance of its value. */
  private record From(Provenance provenance, Reason reason) {}

  private From derived(Sentence formula) {
    var reason = Reason.derived(formula, names);
    return new From(reason.isLive() ? Provenance.LIVE : Provenance.DERIVED, reason);
  }

  private static <T> Sentence contradicts(Key<T> key, T value, FieldPath field) {
    return Sentence.of(
        "contradicts {}, from which {} follows; change {} instead",
        Sentence.name(field),
        Sentence.of(key.kind().write(value)),
        Sentence.name(field));
  }

  private <T> void set(Key<T> key, T value, From from, String source, Sentence refusal) {
    var declared = overrides.take(key);
    if (declared.isEmpty()) {
      add(key, value, from, source);
      return;
    }
    var field = FieldPath.of(key);
    if (!declared.flatMap(key.kind()::read).equals(Optional.of(value))) {
      problems.addOtherThanDerived(
          field, Sentence.of("{} {}", Sentence.of(key + "=" + declared.get()), refusal));
    }
    var reason = Reason.repeated(field, from.reason().formula(), names);
    add(key, value, new From(Provenance.DECLARED, reason), source);
  }

  private <T> void add(Key<T> key, T value, From from, String source) {
    settings.add(new Setting(KeyValue.of(key, value), from.provenance(), from.reason(), source));
  }

  /** Sets a value that no property or option can declare. */
  <T> void container(Key<T> key, T value, Sentence formula, boolean declared, String source) {
    var from =
        declared ? new From(Provenance.DECLARED, Reason.derived(formula, names)) : derived(formula);
    add(key, value, from, source);
  }

  /** The declared text of a key, which stays to be taken. */
  Optional<String> declaredText(Key<?> key) {
    return overrides.declared(key);
  }

  /**
   * The declared value of a key; empty too for an invalid text, which is refused when it is taken.
   */
  <T> Optional<T> declared(Key<T> key) {
    return declaredText(key).flatMap(key.kind()::read);
  }

  /**
   * The value of a key that a formula uses and the plan passes on: the declared one, else the
   * default. A declared text without a value in the range is refused, and the derivation continues
   * with the default. An option out of range is refused where options are passed on, by {@link
   * JvmFlags}.
   */
  <T extends Comparable<T>> T passedOn(Key<T> key, T min, T max) {
    var text = declaredText(key);
    var value =
        text.flatMap(key.kind()::read)
            .filter(it -> it.compareTo(min) >= 0 && it.compareTo(max) <= 0);
    if (text.isPresent() && value.isEmpty() && key.target() != Target.JVM) {
      problem(
          FieldPath.of(key),
          String.format(
              "%s=%s is out of range; must be %s from %s to %s",
              key, text.get(), key.kind().name(), key.kind().write(min), key.kind().write(max)));
    }
    return value.orElseGet(key::constantDefault);
  }

  /** An input that follows from a key, with the key's field where it is declared. */
  Input following(Key<?> key, Input input) {
    return declaredText(key).isPresent() ? input.from(FieldPath.of(key)) : input;
  }

  /** Refuses a key that has no meaning in this plan. */
  void unused(Key<?> key, Sentence why) {
    overrides
        .take(key)
        .ifPresent(
            value ->
                problem(
                    FieldPath.of(key),
                    Sentence.of("{} must be left out: {}", Sentence.of(key + "=" + value), why)));
  }

  /** Sets a derived value that may be declared under its key. */
  <T> Chosen<T> value(Key<T> key, T derived, Sentence formula, String source) {
    return value(key, Field.derivedFrom(FieldPath.of(key)), derived, formula, source);
  }

  /**
   * Sets a derived number that may be declared under its key; a declared one must be in a range.
   */
  Chosen<Long> numberInRange(
      Key<Long> key, long derived, long min, long max, Sentence formula, String source) {
    var chosen = value(key, derived, formula, source);
    if (chosen.declared() && (chosen.value() < min || chosen.value() > max)) {
      problem(
          chosen.field(),
          key + "=" + chosen.value() + " is out of range; must be from " + min + " to " + max);
      return new Chosen<>(derived, chosen.field(), true);
    }
    return chosen;
  }

  /**
   * Sets a derived value that may be declared under its key or in a field; in both it must be
   * equal.
   */
  <T> Chosen<T> value(Key<T> key, Field<T> field, T derived, Sentence formula, String source) {
    var kind = key.kind();
    var written = overrides.take(key);
    var override = written.flatMap(kind::read);
    var path = written.isPresent() ? FieldPath.of(key) : field.path();
    var derivedText = kind.write(derived);
    if (written.isPresent() && override.isEmpty()) {
      problem(
          path,
          String.format(
              "%s=%s must be %s, for example %s", key, written.get(), kind.name(), derivedText));
    }
    var inField = field.declared().map(kind::write);
    // Compared as HBase parses them: a field may have digits that a float loses.
    if (override.isPresent()
        && inField.isPresent()
        && !override.equals(inField.flatMap(kind::read))) {
      problem(
          path,
          Sentence.of(
              "{} contradicts {}, which is {}; declare it once",
              Sentence.of(key + "=" + written.get()),
              Sentence.name(field.path()),
              Sentence.of(inField.get())));
    }
    var declared = override.or(field::declared);
    var byTuning = declared.isPresent() ? Optional.<T>empty() : tuned(key);
    var value = declared.or(() -> byTuning).orElse(derived);
    var from =
        declared.isPresent()
            ? new From(Provenance.DECLARED, Reason.declared(path, derivedText, formula, names))
            : byTuning
                .map(
                    it ->
                        new From(
                            Provenance.TUNED,
                            Reason.tuned(tuned.get(key).rule(), derivedText, formula, names)))
                .orElseGet(() -> derived(formula));
    add(key, value, from, source);
    return new Chosen<>(value, path, declared.isPresent() || byTuning.isPresent());
  }

  private <T> Optional<T> tuned(Key<T> key) {
    return Optional.ofNullable(tuned.get(key)).flatMap(it -> key.kind().cast(it.value()));
  }

  PlanResult finish(List<BudgetItem> budget) {
    settings.addAll(overrides.rest(problems));
    return problems.count() == 0
        ? new PlanResult.Planned(new MemoryPlan(settings, budget))
        : refused();
  }

  PlanResult.Refused refused() {
    return new PlanResult.Refused(problems.all());
  }
}
