package org.apache.hadoop.hbase.regionserver.wal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.offheap.hbase.patches.FailsOnStock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.io.asyncfs.monitor.StreamSlowMonitor;
import org.apache.hadoop.hbase.regionserver.MultiVersionConcurrencyControl;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.hadoop.hbase.wal.WAL;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.apache.hadoop.hbase.wal.WALKeyImpl;
import org.apache.hadoop.hbase.wal.WALProvider.AsyncWriter;
import org.apache.hbase.thirdparty.io.netty.channel.EventLoopGroup;
import org.apache.hbase.thirdparty.io.netty.channel.nio.NioEventLoopGroup;
import org.apache.hbase.thirdparty.io.netty.channel.socket.nio.NioSocketChannel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The log stops before it has sent more than it may without an acknowledgement, and continues with
 * each one, however its writers end.
 */
class UnackedBytesTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int ENTRY = 100 << 10;
  private static final int LIMIT = 1 << 20;
  private static final byte[] NAME = Bytes.toBytes("f");
  private static final RegionInfo REGION =
      RegionInfoBuilder.newBuilder(TableName.valueOf("t")).build();

  @TempDir java.nio.file.Path folder;

  private final EventLoopGroup loop = new NioEventLoopGroup(1);
  private final ExecutorService clients = Executors.newCachedThreadPool();
  private final MultiVersionConcurrencyControl mvcc = new MultiVersionConcurrencyControl();
  private final List<Writer> writers = new CopyOnWriteArrayList<>();
  private final AtomicBoolean rollRequested = new AtomicBoolean();
  private final AtomicInteger rollsWithoutMemory = new AtomicInteger();
  private AsyncFSWAL wal;

  /** What was written, and what of it the data nodes have, which respond where a test lets them. */
  private static final class Writer implements AsyncWriter {
    private record Sync(int entries, CompletableFuture<Long> done) {}

    private final List<String> rows = new ArrayList<>();
    private final Deque<Sync> syncs = new ArrayDeque<>();
    private int acked;
    private boolean broken;
    private boolean withoutMemory;

    @Override
    public synchronized void append(WAL.Entry entry) {
      if (withoutMemory) {
        withoutMemory = false;
        broken = true;
        breakUp();
        throw new UncheckedIOException(
            new IOException("says the test", new OutOfMemoryError("says the test")));
      }
      var cell = entry.getEdit().getCells().get(0);
      rows.add(new String(CellUtil.cloneRow(cell), UTF_8));
    }

    @Override
    public synchronized CompletableFuture<Long> sync(boolean forced) {
      var done = new CompletableFuture<Long>();
      if (broken) {
        done.completeExceptionally(new IOException("broken"));
      } else {
        syncs.add(new Sync(rows.size(), done));
      }
      return done;
    }

    synchronized boolean ack() {
      if (syncs.isEmpty()) {
        return false;
      }
      var sync = syncs.remove();
      acked = sync.entries();
      sync.done().complete(getSyncedLength());
      return true;
    }

    /** As where a data node fails. */
    synchronized void breakUp() {
      broken = true;
      syncs.forEach(sync -> sync.done().completeExceptionally(new IOException("says the test")));
      syncs.clear();
    }

    synchronized void loseMemory() {
      withoutMemory = true;
    }

    synchronized int unackedBytes() {
      return (rows.size() - acked) * ENTRY;
    }

    synchronized List<String> acked() {
      return List.copyOf(rows.subList(0, acked));
    }

    @Override
    public synchronized long getLength() {
      return (long) rows.size() * ENTRY;
    }

    @Override
    public synchronized long getSyncedLength() {
      return (long) acked * ENTRY;
    }

    @Override
    public void close() {}
  }

  @BeforeEach
  void open() throws IOException {
    Configuration conf = HBaseConfiguration.create();
    var root = new Path(folder.toUri().toString());
    conf.set(HConstants.HBASE_DIR, root.toString());
    conf.setBoolean(CommonFSUtils.UNSAFE_STREAM_CAPABILITY_ENFORCE, false);
    conf.setLong("hbase.wal.async.max.unacked.bytes", LIMIT);
    wal =
        new AsyncFSWAL(
            FileSystem.getLocal(conf),
            null,
            root,
            "wals",
            "oldWALs",
            conf,
            List.of(
                new WALActionsListener() {
                  @Override
                  public void logRollRequested(RollRequestReason reason) {
                    rollRequested.set(true);
                  }
                }),
            true,
            "prefix",
            "",
            loop,
            NioSocketChannel.class,
            StreamSlowMonitor.create(conf, "test")) {
          @Override
          protected AsyncWriter createWriterInstance(Path path) throws IOException {
            if (rollsWithoutMemory.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
              throw new IOException("says the test", new OutOfMemoryError("says the test"));
            }
            fs.create(path).close();
            var writer = new Writer();
            writers.add(writer);
            return writer;
          }
        };
    wal.init();
  }

  @AfterEach
  void close() {
    clients.shutdownNow();
    assertThat(loop.shutdownGracefully(0, 0, TimeUnit.SECONDS).awaitUninterruptibly(10_000))
        .isTrue();
  }

  private Writer writer() {
    return writers.get(writers.size() - 1);
  }

  private CompletableFuture<String> write(String row) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            var key =
                new WALKeyImpl(
                    REGION.getEncodedNameAsBytes(),
                    REGION.getTable(),
                    1,
                    mvcc,
                    new TreeMap<>(Bytes.BYTES_COMPARATOR));
            var edit = new WALEdit();
            edit.add(new KeyValue(Bytes.toBytes(row), NAME, NAME, NAME));
            wal.sync(wal.appendData(REGION, key, edit));
            return row;
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        },
        clients);
  }

  private CompletableFuture<Void> roll() {
    return CompletableFuture.runAsync(
        () -> {
          try {
            wal.rollWriter(true);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        },
        clients);
  }

  private List<CompletableFuture<String>> write(int entries) {
    var all = new ArrayList<CompletableFuture<String>>();
    for (int entry = 0; entry < entries; entry++) {
      all.add(write("row " + entry));
    }
    return all;
  }

  private static CompletableFuture<Void> all(List<CompletableFuture<String>> writes) {
    return CompletableFuture.allOf(writes.toArray(CompletableFuture[]::new));
  }

  private void ackUntilDone(List<CompletableFuture<String>> writes) {
    await()
        .atMost(PATIENCE)
        .until(
            () -> {
              writer().ack();
              return all(writes).isDone();
            });
  }

  /** Over the limit is the entry with which it is passed, and nothing after it. */
  private void assertHeld() throws InterruptedException {
    await().atMost(PATIENCE).until(() -> writer().unackedBytes() > LIMIT);
    // That no more comes has no event; the entries that wait would take far less than this.
    Thread.sleep(500);
    assertThat(writer().unackedBytes()).isBetween(LIMIT + 1, LIMIT + ENTRY);
  }

  @FailsOnStock
  @Test
  void eachAcknowledgementLetsTheNextEntriesOut() throws Exception {
    var writes = write(50);
    assertHeld();
    writer().ack();
    assertHeld();
    ackUntilDone(writes);
    assertThat(all(writes)).isCompleted();
    assertThat(writer().acked()).hasSize(50).doesNotHaveDuplicates();
  }

  @FailsOnStock
  @Test
  void aRollWhileEntriesAreHeldTakesThemToTheNextLog() throws Exception {
    var writes = write(50);
    assertHeld();
    var first = writer();
    var roll = roll();
    await().atMost(PATIENCE).until(() -> !first.ack() && roll.isDone());
    assertThat(roll).isCompleted();
    assertThat(writer()).isNotSameAs(first);
    ackUntilDone(writes);
    var rows = new ArrayList<>(first.acked());
    rows.addAll(writer().acked());
    assertThat(rows).hasSize(50).doesNotHaveDuplicates();
  }

  /** Replication takes a file for complete that is not the current one. */
  @FailsOnStock
  @Test
  void aRollThatFindsNoMemoryIsTriedAgainAndLeavesTheCurrentFile() throws Exception {
    var current = wal.getCurrentFileName();
    rollsWithoutMemory.set(4);
    var roll = roll();
    while (rollsWithoutMemory.get() > 0 && !roll.isDone()) {
      assertThat(wal.getLogFileSizeIfBeingWritten(current)).isPresent();
      Thread.sleep(10);
    }
    assertThat(roll).succeedsWithin(PATIENCE);
    assertThat(wal.getCurrentFileName()).isNotEqualTo(current);
    await().atMost(PATIENCE).until(() -> wal.getLogFileSizeIfBeingWritten(current).isEmpty());
    var written = write("after");
    await().atMost(PATIENCE).until(() -> writer().ack() || written.isDone());
    assertThat(written).succeedsWithin(PATIENCE);
  }

  /** Writers end at any time and in any way, and are replaced as the roller does it. */
  @Test
  void noWriteWaitsForEverAndNoneIsLost() throws Exception {
    for (int seed = 0; seed < 40; seed++) {
      var random = new Random(seed);
      var before = writers.size();
      var writes = write(60);
      long end = System.nanoTime() + PATIENCE.toNanos();
      while (!all(writes).isDone()) {
        assertThat(System.nanoTime()).as("seed %s", seed).isLessThan(end);
        switch (random.nextInt(12)) {
          case 0 -> writer().breakUp();
          case 1 -> writer().loseMemory();
          case 2 -> writes.add(write("between " + random.nextInt()));
          case 3 -> Thread.sleep(1);
          default -> writer().ack();
        }
        if (random.nextInt(30) == 0 || rollRequested.getAndSet(false)) {
          var roll = roll();
          while (!roll.isDone()) {
            assertThat(System.nanoTime()).as("seed %s: roll", seed).isLessThan(end);
            // The next one is there before the one in use is at its end.
            writers.forEach(Writer::ack);
          }
          assertThat(roll).as("seed %s", seed).isCompleted();
        }
      }
      var acked = new ArrayList<String>();
      writers
          .subList(Math.max(0, before - 1), writers.size())
          .forEach(writer -> acked.addAll(writer.acked()));
      for (var write : writes) {
        assertThat(acked).as("seed %s", seed).contains(write.join());
      }
    }
  }
}
