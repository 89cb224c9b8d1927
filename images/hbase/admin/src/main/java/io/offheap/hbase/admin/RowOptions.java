package io.offheap.hbase.admin;

import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.Cell;
import picocli.CommandLine.Option;

/** What scan and get have in common: columns, versions, and how much of a value is shown. */
final class RowOptions {
  private static final int MOST_VALUE_BYTES = 1 << 20;

  @Option(
      names = "--column",
      paramLabel = "FAMILY[:QUALIFIER]",
      description = "Only these; bytes of a qualifier as \\xHH; repeatable.")
  private List<String> columns = List.of();

  @Option(
      names = "--versions",
      paramLabel = "N",
      defaultValue = "1",
      description = "At most so many of each cell; ${DEFAULT-VALUE} where left out.")
  private int versions;

  @Option(
      names = "--value-bytes",
      paramLabel = "N",
      defaultValue = "256",
      description = "At most so many bytes of a value; ${DEFAULT-VALUE} where left out.")
  private int valueBytes;

  int versions() {
    return positive("--versions", versions);
  }

  /** Checked before any request to HBase. */
  int valueBytes() {
    if (valueBytes < 0 || valueBytes > MOST_VALUE_BYTES) {
      throw UsageException.mustBe(
          "--value-bytes", "" + valueBytes, "must be from 0 to " + MOST_VALUE_BYTES);
    }
    return valueBytes;
  }

  static int positive(String option, int value) {
    if (value < 1) {
      throw UsageException.mustBe(option, "" + value, "must be at least 1");
    }
    return value;
  }

  /** Passes each given column to one of the two consumers, as parsed bytes. */
  void choose(Consumer<byte[]> family, BiConsumer<byte[], byte[]> column) {
    for (var text : columns) {
      int colon = text.indexOf(':');
      try {
        if (colon < 0) {
          family.accept(Binary.parse(text));
        } else {
          column.accept(
              Binary.parse(text.substring(0, colon)), Binary.parse(text.substring(colon + 1)));
        }
      } catch (IllegalArgumentException e) {
        throw UsageException.mustBe("--column", text, e.getMessage());
      }
    }
  }

  static Output.Listing listing() {
    return Output.listing("row", "column", "timestamp", "value", "valueLength");
  }

  void add(Output.Listing listing, Cell cell) {
    int shown = Math.min(cell.getValueLength(), valueBytes());
    var value = Binary.text(cell.getValueArray(), cell.getValueOffset(), shown);
    listing.add(
        Binary.text(cell.getRowArray(), cell.getRowOffset(), cell.getRowLength()),
        Binary.text(cell.getFamilyArray(), cell.getFamilyOffset(), cell.getFamilyLength())
            + ":"
            + Binary.text(
                cell.getQualifierArray(), cell.getQualifierOffset(), cell.getQualifierLength()),
        cell.getTimestamp(),
        shown < cell.getValueLength() ? value + "..." : value,
        cell.getValueLength());
  }
}
