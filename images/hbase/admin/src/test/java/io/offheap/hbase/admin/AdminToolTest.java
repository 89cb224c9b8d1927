package io.offheap.hbase.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The command line where no HBase responds. */
class AdminToolTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter error = new StringWriter();

  private int run(Configuration configuration, String... args) {
    return AdminTool.create(configuration)
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(error))
        .execute(args);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          tables                      | admin tables: Missing required subcommand
          tables describe             | admin tables describe: Missing required parameter: 'TABLE'
          tables describe a$b         | admin tables describe: TABLE: 'a$b' must be [NAMESPACE:]NAME
          tables drop t               | --yes is missing: this deletes table t and its data
          tables disable t            | --yes is missing: this takes table t out of service
          tables drop hbase:meta --yes | TABLE: 'hbase:meta' must not be one of HBase's own
          tables alter t              | one of --family, --drop-family, --set and --unset
          tables alter t --drop-family d | --yes is missing: this deletes the data of t in d
          tables create t             | admin tables create: Missing required option: '--family
          tables create t --family d --split a,a | --split: 'a' must be given once
          tables list -o yaml         | --output: 'yaml' must be table or json
          tables list --timeout x     | --timeout: 'x' must be a whole number
          tables list --timeout 0     | --timeout: '0' must be at least 1
          regions list                | Missing required argument
          regions list --table t --limit 0 | --limit: '0' must be from 1 to 10000
          regions list --server s --start a | --start must be given with --table only
          get t a --value-bytes 9999999 | --value-bytes: '9999999' must be from 0 to 1048576
          regions move zz             | REGION: 'zz' must be an encoded name
          hbck recover a --yes        | SERVER: 'a' must be host,port,startcode
          hbck bypass one             | PROCEDURE: 'one' must be a whole number
          scan t --limit 0            | --limit: '0' must be at least 1
          scan t --start a --prefix b | --prefix must not be given with --start or --stop
          get t \\q                   | ROW: '\\q' must have two hexadecimal digits
          snapshots export s --to x   | --to: 'x' must begin with a scheme
          snapshots import s          | Missing required option: '--from
          snapshots import s --from x | --from: 'x' must begin with a scheme
          hdfs safe-mode leave        | --yes is missing: this lets HBase continue without the blocks
          hdfs safe-mode              | admin hdfs safe-mode: Missing required subcommand
          hdfs corrupt-files --limit 0 | --limit: '0' must be from 1 to 10000
          hdfs corrupt-files --path a | --path: 'a' must begin with /
          """)
  void refusesInvalidCommandLineBeforeConnecting(String line, String message) {
    assertThat(run(new Configuration(false), line.split(" "))).isEqualTo(AdminTool.USAGE);
    assertThat(error.toString()).contains(message).doesNotContain("\tat ");
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void silentZooKeeperIsNotWaitedForLongerThanTheDeadline() throws IOException {
    try (var silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      long started = System.nanoTime();

      assertThat(run(clientOf(silent.getLocalPort()), "tables", "list", "--timeout", "2"))
          .isEqualTo(AdminTool.FAILED);

      assertThat(System.nanoTime() - started).isBetween(1_900_000_000L, 60_000_000_000L);
      assertThat(error.toString())
          .startsWith(
              "admin: no response within 2 s (--timeout), waiting for ZooKeeper at localhost");
    }
  }

  @Test
  void closedZooKeeperIsASentence() throws IOException {
    int port;
    try (var closed = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      port = closed.getLocalPort();
    }

    assertThat(run(clientOf(port), "tables", "list", "--timeout", "30"))
        .isEqualTo(AdminTool.FAILED);

    assertThat(error.toString())
        .isEqualTo(
            "admin: ZooKeeper at localhost (port "
                + port
                + " where it has none) does not respond, or has no HBase at /hbase\n");
  }

  private static Configuration clientOf(int zooKeeperPort) {
    var configuration = HBaseConfiguration.create();
    configuration.set(HConstants.ZOOKEEPER_QUORUM, "localhost");
    configuration.setInt(HConstants.ZOOKEEPER_CLIENT_PORT, zooKeeperPort);
    return configuration;
  }

  @Test
  void everyCommandHasHelp() {
    assertThat(run(new Configuration(false), "--help")).isZero();
    assertThat(out.toString()).contains("tables", "regions", "hbck", "snapshots", "Exit status");
    assertThat(run(new Configuration(false), "--version")).isZero();
    assertThat(out.toString()).contains("HBase client ");
    assertThat(run(new Configuration(false), "tables", "create", "--help")).isZero();
    assertThat(out.toString()).contains("--family=NAME[:ATTRIBUTE=VALUE,...]");
  }

  @Test
  void completionListsCommands() {
    assertThat(run(new Configuration(false), "generate-completion")).isZero();
    assertThat(out.toString()).contains("complete -F _complete_admin", "in-transition");
  }
}
