package io.offheap.hbase.patches;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.fs.HFileSystem;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.ChecksumType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Checksums verified where a block lies: the verdict is always that of the published class. */
class ChecksumInPlaceTest {
  private static final int HEADER = 33;
  private static final int TYPE = 24;
  private static final int BYTES_PER_CHECKSUM = 25;
  private static final int DATA_SIZE = 29;

  private static final Verifier PATCHED = new Verifier(ChecksumInPlaceTest.class.getClassLoader());
  private static final Verifier STOCK = new Verifier(Stock.CLASSES);

  /**
   * ChecksumUtil of one of the two class loaders, which shares no class of HBase's with the other.
   */
  private static final class Verifier {
    private final Method wrap;
    private final Method limit;
    private final Method position;
    private final Method validate;

    Verifier(ClassLoader loader) {
      try {
        var byteBuff = loader.loadClass(ByteBuff.class.getName());
        wrap = byteBuff.getMethod("wrap", ByteBuffer[].class);
        limit = byteBuff.getMethod("limit", int.class);
        position = byteBuff.getMethod("position", int.class);
        validate =
            loader
                .loadClass("org.apache.hadoop.hbase.io.hfile.ChecksumUtil")
                .getDeclaredMethod(
                    "validateChecksum", byteBuff, String.class, long.class, int.class);
        validate.setAccessible(true);
      } catch (ReflectiveOperationException e) {
        throw new LinkageError("no such ChecksumUtil", e);
      }
    }

    /** The buffers, limited to the block as a reader does it, and then at another position. */
    Object buff(ByteBuffer[] parts, int size, int at) throws ReflectiveOperationException {
      var duplicates = new ByteBuffer[parts.length];
      Arrays.setAll(duplicates, i -> parts[i].duplicate());
      var buff = wrap.invoke(null, (Object) duplicates);
      limit.invoke(buff, size);
      position.invoke(buff, at);
      return buff;
    }

    Object validate(Object buff) throws ReflectiveOperationException {
      try {
        return validate.invoke(null, buff, "a/file", 4711L, HEADER);
      } catch (InvocationTargetException e) {
        // Not its message, which Java leaves out of what is thrown often.
        return e.getCause().getClass().getName();
      }
    }

    /** True, false, or what was thrown; and how the buffers were left. */
    String verdict(ByteBuffer[] parts, int size, int at) throws ReflectiveOperationException {
      var buff = buff(parts, size, at);
      return validate(buff) + " " + buff;
    }
  }

  private static int sums(int dataSize, int bytesPerChecksum) {
    return 4 * (1 + (dataSize - 1) / bytesPerChecksum);
  }

  /** A block of random bytes: header, data and checksums. */
  private static byte[] block(Random random, ChecksumType type, int dataSize, int perChecksum) {
    int sums = type == ChecksumType.NULL ? 0 : sums(dataSize, perChecksum);
    var bytes = new byte[dataSize + sums];
    random.nextBytes(bytes);
    var block = ByteBuffer.wrap(bytes);
    block.put(TYPE, type.getCode());
    block.putInt(BYTES_PER_CHECKSUM, perChecksum);
    block.putInt(DATA_SIZE, dataSize);
    Checksum checksum = type == ChecksumType.CRC32 ? new CRC32() : new CRC32C();
    block.position(dataSize);
    for (int from = 0; block.hasRemaining(); from += perChecksum) {
      checksum.reset();
      checksum.update(bytes, from, Math.min(perChecksum, dataSize - from));
      block.putInt((int) checksum.getValue());
    }
    return bytes;
  }

  /** The bytes cut at these places, with heap and direct buffers by turns. */
  private static ByteBuffer[] cut(byte[] bytes, boolean firstDirect, int... cuts) {
    List<ByteBuffer> parts = new ArrayList<>();
    boolean direct = firstDirect;
    int from = 0;
    for (int to : Arrays.stream(cuts).sorted().distinct().toArray()) {
      if (to > from && to < bytes.length) {
        parts.add(buffer(bytes, from, to, direct));
        direct = !direct;
        from = to;
      }
    }
    parts.add(buffer(bytes, from, bytes.length, direct));
    return parts.toArray(new ByteBuffer[0]);
  }

  private static ByteBuffer buffer(byte[] bytes, int from, int to, boolean direct) {
    var buffer = direct ? ByteBuffer.allocateDirect(to - from) : ByteBuffer.allocate(to - from);
    return buffer.put(bytes, from, to - from).flip();
  }

  private static ByteBuffer[] allDirect(byte[] bytes, int size) {
    List<ByteBuffer> parts = new ArrayList<>();
    for (int from = 0; from < bytes.length; from += size) {
      parts.add(buffer(bytes, from, Math.min(from + size, bytes.length), true));
    }
    return parts.toArray(new ByteBuffer[0]);
  }

  /** Layouts whose seams are where they hurt: within sums, at chunks' ends, within the header. */
  private static List<ByteBuffer[]> layouts(byte[] bytes, int dataSize, int perChecksum) {
    int afterSums = dataSize + sums(dataSize, perChecksum);
    List<ByteBuffer[]> layouts = new ArrayList<>();
    layouts.add(cut(bytes, true));
    layouts.add(cut(bytes, false));
    layouts.add(new ByteBuffer[] {buffer(bytes, 0, bytes.length, true).asReadOnlyBuffer()});
    for (boolean direct : new boolean[] {true, false}) {
      for (int at = 1; at <= 4; at++) {
        layouts.add(cut(bytes, direct, dataSize + at));
        layouts.add(cut(bytes, direct, dataSize - at, dataSize + 4 + at));
        layouts.add(cut(bytes, direct, afterSums - at));
      }
      layouts.add(cut(bytes, direct, dataSize));
      layouts.add(cut(bytes, direct, afterSums));
      layouts.add(cut(bytes, direct, 1, TYPE, TYPE + 2, DATA_SIZE + 1, HEADER));
      layouts.add(cut(bytes, direct, perChecksum, 2 * perChecksum));
      layouts.add(cut(bytes, direct, perChecksum - 1, perChecksum + 1, 2 * perChecksum - 1));
      layouts.add(cut(bytes, direct, dataSize / 2, dataSize / 2 + 1, dataSize / 2 + 2));
    }
    layouts.add(allDirect(bytes, Math.max(7, bytes.length / 50)));
    return layouts;
  }

  /** The block with what follows it in the buffers that it was read into. */
  private static byte[] withNext(byte[] block, Random random) {
    var bytes = Arrays.copyOf(block, block.length + HEADER);
    for (int i = block.length; i < bytes.length; i++) {
      bytes[i] = (byte) random.nextInt();
    }
    return bytes;
  }

  private static void assertSame(byte[] block, int size, int dataSize, int perChecksum, String what)
      throws ReflectiveOperationException {
    for (var parts : layouts(block, dataSize, perChecksum)) {
      int at = Math.min(size, parts[0].limit() / 2);
      assertThat(PATCHED.verdict(parts, size, at))
          .as(() -> what + " in " + Arrays.toString(parts))
          .isEqualTo(STOCK.verdict(parts, size, at));
    }
  }

  @ParameterizedTest
  @EnumSource(ChecksumType.class)
  void wholeBlocksAreTrue(ChecksumType type) throws ReflectiveOperationException {
    var random = new Random(1);
    for (int perChecksum : new int[] {1, 3, 33, 256, 4096, 16384, 1 << 20}) {
      for (int dataSize : new int[] {HEADER, 34, 66, 255, 256, 257, 512, 4097, 65536 + HEADER}) {
        if (dataSize / perChecksum > 1000) {
          continue;
        }
        int chunk = Math.min(perChecksum, dataSize);
        var block = block(random, type, dataSize, perChecksum);
        var bytes = withNext(block, random);
        for (var parts : layouts(bytes, dataSize, chunk)) {
          int at = Math.min(block.length, parts[0].limit() / 2);
          assertThat(PATCHED.verdict(parts, block.length, at))
              .as(() -> dataSize + " by " + perChecksum + " in " + Arrays.toString(parts))
              .startsWith("true ")
              .isEqualTo(STOCK.verdict(parts, block.length, at));
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource(ChecksumType.class)
  void oneWrongBitAnywhereHasTheVerdictOfStock(ChecksumType type)
      throws ReflectiveOperationException {
    var random = new Random(2);
    for (int perChecksum : new int[] {3, 50, 129, 1000}) {
      int dataSize = HEADER + 100;
      var block = block(random, type, dataSize, perChecksum);
      for (int at = 0; at < block.length; at++) {
        var bytes = withNext(block, random);
        bytes[at] ^= (byte) (1 << random.nextInt(8));
        assertSame(bytes, block.length, dataSize, perChecksum, type + " wrong at " + at);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(ChecksumType.class)
  void aWrongByteInALargeBlockIsFound(ChecksumType type) throws ReflectiveOperationException {
    var random = new Random(3);
    int dataSize = 65536 + HEADER;
    int perChecksum = 16384;
    var block = block(random, type, dataSize, perChecksum);
    int sums = block.length - dataSize;
    for (int at = DATA_SIZE + 4; at < block.length; at += at < dataSize ? 1021 : 1) {
      var bytes = withNext(block, random);
      bytes[at] ^= (byte) (1 + random.nextInt(255));
      for (var parts : List.of(cut(bytes, true), cut(bytes, true, 65536), allDirect(bytes, 4096))) {
        assertThat(PATCHED.verdict(parts, block.length, 0))
            .as("wrong at %s", at)
            .startsWith(sums == 0 ? "true " : "false ")
            .isEqualTo(STOCK.verdict(parts, block.length, 0));
      }
    }
  }

  /** Also sizes that are no sizes at all, and headers that are none. */
  @ParameterizedTest
  @EnumSource(ChecksumType.class)
  void impossibleHeadersHaveTheVerdictOfStock(ChecksumType type)
      throws ReflectiveOperationException {
    var random = new Random(4);
    int dataSize = 500;
    int perChecksum = 64;
    var block = block(random, type, dataSize, perChecksum);
    var values =
        new int[] {
          Integer.MIN_VALUE,
          -1,
          0,
          1,
          4,
          HEADER,
          63,
          65,
          499,
          501,
          503,
          504,
          505,
          block.length - 1,
          block.length,
          block.length + 1,
          block.length + HEADER,
          block.length + HEADER + 1,
          1 << 20
        };
    for (int value : values) {
      var bytes = withNext(block, random);
      ByteBuffer.wrap(bytes).putInt(DATA_SIZE, value);
      assertSame(bytes, block.length, dataSize, perChecksum, type + " data size " + value);
      if (value < 1 << 20) {
        bytes = withNext(block, random);
        ByteBuffer.wrap(bytes).putInt(BYTES_PER_CHECKSUM, value);
        assertSame(bytes, block.length, dataSize, perChecksum, type + " chunk size " + value);
      }
    }
    for (int code = Byte.MIN_VALUE; code <= Byte.MAX_VALUE; code++) {
      var bytes = withNext(block, random);
      bytes[TYPE] = (byte) code;
      assertSame(bytes, block.length, dataSize, perChecksum, type + " as type " + code);
    }
  }

  /** The published class makes a copy of that size, and the server runs out of memory. */
  @FailsOnStock
  @Test
  void aHugeChunkSizeIsOneChunk() throws ReflectiveOperationException {
    var random = new Random(8);
    var block = block(random, ChecksumType.CRC32C, 500, Integer.MAX_VALUE);
    assertThat(PATCHED.verdict(cut(block, true), block.length, 0)).startsWith("true ");
    block[100] ^= 1;
    assertThat(PATCHED.verdict(cut(block, true), block.length, 0)).startsWith("false ");
  }

  @ParameterizedTest
  @EnumSource(ChecksumType.class)
  void truncatedBlocksHaveTheVerdictOfStock(ChecksumType type) throws ReflectiveOperationException {
    var random = new Random(5);
    int dataSize = 500;
    int perChecksum = 64;
    var block = block(random, type, dataSize, perChecksum);
    for (int size = HEADER; size < block.length; size += size < dataSize - 8 ? 37 : 1) {
      // Once with the rest of it behind the limit, once without.
      assertSame(block, size, dataSize, perChecksum, "limit " + size);
      assertSame(Arrays.copyOf(block, size), size, dataSize, perChecksum, "capacity " + size);
    }
  }

  @Test
  void randomBlocksCutAnywhereHaveTheVerdictOfStock() throws ReflectiveOperationException {
    var random = new Random(6);
    int agreed = 0;
    for (int round = 0; round < 3000; round++) {
      var type = ChecksumType.codeToType((byte) random.nextInt(3));
      int dataSize = HEADER + random.nextInt(3000);
      var block = block(random, type, dataSize, 1 + random.nextInt(700));
      var bytes = random.nextBoolean() ? withNext(block, random) : block.clone();
      if (random.nextBoolean()) {
        bytes[random.nextInt(bytes.length)] ^= (byte) (1 + random.nextInt(255));
      }
      var cuts = random.ints(random.nextInt(6), 1, bytes.length).toArray();
      var parts = cut(bytes, random.nextBoolean(), cuts);
      var patched = PATCHED.verdict(parts, block.length, 0);
      assertThat(patched)
          .as(() -> Arrays.toString(parts))
          .isEqualTo(STOCK.verdict(parts, block.length, 0));
      agreed += patched.startsWith("true ") ? 1 : 0;
    }
    assertThat(agreed).isBetween(1000, 2500);
  }

  /** The published class takes 16 KiB for the copies of its chunks. */
  @FailsOnStock
  @ParameterizedTest
  @EnumSource(names = {"CRC32", "CRC32C"})
  void aDirectBlockIsNotCopied(ChecksumType type) throws Exception {
    assertThat(heapBytes(PATCHED, type, 1 << 20)).isLessThan(600);
  }

  @FailsOnStock
  @ParameterizedTest
  @ValueSource(ints = {66560, 16384, 4096})
  void aBlockInSeveralBuffersIsNotCopied(int bufferSize) throws Exception {
    int buffers = 1 + 65536 / bufferSize;
    assertThat(heapBytes(PATCHED, ChecksumType.CRC32C, bufferSize)).isLessThan(600 + 80L * buffers);
  }

  private static long heapBytes(Verifier verifier, ChecksumType type, int bufferSize)
      throws Exception {
    var bytes = block(new Random(7), type, 65536 + HEADER, 16384);
    var buff = verifier.buff(allDirect(bytes, bufferSize), bytes.length, 0);
    return Heap.bytes(() -> verifier.validate(buff));
  }

  @Test
  void aSettingBringsTheCopiesBack(@TempDir java.nio.file.Path folder) throws Exception {
    // HBase leaves the checksums of a LocalFileSystem alone.
    var conf = new Configuration(false);
    conf.set("fs.defaultFS", "file:///");
    conf.setClass("fs.file.impl", RawLocalFileSystem.class, FileSystem.class);
    conf.setBoolean("fs.file.impl.disable.cache", true);
    conf.setInt(ByteBuffAllocator.MIN_ALLOCATE_SIZE_KEY, 1);
    conf.setInt(ByteBuffAllocator.BUFFER_SIZE_KEY, 1 << 17);
    var path = new Path(folder.resolve("file").toUri());
    writeFile(conf, path);
    long inPlace = heapBytesOfARead(conf, path);
    conf.setBoolean("hbase.hfile.checksum.inplace", false);
    assertThat(heapBytesOfARead(conf, path)).isGreaterThan(inPlace + 12_000);
  }

  private static void writeFile(Configuration conf, Path path) throws Exception {
    var context = new HFileContextBuilder().withBytesPerCheckSum(16384).build();
    try (var writer =
        HFile.getWriterFactoryNoCache(conf)
            .withPath(new HFileSystem(conf, true), path)
            .withFileContext(context)
            .create()) {
      for (int row = 0; row < 300; row++) {
        var key = Bytes.toBytes(row);
        writer.append(new KeyValue(key, key, key, 1, new byte[1000]));
      }
    }
  }

  private static long heapBytesOfARead(Configuration conf, Path path) throws Exception {
    var cacheConf = new CacheConfig(conf, null, null, ByteBuffAllocator.create(conf, true));
    var fs = new HFileSystem(conf, true);
    try (var reader = HFile.createReader(fs, path, cacheConf, true, conf)) {
      var first = reader.readBlock(0, -1, false, true, false, true, null, null);
      long size = first.getOnDiskSizeWithHeader();
      first.release();
      return Heap.bytes(
          () -> reader.readBlock(0, size, false, true, false, true, null, null).release());
    }
  }
}
