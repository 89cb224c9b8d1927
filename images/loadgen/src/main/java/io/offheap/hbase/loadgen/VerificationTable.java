package io.offheap.hbase.loadgen;

import java.io.IOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/** The table that a verification fills. It carries a mark, and no other table is ever touched. */
final class VerificationTable {
  static final byte[] FAMILY = Bytes.toBytes("f");
  static final byte[] QUALIFIER = Bytes.toBytes("v");
  private static final String MARK = "OFFHEAP_VERIFICATION";

  private final Admin admin;
  private final TableName name;

  VerificationTable(Admin admin, TableName name) {
    this.admin = admin;
    this.name = name;
  }

  /** Makes the table, presplit, where it does not exist. */
  void ensureExists(int regions, int blockBytes) throws IOException {
    if (admin.tableExists(name)) {
      requireMark();
      return;
    }
    var table =
        TableDescriptorBuilder.newBuilder(name)
            .setColumnFamily(
                ColumnFamilyDescriptorBuilder.newBuilder(FAMILY).setBlocksize(blockBytes).build())
            .setValue(MARK, "true")
            .build();
    if (regions == 1) {
      admin.createTable(table);
    } else {
      admin.createTable(table, RowData.splitKeys(regions));
    }
  }

  void requireMark() throws IOException {
    if (admin.getDescriptor(name).getValue(MARK) == null) {
      throw new IOException(name + " was not made by this tool, which leaves it alone");
    }
  }

  void flush() throws IOException {
    admin.flush(name);
  }

  void drop() throws IOException {
    requireMark();
    admin.disableTable(name);
    admin.deleteTable(name);
  }
}
