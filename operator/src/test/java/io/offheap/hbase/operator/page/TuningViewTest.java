package io.offheap.hbase.operator.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.utils.Serialization;
import io.offheap.hbase.operator.api.HBaseClusterStatus;
import io.offheap.hbase.operator.page.TuningView.Change;
import org.junit.jupiter.api.Test;

class TuningViewTest {
  private static TuningView view(String history) {
    var status =
        Serialization.unmarshal(
            "tuning: {groups: [{name: \"\", trials: 0, history: [" + history + "]}]}",
            HBaseClusterStatus.class);
    return TuningView.of(status).get(0);
  }

  private static String entry(String event, String values) {
    return "{rule: PoolTooSmall, event: " + event + ", values: {" + values + "}},";
  }

  @Test
  void eachChangeHasTheValueBefore() {
    var view =
        view(
            entry("Applied", "count: \"1\"")
                + entry("Kept", "count: \"1\"")
                + entry("Applied", "count: \"2\", other: \"a\""));

    assertThat(view.history())
        .extracting(TuningView.Entry::event)
        .as("the newest first")
        .containsExactly("Applied", "Kept", "Applied");
    assertThat(view.history().get(0).changes())
        .containsExactly(new Change("count", "1", "2"), new Change("other", null, "a"));
    assertThat(view.history().get(1).changes()).isEmpty();
    assertThat(view.history().get(2).changes()).containsExactly(new Change("count", null, "1"));
  }

  @Test
  void rolledBackValueIsTheOneBefore() {
    var view =
        view(
            entry("Applied", "count: \"1\"")
                + entry("Applied", "count: \"2\"")
                + entry("RolledBack", "count: \"2\"")
                + entry("Applied", "count: \"3\""));

    assertThat(view.history().get(1).changes()).containsExactly(new Change("count", "2", "1"));
    assertThat(view.history().get(0).changes()).containsExactly(new Change("count", "1", "3"));
  }

  @Test
  void droppedValueIsDerived() {
    var view = view(entry("Applied", "count: \"1\"") + entry("Dropped", "count: \"1\""));

    assertThat(view.history().get(0).changes()).containsExactly(new Change("count", "1", null));
  }

  @Test
  void incompleteGroupIsShown() {
    var status =
        Serialization.unmarshal("tuning: {groups: [{trials: 0}]}", HBaseClusterStatus.class);

    assertThat(TuningView.of(status).get(0).history()).isEmpty();
  }
}
