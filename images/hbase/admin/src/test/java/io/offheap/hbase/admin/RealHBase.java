package io.offheap.hbase.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.gson.JsonArray;
import org.apache.hbase.thirdparty.com.google.gson.JsonElement;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;

/** A real HBase that serves, and the commands against it. */
final class RealHBase implements AutoCloseable {
  private static final int SERVERS = 3;

  private HBaseProcess process;
  private Connection connection;
  private String out;
  private String error;

  private RealHBase(HBaseProcess process) {
    this.process = process;
  }

  /** Returns when a master and both region servers serve. */
  static RealHBase start(Path folder) throws Exception {
    var hbase = new RealHBase(HBaseProcess.start(folder));
    hbase.awaitServing();
    return hbase;
  }

  /** Stops it in order, and starts it again on its data; returns when it serves. */
  void restart() throws Exception {
    admin().shutdown();
    connection.close();
    process = process.again();
    awaitServing();
  }

  private void awaitServing() throws Exception {
    try {
      await("HBase serves")
          .atMost(Duration.ofMinutes(3))
          .until(
              () ->
                  process.serves()
                      && run("servers", "list", "-o", "json") == 0
                      && servers() == SERVERS);
      connection = ConnectionFactory.createConnection(process.clientConfiguration());
    } catch (Throwable e) {
      Files.readAllLines(process.folder().resolve("hbase.log")).forEach(System.err::println);
      process.close();
      throw e;
    }
  }

  /** Those before a restart are dead, and stay in the list. */
  private long servers() {
    return json().asList().stream()
        .filter(it -> !it.getAsJsonObject().get("state").getAsString().equals("dead"))
        .count();
  }

  HBaseProcess process() {
    return process;
  }

  Connection connection() {
    return connection;
  }

  Admin admin() throws IOException {
    return connection.getAdmin();
  }

  /** Runs a command, and returns its exit status. */
  int run(String... args) {
    var run = AdminRun.of(process.clientConfiguration(), args);
    out = run.out();
    error = run.error();
    return run.status();
  }

  /** What the last command printed. */
  String out() {
    return out;
  }

  /** What the last command printed of errors. */
  String error() {
    return error;
  }

  /** Runs a command that must succeed without a remark. */
  String done(String... args) {
    assertThat(run(args)).describedAs("%s: %s", List.of(args), error).isZero();
    assertThat(error).isEmpty();
    return out;
  }

  /** Runs a command that HBase must refuse. */
  String failure(String... args) {
    assertThat(run(args)).describedAs("%s: %s", List.of(args), out).isEqualTo(AdminTool.FAILED);
    assertThat(error).startsWith("admin: ").doesNotContain("\tat ");
    assertThat(error.lines()).hasSize(1);
    return error;
  }

  /** What the last command printed as JSON. */
  JsonArray json() {
    return JsonParser.parseString(out).getAsJsonArray();
  }

  /** One field of each row that a command lists. */
  List<String> all(String field, String... args) {
    var command = new ArrayList<>(List.of(args));
    command.addAll(List.of("-o", "json"));
    done(command.toArray(new String[0]));
    return json().asList().stream()
        .map(JsonElement::getAsJsonObject)
        .map(row -> row.get(field))
        .map(value -> value.isJsonNull() ? null : value.getAsString())
        .toList();
  }

  /** Writes rows row000, row001 and so on with the value of the same number. */
  void put(String table, int rows) throws IOException {
    try (var target = connection.getTable(TableName.valueOf(table))) {
      for (int i = 0; i < rows; i++) {
        target.put(
            new Put(Bytes.toBytes(String.format("row%03d", i)))
                .addColumn(Bytes.toBytes("d"), Bytes.toBytes("q"), Bytes.toBytes("value" + i)));
      }
    }
  }

  /** To these servers, in the order of the regions: HBase itself distributes them at random. */
  void move(String table, ServerName... servers) throws IOException {
    var regions = admin().getRegions(TableName.valueOf(table));
    assertThat(regions).hasSameSizeAs(servers);
    for (int i = 0; i < servers.length; i++) {
      if (!admin().getRegions(servers[i]).contains(regions.get(i))) {
        admin().move(regions.get(i).getEncodedNameAsBytes(), servers[i]);
      }
    }
  }

  /** The region servers that hold a region, by their own reports. */
  List<ServerName> holders(String region) throws IOException {
    var holders = new ArrayList<ServerName>();
    for (var server : admin().getRegionServers()) {
      if (admin().getRegions(server).stream().anyMatch(it -> it.getEncodedName().equals(region))) {
        holders.add(server);
      }
    }
    return holders;
  }

  @Override
  public void close() throws Exception {
    try {
      connection.close();
    } finally {
      process.close();
    }
  }
}
