package io.offheap.hbase.operator.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Why a setting has its value.
 *
 * @param formula the formula of the derived value, with its inputs; empty for a key that the plan
 *     does not derive
 * @param field that declares the value in place of the formula, or in agreement with it
 * @param rule the rule of tuning that chose the value in place of the formula
 * @param derived the formula's value as text, where a field or a rule replaces it
 * @param remarks further sentences
 * @param names the names of fields
 */
public record Reason(
    Sentence formula,
    Optional<FieldPath> field,
    Optional<String> rule,
    Optional<String> derived,
    List<Sentence> remarks,
    FieldNames names) {
  private static final Sentence NONE = Sentence.of("");

  public Reason {
    remarks = List.copyOf(remarks);
  }

  /** The reason of a stored plan. */
  public static Reason written(String sentence) {
    return derived(Sentence.of(sentence), FieldNames.below(""));
  }

  /** The reason for a formula's value. */
  static Reason derived(Sentence formula, FieldNames names) {
    return new Reason(
        formula, Optional.empty(), Optional.empty(), Optional.empty(), List.of(), names);
  }

  /** The reason for a field's value, for a key that the plan does not derive. */
  static Reason passedOn(FieldPath field, FieldNames names) {
    return repeated(field, NONE, names);
  }

  /** The reason for a field's value that equals the formula's. */
  static Reason repeated(FieldPath field, Sentence formula, FieldNames names) {
    return new Reason(
        formula, Optional.of(field), Optional.empty(), Optional.empty(), List.of(), names);
  }

  /** The reason for a field's value in place of the formula's. */
  static Reason declared(FieldPath field, String derived, Sentence formula, FieldNames names) {
    return new Reason(
        formula, Optional.of(field), Optional.empty(), Optional.of(derived), List.of(), names);
  }

  /** The reason for a rule's value in place of the formula's. */
  static Reason tuned(String rule, String derived, Sentence formula, FieldNames names) {
    return new Reason(
        formula, Optional.empty(), Optional.of(rule), Optional.of(derived), List.of(), names);
  }

  /** This reason with another remark. */
  Reason with(Sentence remark) {
    var all = new ArrayList<>(remarks);
    all.add(remark);
    return new Reason(formula, field, rule, derived, all, names);
  }

  /** The fields that the value comes from, the one that decides first. */
  List<FieldPath> fields() {
    if (field.isPresent()) {
      return List.of(field.get());
    }
    return rule.isPresent() ? List.of() : formula.fields();
  }

  /** Whether an input of the formula was read from the running cluster. */
  boolean isLive() {
    return formula.values().anyMatch(Sentence.Input::isLive);
  }

  /** The sentence, for a value of this provenance. */
  String sentence(Provenance provenance) {
    var text = new StringBuilder();
    field
        .map(names::of)
        .ifPresent(
            it ->
                text.append(
                    provenance == Provenance.PROFILE
                        ? it + " of the profile"
                        : "declared in " + it));
    rule.ifPresent(it -> text.append("tuned by ").append(it));
    derived.ifPresent(it -> text.append("; derived would be ").append(it).append(": "));
    if (field.isPresent() && derived.isEmpty() && !formula.equals(NONE)) {
      text.append("; follows as well: ");
    }
    text.append(formula.text(names));
    remarks.forEach(it -> text.append(it.text(names)));
    return text.toString();
  }
}
