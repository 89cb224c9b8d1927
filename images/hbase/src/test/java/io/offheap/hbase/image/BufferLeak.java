package io.offheap.hbase.image;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
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
 * A fault, for tests that a leak is told from a shortage: each Get of a table takes a buffer of the
 * region server's pool and never gives it back, until none is left.
 *
 * <p>Its jar goes into the cluster's file system; run as a program, it is put on a table or taken
 * off it: {@code BufferLeak TABLE JAR} and {@code BufferLeak TABLE}.
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
    try (var connection = ConnectionFactory.createConnection(HBaseConfiguration.create());
        var admin = connection.getAdmin()) {
      var table = TableDescriptorBuilder.newBuilder(admin.getDescriptor(name));
      if (args.length > 1) {
        table.setCoprocessor(
            CoprocessorDescriptorBuilder.newBuilder(BufferLeak.class.getName())
                .setJarPath(args[1])
                .setPriority(PRIORITY)
                .build());
      } else {
        table.removeCoprocessor(BufferLeak.class.getName());
      }
      admin.modifyTable(table.build());
    }
  }
}
