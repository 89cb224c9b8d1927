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

  /** As a server responds while the bean comes back. */
  @Test
  void beanWithoutItsNumbersHasNoBlocksYet() throws IOException {
    assertThat(Jmx.cachedBlocks("{\"beans\": [{\"name\": \"%s\"}]}".formatted(Jmx.SERVER)))
        .isZero();
  }

  @Test
  void otherBeanWithoutTheNumberIsAnError() {
    assertThatThrownBy(() -> Jmx.number("{\"beans\": [{\"name\": \"other\"}]}", "other", "number"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("no number number of other");
  }
}
