package io.offheap.hbase.admin;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.RegionInfo;

/** A connection to HBase for one command, with the command's deadline. */
final class Session implements AutoCloseable {
  private final Configuration configuration;
  private final Duration timeout;
  private volatile String waitingFor;
  private Connection connection;
  private Admin admin;

  Session(Configuration configuration, Duration timeout) {
    this.configuration = withLimits(configuration, timeout);
    this.timeout = timeout;
    waitingFor = zooKeeper();
  }

  private String zooKeeper() {
    return "ZooKeeper at "
        + configuration.get(HConstants.ZOOKEEPER_QUORUM, HConstants.LOCALHOST)
        + " (port "
        + configuration.getInt(
            HConstants.ZOOKEEPER_CLIENT_PORT, HConstants.DEFAULT_ZOOKEEPER_CLIENT_PORT)
        + " where it has none)";
  }

  /**
   * HBase's own waits end at the deadline too. Retries end earlier, after about 8 s of pauses: a
   * person can repeat a command, and sees the reason sooner.
   */
  private static Configuration withLimits(Configuration original, Duration timeout) {
    var limited = new Configuration(original);
    int millis = millis(timeout);
    limited.setInt(HConstants.HBASE_CLIENT_OPERATION_TIMEOUT, millis);
    limited.setInt(HConstants.HBASE_CLIENT_META_OPERATION_TIMEOUT, millis);
    limited.setInt(HConstants.HBASE_RPC_TIMEOUT_KEY, millis);
    limited.setInt("hbase.client.sync.wait.timeout.msec", millis);
    limited.setInt(HConstants.HBASE_CLIENT_SCANNER_TIMEOUT_PERIOD, millis);
    limited.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 7);
    limited.setInt("zookeeper.recovery.retry", 3);
    limited.setInt("zookeeper.recovery.retry.intervalmill", 500);
    // A tool that lives for seconds needs no threads by the dozen.
    limited.setInt("hbase.hconnection.threads.max", 4);
    return limited;
  }

  private static int millis(Duration timeout) {
    return (int) Math.min(timeout.toMillis(), Integer.MAX_VALUE);
  }

  Configuration configuration() {
    return configuration;
  }

  int timeoutMillis() {
    return millis(timeout);
  }

  /** What the command waits for, for the message where the deadline passes. */
  String waitingFor() {
    return waitingFor;
  }

  /** For what is no part of HBase. */
  void waitFor(String what) {
    waitingFor = what;
  }

  Connection connection() throws IOException, FailedException {
    if (connection == null) {
      connection = ConnectionFactory.createConnection(configuration);
      // A connection is made without ZooKeeper too, and then each request waits for it in turn.
      if (connection.getClusterId() == null) {
        throw new FailedException(
            zooKeeper()
                + " does not respond, or has no HBase at "
                + configuration.get(
                    HConstants.ZOOKEEPER_ZNODE_PARENT, HConstants.DEFAULT_ZOOKEEPER_ZNODE_PARENT));
      }
      waitingFor = "HBase";
    }
    return connection;
  }

  Admin admin() throws IOException, FailedException {
    if (admin == null) {
      admin = connection().getAdmin();
      waitingFor = "the master or a region server";
    }
    return admin;
  }

  /** Waits for a procedure of the master. */
  void await(Future<?> procedure, String what) throws Exception {
    waitingFor = what;
    try {
      procedure.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    } catch (TimeoutException e) {
      throw new FailedException(Failures.deadline(timeout, what));
    }
  }

  /** Fails where there is no such table; some calls of HBase's do nothing then. */
  TableName existing(TableName table) throws IOException, FailedException {
    if (!admin().tableExists(table)) {
      throw new FailedException(Failures.noTable(table.getNameAsString()));
    }
    return table;
  }

  /**
   * The live server that is meant: by its full name ({@code host,port,startcode}), by {@code
   * host,port} or {@code host:port}, by its host, or by the first part of its host, which in
   * Kubernetes is the pod's name.
   */
  ServerName server(String given) throws IOException, FailedException {
    var live = admin().getRegionServers();
    var matching = new ArrayList<ServerName>();
    for (var server : live) {
      if (names(server).contains(given)) {
        matching.add(server);
      }
    }
    if (matching.size() != 1) {
      throw new FailedException(
          "SERVER: '"
              + given
              + "' must be one live region server, by full name, host,port, host or pod: "
              + String.join(
                  " ",
                  (matching.isEmpty() ? live : matching)
                      .stream().map(ServerName::getServerName).sorted().toList()));
    }
    return matching.get(0);
  }

  private static List<String> names(ServerName server) {
    var host = server.getHostname();
    int dot = host.indexOf('.');
    return List.of(
        server.getServerName(),
        host + "," + server.getPort(),
        host + ":" + server.getPort(),
        host,
        dot < 0 ? host : host.substring(0, dot));
  }

  /** The encoded name of a region that is given by it, or by the full name in HBase's escapes. */
  static String encodedName(String region) {
    if (region.matches("[0-9a-f]{32}|[0-9]{1,10}")) {
      return region;
    }
    if (region.indexOf(',') > 0) {
      return RegionInfo.encodeRegionName(Binary.parse(region));
    }
    throw UsageException.mustBe(
        "REGION",
        region,
        "must be an encoded name (32 hexadecimal digits) or a region's full name");
  }

  @Override
  public void close() throws IOException {
    try (var closedSecond = connection;
        var closedFirst = admin) {
      // No wait that a message names: the command's result is known before.
    }
  }
}
