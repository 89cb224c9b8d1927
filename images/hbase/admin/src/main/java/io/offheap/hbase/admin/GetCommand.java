package io.offheap.hbase.admin;

import java.util.concurrent.Callable;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Get;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** One row. */
@Command(name = "get", description = "Shows a row. Exit status 1 where there is none.")
final class GetCommand implements Callable<Integer> {
  @ParentCommand private AdminTool tool;

  @Parameters(index = "0", paramLabel = "TABLE", description = "The table, as [NAMESPACE:]NAME.")
  private TableName table;

  @Parameters(index = "1", paramLabel = "ROW", description = "Bytes as \\xHH.")
  private Binary row;

  @Mixin private RowOptions options;

  @Override
  public Integer call() {
    return tool.run(
        session -> {
          options.valueBytes();
          var get = new Get(row.bytes()).readVersions(options.versions());
          options.choose(get::addFamily, get::addColumn);
          session.existing(table);
          try (var rows = session.connection().getTable(table)) {
            var result = rows.get(get);
            if (result.isEmpty()) {
              throw new FailedException(
                  "table '" + table + "' has no such row or column: '" + row + "'");
            }
            var listing = RowOptions.listing();
            for (var cell : result.rawCells()) {
              options.add(listing, cell);
            }
            return listing.output();
          }
        });
  }
}
