package io.offheap.hbase.loadgen;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.CoprocessorDescriptorBuilder;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.apache.hadoop.hbase.regionserver.RegionServerServices;

/**
 * A fault, for tests that distinguish a leak from a shortage: each Get of a table takes a buffer of
 * the region server's pool and never gives it back, until none is left.
 *
 * <p>Run as a program, it is put on a table or taken off it: {@code BufferLeak TABLE FILE JAR} puts
 * the local file FILE, its own jar, into the cluster's file system as JAR and on the table, and
 * {@code BufferLeak TABLE} takes it off.
 */
public final class BufferLeak implements RegionCoprocessor, RegionObserver {
  private static final int PRIORITY = 1000;

  private final Queue<ByteBuff> held = new ConcurrentLinkedQueue<>();

  @Override
  public Optional<RegionObserver> getRegionObserver() {
    return Optional.of(this);
  }

  @Override
  public void preGetOp(
      ObserverContext<RegionCoprocessorEnvironment> context, Get get, List<Cell> result) {
    var server = (RegionServerServices) context.getEnvironment().getOnlineRegions();
    var allocator = server.getRpcServer().getByteBuffAllocator();
    if (allocator.getFreeBufferCount() > 0
        || allocator.getUsedBufferCount() < allocator.getTotalBufferCount()) {
      held.add(allocator.allocateOneBuffer());
    }
  }

  public static void main(String[] args) throws IOException {
    var name = TableName.valueOf(args[0]);
    var configuration = HBaseConfiguration.create();
    try (var connection = ConnectionFactory.createConnection(configuration);
        var admin = connection.getAdmin()) {
      var table = TableDescriptorBuilder.newBuilder(admin.getDescriptor(name));
      if (args.length > 1) {
        var jar = new Path(args[2]);
        jar.getFileSystem(configuration).copyFromLocalFile(false, true, new Path(args[1]), jar);
        table.setCoprocessor(
            CoprocessorDescriptorBuilder.newBuilder(BufferLeak.class.getName())
                .setJarPath(args[2])
                .setPriority(PRIORITY)
                .build());
      } else {
        table.removeCoprocessor(BufferLeak.class.getName());
      }
      admin.modifyTable(table.build());
    }
  }
}
