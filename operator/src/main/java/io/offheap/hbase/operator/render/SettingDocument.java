package io.offheap.hbase.operator.render;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.annotation.JsonSerialize;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import io.offheap.hbase.operator.plan.FieldPath;
import io.offheap.hbase.operator.plan.Provenance;
import io.offheap.hbase.operator.plan.Sentence;
import io.offheap.hbase.operator.plan.Setting;
import io.offheap.hbase.operator.plan.Target;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.math.BigDecimal;
import java.util.List;

/**
 * A setting for programs, in parts, so that no program must parse a sentence. It is the JSON form
 * of a setting in the command line, in the config map {@code NAME-plan} and in the page.
 *
 * @param target where it is applied
 * @param key its name
 * @param value the rendered text
 * @param typedValue a number, a truth value or a text
 * @param unit of a number; left out for none
 * @param provenance provenance of the value
 * @param fields fields that decide it, relative to its group, the most important first; left out
 *     where there are none
 * @param rule the tuning rule that chose the value
 * @param derived the formula's value, where a field or a rule replaces it
 * @param inputs of the formula; left out where there are none
 * @param reason all of this as a sentence
 * @param source where the formula is published, or the origin of the value
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@RecordBuilder
public record SettingDocument(
    @JsonSerialize(using = ToStringSerializer.class) Target target,
    String key,
    String value,
    Object typedValue,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) String unit,
    Provenance provenance,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> fields,
    String rule,
    String derived,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Input> inputs,
    String reason,
    String source) {
  public SettingDocument {
    fields = List.copyOf(fields);
    inputs = List.copyOf(inputs);
  }

  /**
   * An input of a formula.
   *
   * @param name name of its key or field, else words
   * @param value a number or a text
   * @param unit of a number; left out for none
   * @param field the field that declares it, relative to the group; left out for none
   * @param live whether it was read from the running cluster; left out for no
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Input(
      String name,
      Object value,
      @JsonInclude(JsonInclude.Include.NON_EMPTY) String unit,
      String field,
      Boolean live) {
    static Input of(Sentence.Input input) {
      return new Input(
          input.name(),
          plain(input.value()),
          input.unit().text(),
          input.field().map(FieldPath::toString).orElse(null),
          input.isLive() ? Boolean.TRUE : null);
    }
  }

  /** The document of a setting. */
  public static SettingDocument of(Setting setting) {
    return SettingDocumentBuilder.builder()
        .target(setting.target())
        .key(setting.name())
        .value(setting.text())
        .typedValue(plain(setting.typedValue()))
        .unit(setting.unit().text())
        .provenance(setting.provenance())
        .fields(setting.fields().stream().map(FieldPath::toString).toList())
        .rule(setting.reason().rule().orElse(null))
        .derived(setting.reason().derived().orElse(null))
        .inputs(setting.inputs().stream().map(Input::of).toList())
        .reason(setting.sentence())
        .source(setting.origin())
        .build();
  }

  /**
   * Digits without an exponent, which a number without trailing zeros may have ({@code 2.868E+4}).
   */
  private static Object plain(Object value) {
    return value instanceof BigDecimal number && number.scale() < 0 ? number.setScale(0) : value;
  }
}
