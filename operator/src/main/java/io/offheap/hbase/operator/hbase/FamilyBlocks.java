package io.offheap.hbase.operator.hbase;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.offheap.hbase.operator.plan.HBaseKeys;
import io.offheap.hbase.operator.plan.TableBlocks;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;

/**
 * Reads a column family's block sizes from its descriptor as {@code HStore} does: attributes and
 * configuration of the family first, then those of the table.
 */
final class FamilyBlocks {
  private static final int ROW_INDEX = 14;

  private FamilyBlocks() {}

  static TableBlocks of(TableDescriptor table, ColumnFamilyDescriptor family, long cellBytes) {
    return new TableBlocks(
        table.getTableName().getNameAsString() + "/" + family.getNameAsString(),
        family.getBlocksize(),
        size(table, family, HBaseKeys.INDEX_BLOCK.name()),
        size(table, family, HBaseKeys.BLOOM_BLOCK.name()),
        cellBytes(family, cellBytes));
  }

  /** A block with row index encoding ends with an index of lengths and counts, 14 bytes. */
  private static long cellBytes(ColumnFamilyDescriptor family, long cellBytes) {
    return family.getDataBlockEncoding() == DataBlockEncoding.ROW_INDEX_V1
        ? Math.max(cellBytes, CellSizes.COMMON) + ROW_INDEX
        : cellBytes;
  }

  /** 0 if the size is not set, or not to a valid number. */
  private static long size(TableDescriptor table, ColumnFamilyDescriptor family, String key) {
    var attribute = family.getValue(key.getBytes(UTF_8));
    return Stream.of(
            attribute == null ? null : new String(attribute, UTF_8),
            family.getConfigurationValue(key),
            table.getValue(key))
        .filter(Objects::nonNull)
        .findFirst()
        .filter(value -> value.strip().matches("[0-9]{1,10}"))
        .map(value -> Long.parseLong(value.strip()))
        .orElse(0L);
  }
}
