package io.offheap.hbase.patches;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.compress.Compression.Algorithm;
import org.apache.hadoop.hbase.io.compress.DirectBlockDecompressor;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.io.encoding.HFileBlockDecodingContext;
import org.apache.hadoop.hbase.io.encoding.HFileBlockDefaultDecodingContext;
import org.apache.hadoop.hbase.io.encoding.HFileBlockDefaultEncodingContext;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileContext;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Blocks unpacked from buffer to buffer: the same bytes and errors as with the published class. */
class DirectDecompressionTest {
  private static final String SWITCH = "hbase.hfile.decompress.direct";

  private static final Decoder PATCHED =
      new Decoder(DirectDecompressionTest.class.getClassLoader());
  private static final Decoder STOCK = new Decoder(Stock.CLASSES);

  /** The decoding context of one of the two class loaders. */
  private static final class Decoder {
    private final Class<?> algorithm;
    private final Constructor<?> builder;
    private final Method withCompression;
    private final Method build;
    private final Constructor<?> context;
    private final Method prepare;
    private final Method wrap;
    private final Method position;

    Decoder(ClassLoader loader) {
      try {
        var byteBuff = loader.loadClass(ByteBuff.class.getName());
        wrap = byteBuff.getMethod("wrap", ByteBuffer[].class);
        position = byteBuff.getMethod("position");
        algorithm = loader.loadClass(Algorithm.class.getName());
        var builderClass = loader.loadClass(HFileContextBuilder.class.getName());
        builder = builderClass.getConstructor();
        withCompression = builderClass.getMethod("withCompression", algorithm);
        build = builderClass.getMethod("build");
        var contextClass = loader.loadClass(HFileBlockDefaultDecodingContext.class.getName());
        context =
            contextClass.getConstructor(
                Configuration.class, loader.loadClass(HFileContext.class.getName()));
        prepare =
            loader
                .loadClass(HFileBlockDecodingContext.class.getName())
                .getMethod("prepareDecoding", int.class, int.class, byteBuff, byteBuff);
      } catch (ReflectiveOperationException e) {
        throw new LinkageError("no such decoding context", e);
      }
    }

    Object context(Algorithm codec, boolean direct) throws ReflectiveOperationException {
      var conf = new Configuration(false);
      conf.setBoolean(SWITCH, direct);
      var named = algorithm.getMethod("valueOf", String.class).invoke(null, codec.name());
      var made = withCompression.invoke(builder.newInstance(), named);
      return context.newInstance(conf, build.invoke(made));
    }

    Object buff(ByteBuffer[] parts) throws ReflectiveOperationException {
      var duplicates = new ByteBuffer[parts.length];
      Arrays.setAll(duplicates, i -> parts[i].duplicate());
      return wrap.invoke(null, (Object) duplicates);
    }

    /** What was thrown, or the position; the result is in the buffers. */
    String decode(Object decoder, ByteBuffer[] out, int length, ByteBuffer[] in)
        throws ReflectiveOperationException {
      var to = buff(out);
      try {
        prepare.invoke(decoder, size(in), length, to, buff(in));
      } catch (InvocationTargetException e) {
        // Not the message of what Java throws often without one.
        return e.getCause() instanceof IOException
            ? e.getCause().toString()
            : e.getCause().getClass().getName();
      }
      return "to " + position.invoke(to);
    }
  }

  private static int size(ByteBuffer[] parts) {
    return Arrays.stream(parts).mapToInt(ByteBuffer::limit).sum();
  }

  private static byte[] bytes(ByteBuffer[] parts) {
    var all = ByteBuffer.allocate(size(parts));
    for (var part : parts) {
      all.put(part.duplicate().rewind());
    }
    return all.array();
  }

  /** Buffers of these sizes, and of what is left; direct and on the heap by turns. */
  private static ByteBuffer[] buffers(int size, boolean firstDirect, int... sizes) {
    List<ByteBuffer> parts = new ArrayList<>();
    boolean direct = firstDirect;
    int left = size;
    for (int part : sizes) {
      if (part > 0 && part < left) {
        parts.add(direct ? ByteBuffer.allocateDirect(part) : ByteBuffer.allocate(part));
        direct = !direct;
        left -= part;
      }
    }
    parts.add(direct ? ByteBuffer.allocateDirect(left) : ByteBuffer.allocate(left));
    return parts.toArray(new ByteBuffer[0]);
  }

  private static ByteBuffer[] filled(byte[] bytes, ByteBuffer[] parts) {
    int from = 0;
    for (var part : parts) {
      part.duplicate().put(bytes, from, part.limit());
      from += part.limit();
    }
    return parts;
  }

  /** As a pool hands them out: all direct but the last. */
  private static ByteBuffer[] pooled(int size, int bufferSize) {
    List<ByteBuffer> parts = new ArrayList<>();
    int left = size;
    for (; left > bufferSize; left -= bufferSize) {
      parts.add(ByteBuffer.allocateDirect(bufferSize));
    }
    parts.add(ByteBuffer.allocate(left));
    return parts.toArray(new ByteBuffer[0]);
  }

  private static List<ByteBuffer[]> layouts(int size) {
    List<ByteBuffer[]> layouts = new ArrayList<>();
    for (boolean direct : new boolean[] {true, false}) {
      layouts.add(buffers(size, direct));
      layouts.add(buffers(size, direct, size / 2));
      layouts.add(buffers(size, direct, 1, 1, 1, 1, 3, 2, 1));
      layouts.add(buffers(size, direct, size - 9, 1, 1, 3, 1, 1, 1));
      layouts.add(buffers(size, direct, size - 7, 4));
    }
    layouts.add(pooled(size, 1 + size / 9));
    return layouts;
  }

  /** Compressible, but not to nothing. */
  private static byte[] data(int size, int seed) {
    var random = new Random(seed);
    var bytes = new byte[size];
    for (int i = 0; i < size; ) {
      int run = Math.min(size - i, 1 + random.nextInt(40));
      if (i > 100 && random.nextInt(3) > 0) {
        System.arraycopy(bytes, i - 50 - random.nextInt(50), bytes, i, Math.min(run, 50));
        i += Math.min(run, 50);
      } else {
        for (int end = i + run; i < end; i++) {
          bytes[i] = (byte) random.nextInt();
        }
      }
    }
    return bytes;
  }

  /** As HBase writes it to a file, without the header. */
  private static byte[] compress(Algorithm codec, byte[] data) throws IOException {
    var header = HConstants.HFILEBLOCK_DUMMY_HEADER;
    var context =
        new HFileBlockDefaultEncodingContext(
            new Configuration(false),
            DataBlockEncoding.NONE,
            header,
            new HFileContextBuilder().withCompression(codec).build());
    try {
      var block = Bytes.add(header, data);
      var compressed = context.compressAndEncrypt(block, 0, block.length);
      return Arrays.copyOfRange(
          compressed.get(),
          compressed.getOffset() + header.length,
          compressed.getOffset() + compressed.getLength());
    } finally {
      context.close();
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Algorithm.class,
      names = {"GZ", "SNAPPY"})
  void theBytesAreThoseThatWereWritten(Algorithm codec) throws Exception {
    var decoder = PATCHED.context(codec, true);
    for (int size :
        new int[] {
          1, 2, 3, 100, 1023, 1024, 1025, 32768, 65535, 65536, 66000, 262144, 300_000, 3_000_000
        }) {
      var data = data(size, size);
      var compressed = compress(codec, data);
      for (var in : layouts(compressed.length)) {
        filled(compressed, in);
        for (var out : layouts(size)) {
          assertThat(PATCHED.decode(decoder, out, size, in)).isEqualTo("to " + size);
          assertThat(bytes(out)).isEqualTo(data);
          if (size > 100_000) {
            break;
          }
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Algorithm.class,
      names = {"GZ", "SNAPPY"})
  void publishedHBaseReadsTheSame(Algorithm codec) throws Exception {
    for (int size : new int[] {1, 1024, 5000, 65536 + 17}) {
      var compressed = compress(codec, data(size, size));
      assertSame(codec, size, compressed, () -> "whole");
      assertSame(codec, size / 2, compressed, () -> "too much");
      assertSame(codec, size + 1, compressed, () -> "too little");
      assertSame(codec, 0, compressed, () -> "nothing");
      assertSame(codec, size, Arrays.copyOf(compressed, compressed.length + 20), () -> "zeros");
    }
  }

  private static void assertSame(
      Algorithm codec, int length, byte[] compressed, Callable<String> what) throws Exception {
    var stock = STOCK.context(codec, true);
    var patched = PATCHED.context(codec, true);
    for (var in :
        List.of(
            buffers(compressed.length, true),
            buffers(compressed.length, false, compressed.length / 2),
            pooled(compressed.length, 1 + compressed.length / 5))) {
      filled(compressed, in);
      for (var out : List.of(buffers(length + 5, true), buffers(length + 5, true, length / 2))) {
        var expected = STOCK.decode(stock, out, length, in);
        var bytes = bytes(out);
        for (var part : out) {
          part.put(new byte[part.limit()]).clear();
        }
        assertThat(PATCHED.decode(patched, out, length, in))
            .as("%s of %s bytes", what.call(), length)
            .isEqualTo(expected);
        if (expected.startsWith("to ")) {
          assertThat(bytes(out)).as(what.call()).isEqualTo(bytes);
        }
      }
    }
  }

  @Test
  void brokenGzipHasTheErrorsOfStock() throws Exception {
    int size = 1500;
    var compressed = compress(Algorithm.GZ, data(size, 11));
    for (int at = 0; at < compressed.length; at++) {
      var bytes = compressed.clone();
      bytes[at] ^= (byte) (1 << at % 8);
      int where = at;
      assertSame(Algorithm.GZ, size, bytes, () -> "wrong at " + where);
      if (at % 5 == 0 || at < 20 || at > compressed.length - 20) {
        assertSame(Algorithm.GZ, size, Arrays.copyOf(compressed, at), () -> "cut at " + where);
      }
    }
  }

  /** Only where published HBase does not write to memory that is not its own. */
  @Test
  void brokenSnappyHasTheErrorsOfStock() throws Exception {
    int size = 1500;
    var compressed = compress(Algorithm.SNAPPY, data(size, 12));
    for (int at = 0; at < compressed.length; at++) {
      int where = at;
      if (at < 4 || (at > 10 && (at < 20 || at % 3 == 0))) {
        var bytes = compressed.clone();
        bytes[at] ^= (byte) (at < 8 ? 3 : 1 << at % 8);
        assertSame(Algorithm.SNAPPY, size, bytes, () -> "wrong at " + where);
      }
      if (at < 12 || at % 17 == 0) {
        assertSame(Algorithm.SNAPPY, size, Arrays.copyOf(compressed, at), () -> "cut at " + where);
      }
    }
    for (int wrong : new int[] {1, 5, 1499, 1501, 1600}) {
      var bytes = compressed.clone();
      bytes[8] = (byte) (wrong | 0x80);
      bytes[9] = (byte) (wrong >> 7);
      assertSame(Algorithm.SNAPPY, size, bytes, () -> "chunk of " + wrong);
    }
  }

  private static byte[] member(int flags, byte[] fields, byte[] data, int wrongCrc, int wrongSize) {
    var deflater = new Deflater(6, true);
    deflater.setInput(data);
    deflater.finish();
    var deflated = new byte[data.length * 2 + 100];
    int length = deflater.deflate(deflated);
    deflater.end();
    var crc = new CRC32();
    crc.update(data);
    var out = ByteBuffer.allocate(10 + fields.length + length + 8);
    out.put(new byte[] {0x1f, (byte) 0x8b, 8, (byte) flags, 1, 2, 3, 4, 5, 6}).put(fields);
    out.put(deflated, 0, length);
    out.order(java.nio.ByteOrder.LITTLE_ENDIAN);
    out.putInt((int) crc.getValue() ^ wrongCrc).putInt(data.length ^ wrongSize);
    return out.array();
  }

  @Test
  void gzipThatHBaseDoesNotWriteIsReadAsByStock() throws Exception {
    var none = new byte[0];
    var text = "name\0".getBytes(java.nio.charset.StandardCharsets.US_ASCII);
    var extra = new byte[] {3, 0, 7, 8, 9};
    for (int size : new int[] {1, 1000, 1024, 5000}) {
      var data = data(size, 13);
      var plain = member(0, none, data, 0, 0);
      List<byte[]> streams = new ArrayList<>();
      streams.add(plain);
      streams.add(member(0, none, data, 1, 0));
      streams.add(member(0, none, data, 0, 1));
      streams.add(member(1, none, data, 0, 0));
      streams.add(member(2, new byte[] {1, 2}, data, 0, 0));
      streams.add(member(4, extra, data, 0, 0));
      streams.add(member(8, text, data, 0, 0));
      streams.add(member(16, text, data, 0, 0));
      streams.add(member(4 | 8 | 16, Bytes.add(extra, text, text), data, 0, 0));
      streams.add(member(32, none, data, 0, 0));
      streams.add(member(0, none, none, 0, 0));
      streams.add(Bytes.add(plain, plain));
      streams.add(Bytes.add(plain, new byte[] {1, 2, 3}));
      streams.add(Bytes.add(member(0, none, none, 0, 0), plain, plain));
      streams.add(Bytes.add(plain, member(0, none, data, 1, 0)));
      streams.add(none);
      for (int i = 0; i < streams.size(); i++) {
        int which = i;
        for (int length : new int[] {size, 2 * size, size / 2, size + 1}) {
          assertSame(Algorithm.GZ, length, streams.get(i), () -> "stream " + which);
        }
      }
    }
  }

  /** The published class takes 8 KiB and more for its streams. */
  @FailsOnStock
  @ParameterizedTest
  @CsvSource({"GZ,1000000", "GZ,66560", "GZ,4096", "SNAPPY,1000000", "SNAPPY,66560", "SNAPPY,4096"})
  void nothingIsCopiedToTheHeap(Algorithm codec, int bufferSize) throws Exception {
    assertThat(heapBytes(codec, bufferSize, true)).isLessThan(3000);
  }

  @ParameterizedTest
  @EnumSource(
      value = Algorithm.class,
      names = {"GZ", "SNAPPY"})
  void aSettingBringsTheStreamsBack(Algorithm codec) throws Exception {
    assertThat(heapBytes(codec, 1_000_000, false)).isGreaterThan(5000);
  }

  private static long heapBytes(Algorithm codec, int bufferSize, boolean direct) throws Exception {
    int size = 65536 + 500;
    var compressed = compress(codec, data(size, 14));
    var in = PATCHED.buff(filled(compressed, pooledDirect(compressed.length, bufferSize)));
    var out = PATCHED.buff(pooledDirect(size, bufferSize));
    var from = (ByteBuff) in;
    var to = (ByteBuff) out;
    var decoder = (HFileBlockDecodingContext) PATCHED.context(codec, direct);
    return Heap.bytes(
        () -> {
          decoder.prepareDecoding(compressed.length, size, to.rewind(), from.rewind());
          return null;
        });
  }

  private static ByteBuffer[] pooledDirect(int size, int bufferSize) {
    List<ByteBuffer> parts = new ArrayList<>();
    for (int left = size; left > 0; left -= bufferSize) {
      parts.add(ByteBuffer.allocateDirect(Math.min(left, bufferSize)));
    }
    return parts.toArray(new ByteBuffer[0]);
  }

  @Test
  void decompressorsAreReusedAndNeverShared() throws Exception {
    int threads = 6;
    var executor = Executors.newFixedThreadPool(threads);
    try {
      List<Future<?>> results = new ArrayList<>();
      for (int thread = 0; thread < threads; thread++) {
        int seed = thread;
        results.add(
            executor.submit(
                () -> {
                  for (var codec : List.of(Algorithm.GZ, Algorithm.SNAPPY)) {
                    int size = 20_000 + seed;
                    var data = data(size, seed);
                    var compressed = compress(codec, data);
                    var broken = compressed.clone();
                    broken[broken.length - 6] ^= 1;
                    var decoder = PATCHED.context(codec, true);
                    for (int i = 0; i < 100; i++) {
                      var in =
                          filled(i % 4 == 3 ? broken : compressed, pooled(compressed.length, 999));
                      var out = pooled(size, 7000);
                      if (PATCHED.decode(decoder, out, size, in).startsWith("to ") && i % 4 != 3) {
                        assertThat(bytes(out)).isEqualTo(data);
                      } else {
                        assertThat(i % 4).isEqualTo(3);
                      }
                    }
                  }
                  return null;
                }));
      }
      for (var result : results) {
        result.get();
      }
    } finally {
      executor.shutdown();
    }
    assertThat(idle("GZIP")).isBetween(1, threads + 1);
    assertThat(idle("SNAPPY")).isBetween(1, threads + 1);
  }

  /** All decompressors of this kind that were ever made, when none is in use. */
  private static int idle(String pool) throws ReflectiveOperationException {
    var field = DirectBlockDecompressor.class.getDeclaredField(pool);
    field.setAccessible(true);
    var value = field.get(null);
    var idle = value.getClass().getDeclaredField("idle");
    idle.setAccessible(true);
    return ((Collection<?>) idle.get(value)).size();
  }

  @ParameterizedTest
  @EnumSource(DataBlockEncoding.class)
  void filesAreReadTheSameWithEveryEncoding(
      DataBlockEncoding encoding, @TempDir java.nio.file.Path folder) throws Exception {
    for (var codec : List.of(Algorithm.NONE, Algorithm.GZ, Algorithm.SNAPPY)) {
      var conf = new Configuration(false);
      conf.set("fs.defaultFS", "file:///");
      var path = new Path(folder.resolve(codec.name()).toUri());
      var written = write(conf, path, codec, encoding);
      for (boolean direct : new boolean[] {true, false}) {
        conf.setBoolean(SWITCH, direct);
        for (int bufferSize : new int[] {1 << 17, 66560, 3000}) {
          conf.setInt(ByteBuffAllocator.BUFFER_SIZE_KEY, bufferSize);
          conf.setInt(ByteBuffAllocator.MIN_ALLOCATE_SIZE_KEY, 1);
          conf.setInt(ByteBuffAllocator.MAX_BUFFER_COUNT_KEY, 500);
          assertThat(read(conf, path)).isEqualTo(written);
        }
      }
    }
  }

  private static byte[] write(
      Configuration conf, Path path, Algorithm codec, DataBlockEncoding encoding)
      throws IOException {
    var context =
        new HFileContextBuilder()
            .withCompression(codec)
            .withDataBlockEncoding(encoding)
            .withBlockSize(65536)
            .build();
    var bytes = new ByteArrayOutputStream();
    try (var writer =
        HFile.getWriterFactoryNoCache(conf)
            .withPath(FileSystem.get(conf), path)
            .withFileContext(context)
            .create()) {
      for (int row = 0; row < 600; row++) {
        var key = Bytes.toBytes(row);
        var cell = new KeyValue(key, Bytes.toBytes("f"), key, 1, data(row * 31 % 1500, row));
        writer.append(cell);
        bytes.write(cell.getBuffer(), cell.getOffset(), cell.getLength());
      }
    }
    return bytes.toByteArray();
  }

  private static byte[] read(Configuration conf, Path path) throws IOException {
    var allocator = ByteBuffAllocator.create(conf, true);
    var cacheConf = new CacheConfig(conf, null, null, allocator);
    var bytes = new ByteArrayOutputStream();
    try (var reader = HFile.createReader(FileSystem.get(conf), path, cacheConf, true, conf)) {
      try (var scanner = reader.getScanner(conf, false, true, false)) {
        for (boolean more = scanner.seekTo(); more; more = scanner.next()) {
          var cell = KeyValueUtil.copyToNewKeyValue(scanner.getCell());
          bytes.write(cell.getBuffer(), cell.getOffset(), cell.getLength());
        }
      }
    }
    assertThat(allocator.getUsedBufferCount()).isPositive();
    assertThat(allocator.getBuffersInUse()).isZero();
    return bytes.toByteArray();
  }
}
