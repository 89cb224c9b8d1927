package io.offheap.hbase.report.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class JmxTest {
  @Test
  void readsHowManyBlocksAreCached() throws IOException {
    assertThat(Jmx.cachedBlocks("{\"beans\": [{\"blockCacheCount\": 1234}]}")).isEqualTo(1234);
  }

  /** As a server responds while it opens regions. */
  @Test
  void beanThatIsAwayForAMomentHasNoBlocksYet() throws IOException {
    assertThat(Jmx.cachedBlocks("{\"beans\": []}")).isZero();
  }

  @Test
  void beanWithoutTheNumberIsAnError() {
    assertThatThrownBy(() -> Jmx.cachedBlocks("{\"beans\": [{\"name\": \"other\"}]}"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("no number blockCacheCount");
  }
}
