package io.offheap.hbase.operator.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.javaoperatorsdk.operator.processing.event.ResourceID;
import org.junit.jupiter.api.Test;

class RecentEventsTest {
  private static final ResourceID ID = new ResourceID("demo", "shop");

  private final RecentEvents events = new RecentEvents();

  private void add(ResourceID id, String note) {
    events.add(id, "2026-01-01T00:00:00Z", "Normal", "Draining", note);
  }

  @Test
  void theNewestIsFirst() {
    add(ID, "one");
    add(ID, "two");

    assertThat(events.of(ID)).extracting(RecentEvents.Entry::note).containsExactly("two", "one");
    assertThat(events.of(new ResourceID("other", "shop"))).isEmpty();
  }

  @Test
  void whatIsRecordedAgainIsCounted() {
    add(ID, "one");
    add(ID, "one");
    add(ID, "two");
    add(ID, "one");

    assertThat(events.of(ID)).extracting(RecentEvents.Entry::count).containsExactly(1, 1, 2);
  }

  @Test
  void aClusterKeepsTheLast() {
    for (int i = 0; i < 1000; i++) {
      add(ID, "note " + i);
    }

    assertThat(events.of(ID)).hasSize(RecentEvents.MOST);
    assertThat(events.of(ID).get(0).note()).isEqualTo("note 999");
  }

  @Test
  void theClusterThatWasQuietForLongestIsForgotten() {
    for (int i = 0; i <= RecentEvents.CLUSTERS; i++) {
      add(new ResourceID("c" + i, "shop"), "note");
    }

    assertThat(events.of(new ResourceID("c0", "shop"))).isEmpty();
    assertThat(events.of(new ResourceID("c1", "shop"))).hasSize(1);
  }

  @Test
  void aLongNoteIsCut() {
    add(ID, "x".repeat(10_000));
    add(ID, "x".repeat(10_000));

    assertThat(events.of(ID)).hasSize(1);
    assertThat(events.of(ID).get(0).note()).hasSize(300);
  }
}
