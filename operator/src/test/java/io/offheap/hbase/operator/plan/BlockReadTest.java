package io.offheap.hbase.operator.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BlockReadTest {
  private static final long BUFFER = 67_584;
  private static final long BLOCK = 65_536;

  @ParameterizedTest
  @ValueSource(longs = {33, 512, 4096, 16_384, 131_072})
  void readThatFitsByOwnChecksumsFitsByOthersToo(long bytesPerChecksum) {
    long size = BlockRead.byOwnChecksums(BUFFER, bytesPerChecksum);

    var fitting =
        LongStream.range(1, 3_000)
            .filter(cell -> BlockRead.bytes(BLOCK, cell) <= size)
            .boxed()
            .toList();

    assertThat(fitting)
        .allSatisfy(
            cell ->
                assertThat(BlockRead.bytes(BLOCK, cell, bytesPerChecksum))
                    .isLessThanOrEqualTo(BUFFER));
  }

  /** No plan has it any more; a stored one may. */
  @Test
  void checksumsOfNoBytesAreThoseOfFewest() {
    assertThat(BlockRead.bytes(BLOCK, 939, 0)).isEqualTo(BlockRead.bytes(BLOCK, 939, 33));
  }
}
