package io.offheap.hbase.operator.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.offheap.hbase.operator.hbase.RegionServerReport;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/** What the reports of a group's servers are summed up to. */
class GroupReadsTest {
  private static RegionServerReport report(long files, OptionalDouble hitRatio) {
    return new RegionServerReport("rs-" + files, "rs,16020,1", 8, files, hitRatio);
  }

  @Test
  void ratioIsTheMeanOfThoseThatHaveOne() {
    var reads =
        GroupReads.of(
            true,
            List.of(
                report(4, OptionalDouble.of(0.5)),
                report(8, OptionalDouble.of(1)),
                report(2, OptionalDouble.empty())));

    assertThat(reads.hitRatio()).hasValue(0.75);
    assertThat(reads.storeFileBytes()).as("of the one with the most").hasValue(8);
    assertThat(reads.isSettled()).isTrue();
  }

  @Test
  void nothingIsKnownWithoutReports() {
    var reads = GroupReads.of(false, List.of(report(0, OptionalDouble.empty())));

    assertThat(reads.hitRatio()).isEmpty();
    assertThat(reads.storeFileBytes()).as("of status, which has no size").isEmpty();
    assertThat(reads.isSettled()).isFalse();
  }
}
