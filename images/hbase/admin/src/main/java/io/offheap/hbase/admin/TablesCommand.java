package io.offheap.hbase.admin;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** Tables. */
@Command(name = "tables", description = "Lists, describes, creates and changes tables.")
final class TablesCommand {
  private static final String FAMILY = "NAME[:ATTRIBUTE=VALUE,...]";

  @ParentCommand private AdminTool tool;

  @Command(name = "list", description = "All tables with their state and number of families.")
  int list(
      @Option(
              names = "--namespace",
              paramLabel = "NAMESPACE",
              description = "Tables of this namespace only.")
          String namespace,
      @Option(names = "--system", description = "Tables of HBase's own too.") boolean system) {
    return tool.run(
        session -> {
          var admin = session.admin();
          var disabled = new TreeSet<>(admin.listTableNamesByState(false));
          var tables =
              namespace == null
                  ? admin.listTableDescriptors((java.util.regex.Pattern) null, system)
                  : admin.listTableDescriptorsByNamespace(Bytes.toBytes(namespace));
          var listing = Output.listing("table", "state", "families");
          for (var table : tables) {
            listing.add(
                table.getTableName().getNameAsString(),
                disabled.contains(table.getTableName()) ? "disabled" : "enabled",
                familyNames(table));
          }
          return listing.output();
        });
  }

  private static List<String> familyNames(TableDescriptor table) {
    return table.getColumnFamilyNames().stream().map(Bytes::toString).sorted().toList();
  }

  @Command(name = "describe", description = "A table's attributes and those of its families.")
  int describe(
      @Parameters(paramLabel = "TABLE", description = "The table, as [NAMESPACE:]NAME.")
          TableName table) {
    return tool.run(
        session -> {
          var admin = session.admin();
          var descriptor = admin.getDescriptor(table);
          var state = admin.isTableDisabled(table) ? "disabled" : "enabled";
          var attributes = Attributes.of(descriptor);
          var text = new StringBuilder(table.getNameAsString()).append(", ").append(state);
          attributes.forEach((name, value) -> line(text, "  ", name, value));
          var families = new ArrayList<Map<String, Object>>();
          for (var family : descriptor.getColumnFamilies()) {
            var facts = Attributes.of(family);
            families.add(facts);
            text.append("\nfamily ").append(facts.get("family"));
            ((Map<?, ?>) facts.get("attributes"))
                .forEach((name, value) -> line(text, "  ", name, value));
          }
          return new Output(
              text.append('\n').toString(),
              Output.facts(
                  "table",
                  table.getNameAsString(),
                  "state",
                  state,
                  "attributes",
                  attributes,
                  "families",
                  families),
              Optional.empty());
        });
  }

  private static void line(StringBuilder text, String indent, Object name, Object value) {
    text.append('\n').append(indent).append(name).append('=').append(value);
  }

  @Command(
      name = "create",
      description = "Creates a table.",
      footer = {
        "%nExample:",
        "  admin tables create orders --family d:COMPRESSION=ZSTD,BLOCKSIZE=16384 --split 3,6,9"
      })
  int create(
      @Parameters(paramLabel = "TABLE", description = "The new table, as [NAMESPACE:]NAME.")
          TableName table,
      @Option(
              names = "--family",
              required = true,
              paramLabel = FAMILY,
              description =
                  "A column family with attributes as hbase-shell names them; repeatable.")
          List<String> families,
      @Option(
              names = "--set",
              paramLabel = "ATTRIBUTE=VALUE",
              description = "An attribute of the table; repeatable.")
          List<String> values,
      @Option(
              names = "--split",
              split = ",",
              paramLabel = "KEY",
              description = "Keys at which regions begin, with commas; bytes as \\xHH.")
          List<String> splitKeys) {
    return tool.run(
        session -> {
          var builder = TableDescriptorBuilder.newBuilder(table);
          for (var family : families) {
            builder.setColumnFamily(Attributes.Family.parse(family).over(null));
          }
          set(builder, values);
          var keys = keys(splitKeys);
          var admin = session.admin();
          session.await(
              keys.length == 0
                  ? admin.createTableAsync(builder.build())
                  : admin.createTableAsync(builder.build(), keys),
              "table " + table + " to be created");
          return Output.done(
              "table " + table + " created",
              "table",
              table.getNameAsString(),
              "regions",
              keys.length + 1);
        });
  }

  private static byte[][] keys(List<String> texts) {
    var keys = new TreeSet<byte[]>(Bytes.BYTES_COMPARATOR);
    for (var text : texts == null ? List.<String>of() : texts) {
      try {
        if (!keys.add(Binary.parse(text))) {
          throw UsageException.mustBe("--split", text, "must be given once");
        }
      } catch (IllegalArgumentException e) {
        throw UsageException.mustBe("--split", text, e.getMessage());
      }
    }
    return keys.toArray(new byte[0][]);
  }

  private static void set(TableDescriptorBuilder builder, List<String> values) {
    for (var value : values == null ? List.<String>of() : values) {
      var entry = Attributes.ofTable(value);
      builder.setValue(entry.getKey(), entry.getValue());
    }
  }

  @Command(
      name = "alter",
      description =
          "Changes attributes of a table and its families, in one step; others stay as they are.")
  int alter(
      @Parameters(paramLabel = "TABLE", description = "The table, as [NAMESPACE:]NAME.")
          TableName table,
      @Option(
              names = "--family",
              paramLabel = FAMILY,
              description = "A family that is added, or whose attributes are changed; repeatable.")
          List<String> families,
      @Option(
              names = "--drop-family",
              paramLabel = "NAME",
              description = "A family that is dropped with its data; needs --yes; repeatable.")
          List<String> dropped,
      @Option(
              names = "--set",
              paramLabel = "ATTRIBUTE=VALUE",
              description = "An attribute of the table; repeatable.")
          List<String> values,
      @Option(
              names = "--unset",
              paramLabel = "ATTRIBUTE",
              description = "An attribute that goes back to HBase's default; repeatable.")
          List<String> removed,
      @Option(names = "--yes", description = "Needed with --drop-family.") boolean yes) {
    return tool.run(
        session -> {
          if (families == null && dropped == null && values == null && removed == null) {
            throw new UsageException(
                "one of --family, --drop-family, --set and --unset must be given");
          }
          if (dropped != null) {
            UsageException.unlessConfirmed(
                yes, "deletes the data of " + table + " in " + String.join(", ", dropped));
          }
          var parsed =
              families == null
                  ? List.<Attributes.Family>of()
                  : families.stream().map(Attributes.Family::parse).toList();
          var present = session.admin().getDescriptor(table);
          var builder = TableDescriptorBuilder.newBuilder(present);
          for (var family : parsed) {
            var before = present.getColumnFamily(Bytes.toBytes(family.name()));
            if (before == null) {
              builder.setColumnFamily(family.over(null));
            } else {
              builder.modifyColumnFamily(family.over(before));
            }
          }
          for (var name : dropped == null ? List.<String>of() : dropped) {
            if (!present.hasColumnFamily(Bytes.toBytes(name))) {
              throw new FailedException("table '" + table + "' has no family '" + name + "'");
            }
            builder.removeColumnFamily(Bytes.toBytes(name));
          }
          set(builder, values);
          for (var name : removed == null ? List.<String>of() : removed) {
            builder.removeValue(Attributes.nameOfTable(name));
          }
          session.await(
              session.admin().modifyTableAsync(builder.build()),
              "all regions of " + table + " to be opened with the change");
          return Output.done("table " + table + " altered", "table", table.getNameAsString());
        });
  }

  @Command(name = "enable", description = "Enables a table.")
  int enable(
      @Parameters(paramLabel = "TABLE", description = "The table, as [NAMESPACE:]NAME.")
          TableName table) {
    return tool.run(
        session -> {
          session.await(
              session.admin().enableTableAsync(table), "table " + table + " to be enabled");
          return Output.done("table " + table + " enabled", "table", table.getNameAsString());
        });
  }

  @Command(name = "disable", description = "Takes a table out of service; needs --yes.")
  int disable(
      @Parameters(paramLabel = "TABLE", description = "The table, as [NAMESPACE:]NAME.")
          TableName table,
      @Option(names = "--yes", description = "Confirms it; without it nothing is done.")
          boolean yes) {
    return tool.run(
        session -> {
          UsageException.unlessConfirmed(yes, "takes table " + table + " out of service");
          session.await(
              session.admin().disableTableAsync(table), "table " + table + " to be disabled");
          return Output.done("table " + table + " disabled", "table", table.getNameAsString());
        });
  }

  @Command(
      name = "drop",
      description = "Deletes a table that is disabled, with its data; needs --yes.")
  int drop(
      @Parameters(paramLabel = "TABLE", description = "The table, as [NAMESPACE:]NAME.")
          TableName table,
      @Option(names = "--yes", description = "Confirms it; without it nothing is done.")
          boolean yes) {
    return tool.run(
        session -> {
          UsageException.unlessConfirmed(yes, "deletes table " + table + " and its data");
          if (table.getNamespaceAsString().equals(NamespaceDescriptor.SYSTEM_NAMESPACE_NAME_STR)) {
            throw UsageException.mustBe(
                "TABLE", table.getNameAsString(), "must not be one of HBase's own");
          }
          session.await(
              session.admin().deleteTableAsync(table), "table " + table + " to be deleted");
          return Output.done("table " + table + " deleted", "table", table.getNameAsString());
        });
  }
}
