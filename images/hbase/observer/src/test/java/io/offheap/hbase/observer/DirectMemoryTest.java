package io.offheap.hbase.observer;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DirectMemoryTest {
  private static final long MIB = 1L << 20;

  @ParameterizedTest
  @CsvSource({
    "file:/cache/data, 128, 128",
    "'files:/cache/0,/cache/1', 128, 128",
    "mmap:/cache/data, 66, 68",
    "offheap, 128, 0",
    "pmem:/cache/data, 128, 0",
    "'', 128, 0"
  })
  void countsTheRamBufferOfACacheInFiles(String engine, long size, long expected) {
    var configuration = withRamBuffer(engine, size);

    assertThat(DirectMemory.ramBufferDirectBytes(configuration)).isEqualTo(expected * MIB);
  }

  @Test
  void countsNoRamBufferThatIsOff() {
    var configuration = withRamBuffer("file:/cache/data", 128);
    configuration.setBoolean("hbase.bucketcache.rambuffer.enable", false);

    assertThat(DirectMemory.ramBufferDirectBytes(configuration)).isZero();
  }

  private static Configuration withRamBuffer(String engine, long mebibytes) {
    var configuration = new Configuration(false);
    configuration.set("hbase.bucketcache.ioengine", engine);
    configuration.setBoolean("hbase.bucketcache.rambuffer.enable", true);
    configuration.setLong("hbase.bucketcache.rambuffer.size", mebibytes);
    return configuration;
  }
}
