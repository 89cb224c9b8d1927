package io.offheap.hbase.operator.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Texts of {@code hbase.bucketcache.ioengine}. */
class CacheEngineTest {
  @ParameterizedTest
  @CsvSource({
    "file:/cache/bucket.cache, file, /cache/bucket.cache",
    "'files:/a/cache,/b/cache', files, '/a/cache,/b/cache'",
    "mmap:/a, mmap, /a",
    "pmem:/a:b, pmem, /a:b",
  })
  void parsesEngineOfFiles(String text, String scheme, String paths) {
    var engine = CacheEngine.of(text).orElseThrow();

    assertThat(engine).isEqualTo(new CacheEngine(scheme, paths));
    assertThat(engine.text()).isEqualTo(text);
    assertThat(engine.isOffHeap()).isFalse();
    assertThat(engine.file())
        .isEqualTo(scheme.equals("file") ? Optional.of(paths) : Optional.empty());
  }

  /** HBase compares the beginning alone. */
  @ParameterizedTest
  @ValueSource(strings = {"offheap", "offheap:1"})
  void parsesEngineInDirectMemory(String text) {
    assertThat(CacheEngine.of(text)).contains(CacheEngine.OFF_HEAP);
    assertThat(CacheEngine.OFF_HEAP.text()).isEqualTo("offheap");
  }

  @Test
  void hasNoEngineForTextWithWhichNoServerStarts() {
    for (var text : new String[] {"heap", "file", "FILE:/a", ""}) {
      assertThat(CacheEngine.of(text)).as(text).isEmpty();
    }
  }
}
