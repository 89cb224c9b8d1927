package io.offheap.hbase.operator.reconcile;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class StaggerTest {
  @Test
  void clustersThatCountUpAreFarFromEachOther() {
    Map<Long, Long> perSecond =
        IntStream.range(0, 400)
            .mapToObj("c%04d"::formatted)
            .map(name -> Stagger.between(ofSeconds(10), ofSeconds(50), new ResourceID(name, "ns")))
            .collect(Collectors.groupingBy(Duration::toSeconds, Collectors.counting()));

    assertThat(perSecond.keySet()).allMatch(it -> it >= 10 && it < 50).hasSizeGreaterThan(30);
    assertThat(perSecond.values()).allMatch(it -> it <= 30);
  }

  @Test
  void aClusterHasItsOwnTime() {
    var id = new ResourceID("hb", "ns");

    assertThat(Stagger.between(ofSeconds(10), ofSeconds(50), id))
        .isEqualTo(Stagger.between(ofSeconds(10), ofSeconds(50), new ResourceID("hb", "ns")));
    assertThat(Stagger.between(ofSeconds(7), ofSeconds(7), id)).isEqualTo(ofSeconds(7));
  }
}
