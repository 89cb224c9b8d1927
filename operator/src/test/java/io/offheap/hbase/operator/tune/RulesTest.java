package io.offheap.hbase.operator.tune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.offheap.hbase.operator.api.TuningSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Requirements for each rule in the list. */
class RulesTest {
  private static final Path DOCS = Path.of("../docs/tuning.md");

  /** A row: name and whether the rule is proven. */
  private static final Pattern ROW = Pattern.compile("(?m)^\\| `(\\w+)` \\| (yes|no) \\| .+\\|$");

  static List<Rule> rules() {
    return Rules.all().names().stream().map(it -> Rules.all().find(it).orElseThrow()).toList();
  }

  /** Docs with another order, name or proof would mislead users. */
  @Test
  void docsHaveRowForEachRuleInOrder() throws IOException {
    var rows =
        ROW.matcher(Files.readString(DOCS))
            .results()
            .map((MatchResult row) -> row.group(1) + " " + row.group(2))
            .toList();

    assertThat(rows)
        .containsExactlyElementsOf(
            rules().stream().map(it -> it.name() + (it.isProven() ? " yes" : " no")).toList());
  }

  @ParameterizedTest
  @MethodSource("rules")
  void nameIsThatOfClassAndPermittedInSpec(Rule rule) throws ReflectiveOperationException {
    var pattern = TuningSpec.class.getDeclaredField("RULE_NAME");
    pattern.setAccessible(true);

    assertThat(rule.name())
        .isEqualTo(rule.getClass().getSimpleName())
        .matches((String) pattern.get(null));
    assertThat(rule.suspicion()).isNotBlank();
  }

  @ParameterizedTest
  @MethodSource("rules")
  void givesReasonWithoutMetrics(Rule rule) {
    var evidence = Group.talk().evidence();

    assertThat(rule.symptom(evidence)).isEmpty();
    assertThat(rule.evaluate(evidence))
        .isInstanceOf(RuleResult.NoChange.class)
        .satisfies(it -> assertThat(it.rule()).isEqualTo(rule.name()))
        .satisfies(it -> assertThat(it.text()).isNotBlank());
  }

  @Test
  void refusesTwoRulesOfOneName() {
    assertThatThrownBy(() -> new Rules(List.of(new PoolTooSmall(), new PoolTooSmall())))
        .hasMessage("two rules have the name PoolTooSmall");
  }
}
