package io.offheap.hbase.e2e.scale;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.offheap.hbase.operator.render.OnlineKeys;
import io.offheap.hbase.operator.render.Ports;
import io.offheap.hbase.operator.tune.Metric;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Stands in for the masters and region servers of all clusters: one process that listens on all
 * loopback addresses, and finds the server by the local address of a connection. It responds over
 * RPC ({@link StandInRpc}) and on {@code /jmx} and {@code /conf}, with responses of a real server's
 * size. Its clusters have no tables.
 */
final class StandIn {
  /** Attributes of a real region server's bean, some 15 KB. */
  private static final int ATTRIBUTES = 400;

  private static final Pattern REVISION =
      Pattern.compile(
          Pattern.quote("<name>" + OnlineKeys.REVISION + "</name>") + "\\s*<value>([^<]*)</value>");

  private final Map<String, String> hosts;
  private final KubernetesClient client;

  private StandIn(Map<String, String> hosts, KubernetesClient client) {
    this.hosts = hosts;
    this.client = client;
  }

  /** Argument: the hosts file, with an address and a name in each line. */
  public static void main(String[] args) throws IOException, InterruptedException {
    var hosts =
        Files.readAllLines(Path.of(args[0])).stream()
            .map(line -> line.split(" ", -1))
            .collect(Collectors.toMap(parts -> parts[0], parts -> parts[1], (one, two) -> one));
    try (var client = new KubernetesClientBuilder().build()) {
      new StandIn(hosts, client).listen();
      System.out.println("listening");
      new CountDownLatch(1).await();
    }
  }

  private void listen() throws IOException {
    var http = HttpServer.create(new InetSocketAddress(Ports.REGIONSERVER_HTTP), 1024);
    http.createContext("/jmx", exchange -> respond(exchange, this::beans));
    http.createContext("/conf", exchange -> respond(exchange, this::configuration));
    http.setExecutor(Executors.newFixedThreadPool(4));
    http.start();
    StandInRpc.listen(hosts, Ports.REGIONSERVER_RPC, Ports.MASTER_RPC);
  }

  private interface Page {
    String of(String host, String query) throws IOException;
  }

  private void respond(HttpExchange exchange, Page page) throws IOException {
    try (exchange) {
      InetAddress address = exchange.getLocalAddress().getAddress();
      var query = URLDecoder.decode(exchange.getRequestURI().getRawQuery(), UTF_8);
      var body = page.of(hosts.get(address.getHostAddress()), query).getBytes(UTF_8);
      exchange.sendResponseHeaders(200, body.length);
      exchange.getResponseBody().write(body);
    }
  }

  /** As HBase's servlet: {@code qry=BEAN}, or {@code get=BEAN::PATTERN} for part of a bean. */
  private String beans(String host, String query) {
    int end = query.indexOf("::");
    var bean = query.substring("qry=".length(), end < 0 ? query.length() : end);
    var wanted = Pattern.compile(end < 0 ? "" : query.substring(end + "::".length()));
    var attributes =
        Arrays.stream(Metric.Bean.values())
            .filter(it -> it.objectName().equals(bean))
            .findFirst()
            .map(StandIn::ofTuning)
            .orElseGet(() -> ofServer(host));
    return attributes.entrySet().stream()
        .filter(it -> wanted.matcher(it.getKey()).find())
        .map(it -> "\"" + it.getKey() + "\":" + it.getValue())
        .collect(
            Collectors.joining(
                ",",
                "{\"beans\":[{\"name\":\"" + bean + "\",\"modelerType\":\"" + bean + "\",",
                "}]}"));
  }

  /** Counters that do not rise: a server without load. */
  private static Map<String, String> ofTuning(Metric.Bean bean) {
    var attributes = new LinkedHashMap<String, String>();
    bean.attributes().forEach(it -> attributes.put(it, "1048576"));
    return attributes;
  }

  private static Map<String, String> ofServer(String host) {
    var attributes = new LinkedHashMap<String, String>();
    attributes.put("tag.serverName", "\"" + StandInRpc.server(host, Ports.REGIONSERVER_RPC) + "\"");
    attributes.put("regionCount", Integer.toString(StandInRpc.REGIONS));
    attributes.put("storeFileSize", "1073741824");
    attributes.put("ByteBuffAllocatorHeapAllocationBytes", "1048576");
    attributes.put("ByteBuffAllocatorPoolAllocationBytes", "1073741824");
    attributes.put("blockCacheHitCount", "1048576");
    attributes.put("blockCacheMissCount", "1024");
    IntStream.range(0, ATTRIBUTES)
        .forEach(it -> attributes.put("aMetricOfARegionServer_" + it, Integer.toString(it)));
    return attributes;
  }

  /** With the revision that the operator expects; a real server applies it on command. */
  private String configuration(String host, String query) {
    var pod = host.substring(0, host.indexOf('.'));
    var namespace = host.split("\\.", -1)[2];
    var map = pod.substring(0, pod.lastIndexOf('-')) + "-online";
    var files = client.configMaps().inNamespace(namespace).withName(map).get().getData();
    var revision =
        files.values().stream()
            .map(REVISION::matcher)
            .filter(it -> it.find())
            .map(it -> it.group(1))
            .findFirst()
            .orElse("");
    return "{\"properties\":[{\"key\":\""
        + OnlineKeys.REVISION
        + "\",\"value\":\""
        + revision
        + "\"}]}";
  }
}
