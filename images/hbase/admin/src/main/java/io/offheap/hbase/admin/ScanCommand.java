package io.offheap.hbase.admin;

import java.io.IOException;
import java.util.concurrent.Callable;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** A few rows. */
@Command(name = "scan", description = "Shows the first rows of a table, or of a range of it.")
final class ScanCommand implements Callable<Integer> {
  /** Of keys and values; a cell takes up to thirty times as much heap until it is printed. */
  private static final long MOST_BYTES = 1L << 20;

  /** Of a response; a row may be larger than the heap, so it comes in parts. */
  private static final long RESPONSE_BYTES = 512L << 10;

  @ParentCommand private AdminTool tool;

  @Parameters(paramLabel = "TABLE", description = "The table, as [NAMESPACE:]NAME.")
  private TableName table;

  @Option(names = "--start", paramLabel = "ROW", description = "The first; bytes as \\xHH.")
  private Binary start;

  @Option(names = "--stop", paramLabel = "ROW", description = "Up to this one, without it.")
  private Binary stop;

  @Option(names = "--prefix", paramLabel = "BYTES", description = "Rows that begin with it.")
  private Binary prefix;

  @Option(names = "--reverse", description = "Backwards, from --start or from the end.")
  private boolean reverse;

  @Option(
      names = "--limit",
      paramLabel = "ROWS",
      defaultValue = "10",
      description = "At most so many rows; ${DEFAULT-VALUE} where left out.")
  private int limit;

  @Mixin private RowOptions options;

  @Override
  public Integer call() {
    return tool.run(
        session -> {
          options.valueBytes();
          var scan = scan();
          session.existing(table);
          try (var rows = session.connection().getTable(table);
              var scanner = rows.getScanner(scan)) {
            return read(scanner);
          }
        });
  }

  private Scan scan() {
    if (prefix != null && (start != null || stop != null)) {
      throw new UsageException("--prefix must not be given with --start or --stop");
    }
    var scan =
        new Scan()
            .readVersions(options.versions())
            .setReversed(reverse)
            .setCacheBlocks(false)
            .setCaching(Math.min(100, RowOptions.positive("--limit", limit)))
            .setMaxResultSize(RESPONSE_BYTES)
            .setAllowPartialResults(true);
    if (start != null) {
      scan.withStartRow(start.bytes());
    }
    if (stop != null) {
      scan.withStopRow(stop.bytes());
    }
    if (prefix != null) {
      scan.setStartStopRowForPrefixScan(prefix.bytes());
    }
    options.choose(scan::addFamily, scan::addColumn);
    return scan;
  }

  private Output read(ResultScanner scanner) throws IOException {
    var listing = RowOptions.listing();
    int rows = 0;
    long bytes = 0;
    byte[] last = null;
    for (var result : scanner) {
      if (last == null || !Bytes.equals(last, result.getRow())) {
        if (rows == limit) {
          return listing
              .output()
              .withNote("admin: there are more rows than " + limit + " (--limit)");
        }
        rows++;
        last = result.getRow();
      }
      for (var cell : result.rawCells()) {
        bytes += cell.getSerializedSize();
        if (bytes > MOST_BYTES) {
          return listing
              .output()
              .withNote(
                  "admin: stopped after "
                      + (MOST_BYTES >> 20)
                      + " MiB; --column, --start and --limit choose what is shown");
        }
        options.add(listing, cell);
      }
    }
    return listing.output();
  }
}
