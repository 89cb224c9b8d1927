package io.offheap.hbase.operator.proof;

import static org.assertj.core.api.Assertions.assertThat;

import io.offheap.hbase.operator.plan.Allocation;
import io.offheap.hbase.operator.plan.BlockRead;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.io.compress.Compression.Algorithm;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * HBase's writer and reader against {@link BlockRead}: how many bytes a read requests from the
 * allocator, and that a buffer of that size, rounded up to 1 KiB, takes the block in one piece.
 *
 * <p>What HBase 2.6.4 does:
 *
 * <ul>
 *   <li>Neither encoded nor compressed, the bound is met to the byte.
 *   <li>PREFIX, DIFF and FAST_DIFF stay under it: a block ends when its cells reach the block size
 *       before or after encoding, and encoding makes them smaller.
 *   <li>ROW_INDEX_V1 goes over it by {@value #ROW_INDEX_BYTES} bytes: the encoding's id, the row
 *       count, the offset of the last row and the length of the cells come after the block was
 *       ended.
 *   <li>A compressed block requests memory twice: for its compressed bytes, then for 33 and the
 *       bytes themselves. The first goes over the bound where the values cannot be compressed: by
 *       GZ's 18 and 5 for each 16 KiB. Where they can, it is soon under the allocator's minimal
 *       size, and then comes from the heap, unlike the second.
 * </ul>
 */
@Tag("verify")
class HFileReadsIT {
  private static final int ROW_INDEX_BYTES = 14;

  private static final List<Integer> BLOCK_BYTES = List.of(16_384, 65_536, 131_072);

  @TempDir Path directory;

  static Stream<Arguments> plainFiles() {
    return BLOCK_BYTES.stream()
        .flatMap(
            block ->
                Stream.of(100, 939, 1050, 4035, 100_000).map(cell -> Arguments.of(block, cell)));
  }

  @ParameterizedTest(name = "blocks of {0}, cells of {1}")
  @MethodSource("plainFiles")
  void latestEndingBlockRequestsExactlyTheLimit(int block, int cell) throws IOException {
    var file = write(block, DataBlockEncoding.NONE, Algorithm.NONE, cell);
    var allocator = RecordingAllocator.of(bufferBytes(block, cell));

    int blocks = file.readDataBlocks(allocator, read -> assertThat(isSingle(read)).isTrue());

    assertThat(blocks).isPositive();
    assertThat(allocator.takeRequests()).containsOnly((int) BlockRead.bytes(block, cell));
    assertThat(allocator.getHeapAllocationBytes()).isZero();
    allocator.clean();
  }

  @ParameterizedTest(name = "blocks of {0}, cells of {1}")
  @MethodSource("plainFiles")
  void bufferOneKibibyteSmallerSplitsBlock(int block, int cell) throws IOException {
    var file = write(block, DataBlockEncoding.NONE, Algorithm.NONE, cell);
    var allocator = RecordingAllocator.of(bufferBytes(block, cell) - 1024);

    file.readDataBlocks(allocator, read -> assertThat(isSingle(read)).isFalse());

    allocator.clean();
  }

  static Stream<Arguments> packedFiles() {
    return Stream.of(DataBlockEncoding.values())
        .flatMap(
            encoding ->
                Stream.of(Algorithm.NONE, Algorithm.GZ, Algorithm.SNAPPY)
                    .map(compression -> Arguments.of(encoding, compression)));
  }

  @ParameterizedTest(name = "{0}, {1}")
  @MethodSource("packedFiles")
  void encodingAndCompressionAddAtMostPlannedBytes(
      DataBlockEncoding encoding, Algorithm compression) throws IOException {
    for (int block : BLOCK_BYTES) {
      for (int cell : new int[] {100, 939, 4035, 100_000}) {
        var file = write(block, encoding, compression, cell);
        int perCell = encoding == DataBlockEncoding.ROW_INDEX_V1 ? ROW_INDEX_BYTES : 0;
        int cellAsStored = cell + perCell;
        long bound =
            BlockRead.bytes(block, cellAsStored) + growth(compression, block - 1 + cellAsStored);
        var allocator = RecordingAllocator.of(roundUpToKibibyte(bound));

        file.readDataBlocks(
            allocator,
            read -> assertThat(isSingle(read)).as("blocks of %d, %d", block, cell).isTrue());

        assertThat(Collections.max(allocator.takeRequests()))
            .as("blocks of %d, cells of %d", block, cell)
            .isLessThanOrEqualTo((int) bound);
        assertThat(allocator.getHeapAllocationBytes()).isZero();
        allocator.clean();
      }
    }
  }

  /** Bytes that a codec adds to values that it cannot compress. */
  private static long growth(Algorithm compression, long payload) {
    return switch (compression) {
      // gzip's frame, and the head of each stored block of zlib.
      case GZ -> 18 + 5 * (payload / 16_383 + 1);
      // Snappy's bound is payload / 6 + 32; from literals alone it is far less.
      case SNAPPY -> 32 + payload / 1024;
      default -> 0;
    };
  }

  @ParameterizedTest(name = "blocks of {0}, cells of {1}")
  @MethodSource("plainFiles")
  void rowIndexExceedsBoundByFewBytes(int block, int cell) throws IOException {
    var file = write(block, DataBlockEncoding.ROW_INDEX_V1, Algorithm.NONE, cell);
    var allocator = RecordingAllocator.of(bufferBytes(block, cell + ROW_INDEX_BYTES));

    file.readDataBlocks(allocator, read -> assertThat(isSingle(read)).isTrue());

    assertThat(allocator.takeRequests())
        .containsOnly((int) BlockRead.bytes(block, cell + ROW_INDEX_BYTES));
    allocator.clean();
  }

  @Test
  void defaultBufferIsTooSmallForRowIndexesOfItsCells() throws IOException {
    var file = write(65_536, DataBlockEncoding.ROW_INDEX_V1, Algorithm.NONE, 939);
    var allocator = RecordingAllocator.of(66_560);

    file.readDataBlocks(allocator, read -> assertThat(isSingle(read)).isFalse());

    allocator.clean();
  }

  @Test
  void incompressibleCellsRequestMoreThanTheLimit() throws IOException {
    var file = write(131_072, DataBlockEncoding.NONE, Algorithm.GZ, 100_000);
    var allocator = RecordingAllocator.of(bufferBytes(131_072, 100_000));

    file.readDataBlocks(allocator, read -> assertThat(isSingle(read)).isTrue());

    assertThat(Collections.max(allocator.takeRequests()))
        .isGreaterThan((int) BlockRead.bytes(131_072, 100_000));
    allocator.clean();
  }

  @Test
  void blockThatCompressesWellIsReadFromTheHeapAndUnpackedIntoThePool() throws IOException {
    var context = SizedHFile.context(65_536, DataBlockEncoding.NONE, Algorithm.GZ);
    var file = SizedHFile.write(path(), context, 939, SizedCells.zero(), 0);
    var allocator = RecordingAllocator.of(66_560);

    file.readDataBlocks(allocator, read -> assertThat(isSingle(read)).isTrue());

    var requests = allocator.takeRequests();
    assertThat(requests).contains(33 + 65_536 - 1 + 939);
    assertThat(allocator.getHeapAllocationBytes())
        .isPositive()
        .isEqualTo(
            requests.stream()
                .mapToLong(request -> Allocation.of(request, 66_560, 66_560 / 6).heapBytes())
                .sum());
    allocator.clean();
  }

  @ParameterizedTest(name = "tags {0}, a tag of {1}, sequence id {2}")
  @CsvSource({
    "false, , 0, 1",
    "false, , 100, 1",
    "false, , 1000, 3",
    "true, , 0, 3",
    "true, 20, 0, 26",
    "true, 20, 1000000, 29"
  })
  void cellIsCountedWithLengthsTagsAndSequenceId(
      boolean tags, Integer tagBytes, long sequenceId, int more) throws IOException {
    var context =
        new HFileContextBuilder()
            .withBlockSize(1)
            .withIncludesTags(tags)
            .withIncludesMvcc(true)
            .build();
    var tag = tagBytes == null ? OptionalInt.empty() : OptionalInt.of(tagBytes);
    var cells = IntStream.range(0, 10).mapToObj(i -> SizedCells.tagged(i, 500, tag, sequenceId));
    var file = SizedHFile.write(path(), context, cells.toList());
    var allocator = RecordingAllocator.of(1024);

    int blocks = file.readDataBlocks(allocator, read -> {});

    // 8 of lengths; 2 + 10 + 1 + 1 + 1 + 8 + 1 of key; the value; then tags and sequence id.
    int cell = 8 + 24 + 500 + more;
    assertThat(blocks).isEqualTo(10);
    assertThat(allocator.takeRequests()).containsOnly((int) BlockRead.bytes(1, cell));
    allocator.clean();
  }

  private SizedHFile write(int block, DataBlockEncoding encoding, Algorithm compression, int cell)
      throws IOException {
    var context = SizedHFile.context(block, encoding, compression);
    // Four bytes of row offset count for each cell where HBase decides to end the block.
    int encoded = encoding == DataBlockEncoding.ROW_INDEX_V1 ? Integer.BYTES : 0;
    return SizedHFile.write(path(), context, cell, SizedCells.random(), encoded);
  }

  private Path path() {
    return directory.resolve("0123456789abcdef0123456789abcdef");
  }

  private static boolean isSingle(HFileBlock block) {
    return Blocks.isOneDirectBuffer(block);
  }

  private static long bufferBytes(int block, int cell) {
    return roundUpToKibibyte(BlockRead.bytes(block, cell));
  }

  private static long roundUpToKibibyte(long bytes) {
    return (bytes + 1023) / 1024 * 1024;
  }
}
