package io.offheap.hbase.e2e.scale;

import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.offheap.hbase.operator.api.HBaseCluster;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Makes clusters in two steps, a tenth of them and then all, and measures the operator while they
 * are made, at rest and after a restart. Prints a table in Markdown; ends with 1 where a figure is
 * over its limit, and with 2 where it cannot be measured.
 */
final class Scale {
  private static final int PODS = 5;

  /** With as many, all pools of threads are full. */
  private static final int FEW = 10;

  private static final String NAMESPACE = "scale";

  /** No work for so long is rest. */
  private static final Duration QUIET = Duration.ofSeconds(20);

  /** And no request for so long: a new cluster's servers have a minute to report. */
  private static final Duration NO_REQUEST = Duration.ofSeconds(75);

  private static final Duration LONGEST = Duration.ofMinutes(30);

  /** What a process at rest may take of a core within a window, for it to count as calm. */
  private static final double CALM_CPU = 0.25;

  private static final Duration WINDOW = Duration.ofSeconds(5);

  private final int clusters;
  private final Duration rest;
  private final Path work;
  private final Requests requests;
  private final KubernetesClient client;
  private final ScaleFigures figures = new ScaleFigures();

  private Scale(int clusters, Duration rest, Path work, String user, KubernetesClient client) {
    this.clusters = clusters;
    this.rest = rest;
    this.work = work;
    this.requests = new Requests(work.resolve("audit.log"), user);
    this.client = client;
  }

  /** A cluster's hosts and addresses, as a hosts file has them; argument: number of clusters. */
  static Stream<String> hosts(int clusters) {
    return IntStream.range(0, clusters)
        .boxed()
        .flatMap(
            cluster ->
                Stream.concat(
                    IntStream.range(0, 3).mapToObj(it -> host(cluster, "regionserver", it)),
                    IntStream.range(0, 2).mapToObj(it -> host(cluster, "master", it))));
  }

  private static String host(int cluster, String role, int ordinal) {
    int last = (role.equals("master") ? 20 : 10) + ordinal;
    var service = name(cluster) + "-" + role;
    return "127.%d.%d.%d %s-%d.%s.%s.svc"
        .formatted(64 + cluster / 250, cluster % 250, last, service, ordinal, service, NAMESPACE);
  }

  private static String name(int cluster) {
    return "c%04d".formatted(cluster);
  }

  /**
   * Arguments: {@code hosts N}, which prints a hosts file, or {@code measure N SECONDS FOLDER USER}
   * with the seconds that rest is measured for, the folder that the script has prepared, and who
   * the operator is for the API server.
   */
  public static void main(String[] args) throws Exception {
    int clusters = Integer.parseInt(args[1]);
    if (args[0].equals("hosts")) {
      hosts(clusters).forEach(System.out::println);
      return;
    }
    int status;
    try (var client = new KubernetesClientBuilder().build();
        var nodes = SimulatedNodes.start(client)) {
      var scale =
          new Scale(
              clusters,
              Duration.ofSeconds(Long.parseLong(args[2])),
              Path.of(args[3]),
              args[4],
              client);
      scale.run(nodes);
      status = scale.figures.report(System.out, scale.work.resolve("report.md")) ? 0 : 1;
    } catch (Exception e) {
      // Whatever it is, it is not a figure over its limit.
      e.printStackTrace();
      status = 2;
    }
    System.exit(status);
  }

  private void run(SimulatedNodes nodes) throws Exception {
    prepare();
    try (var operator = start()) {
      grow(nodes, operator);
    }
    restart();
  }

  private void grow(SimulatedNodes nodes, MeasuredOperator operator) throws Exception {
    int few = Math.min(clusters, Math.max(FEW, clusters / 10));
    create(0, few, nodes, operator);
    awaitCalm(operator, Instant.now());
    int threads = operator.threads();
    figures.add("threads with " + few + " clusters", threads, "", Double.MAX_VALUE);

    var created = Instant.now();
    int most = create(few, clusters, nodes, operator);
    awaitCalm(operator, created);
    var making = requests.since(created);
    var sets =
        making.stream()
            .filter(it -> it.isWrite() && it.resource().equals("statefulsets"))
            .map(Requests.Request::received)
            .max(Instant::compareTo)
            .orElse(created);
    figures.add(
        "creation until the last StatefulSet", seconds(created, sets), "s", Double.MAX_VALUE);
    long writes = making.stream().filter(Requests.Request::isWrite).count();
    figures.add("writes at creation", writes, "", Double.MAX_VALUE);
    figures.add(
        "of them refused with 409",
        100.0 * making.stream().filter(it -> it.isWrite() && it.isConflict()).count() / writes,
        "%",
        1);
    print("at creation: " + Requests.text(making, it -> !it.verb().equals("watch")));
    figures.add("most threads at creation", most, "", Double.MAX_VALUE);

    rest(operator);
    figures.add("threads more with " + clusters + " clusters", operator.threads() - threads, "", 5);
    operator.jcmd(work.resolve("threads.txt"), "Thread.print");
    figures.add("resident at rest", operator.residentMib(), "MiB", 400);
    figures.add("most ever resident", operator.peakResidentMib(), "MiB", 512);
    figures.add(
        "live heap", operator.liveHeapMib(work.resolve("histogram.txt")), "MiB", Double.MAX_VALUE);
    operator.jcmd(work.resolve("heap.txt"), "GC.heap_info");
  }

  private void prepare() {
    client
        .resource(
            new NamespaceBuilder().withNewMetadata().withName(NAMESPACE).endMetadata().build())
        .serverSideApply();
    // A foreign config map: the operator reads only whether it exists.
    client
        .resource(
            new ConfigMapBuilder()
                .withNewMetadata()
                .withName("hdfs-client")
                .withNamespace(NAMESPACE)
                .endMetadata()
                .addToData("core-site.xml", "<configuration/>".repeat(100))
                .build())
        .serverSideApply();
  }

  private MeasuredOperator start() throws Exception {
    var operator =
        MeasuredOperator.start(work.resolve("start-operator"), work.resolve("operator.log"));
    // For the script, which ends what has been started.
    Files.writeString(
        work.resolve("processes"),
        operator.pid() + "\n",
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
    var end = Instant.now().plus(LONGEST);
    while (!operator.isReady()) {
      if (Instant.now().isAfter(end)) {
        throw new IllegalStateException("the operator is not ready after " + LONGEST);
      }
      Thread.sleep(200);
    }
    return operator;
  }

  /** Returns the most threads that the operator had meanwhile. */
  private int create(int from, int to, SimulatedNodes nodes, MeasuredOperator operator)
      throws Exception {
    for (int cluster = from; cluster < to; cluster++) {
      client.resource(cluster(name(cluster))).create();
    }
    return awaitPods(nodes, to, operator);
  }

  private int awaitPods(SimulatedNodes nodes, int to, MeasuredOperator operator) throws Exception {
    int most = 0;
    var end = Instant.now().plus(LONGEST);
    while (nodes.ready() < (long) to * PODS) {
      if (Instant.now().isAfter(end)) {
        throw new IllegalStateException(nodes.ready() + " pods are ready after " + LONGEST);
      }
      most = Math.max(most, operator.threads());
      Thread.sleep(500);
    }
    return most;
  }

  private static HBaseCluster cluster(String name) {
    return Serialization.unmarshal(
        """
        apiVersion: hbase.offheap.io/v1alpha1
        kind: HBaseCluster
        metadata: {name: NAME, namespace: NAMESPACE}
        spec:
          zookeeper: {external: {quorum: "zk:2181", znodeParent: /NAME}}
          storage: {external: {rootDir: "hdfs://ns/NAME", configMapRefs: [{name: hdfs-client}]}}
          masters: {replicas: 2, heap: 1Gi}
          regionServers:
            replicas: 3
            memory: {heap: 8Gi, offHeap: 16Gi}
        """
            .replace("NAMESPACE", NAMESPACE)
            .replace("NAME", name),
        HBaseCluster.class);
  }

  /** The last moment with a request or with work; waits until there was neither for a while. */
  private Instant awaitCalm(MeasuredOperator operator, Instant since) throws Exception {
    var work = since;
    var end = Instant.now().plus(LONGEST);
    while (true) {
      double before = operator.cpuSeconds();
      Thread.sleep(WINDOW.toMillis());
      var now = Instant.now();
      if (operator.cpuSeconds() - before > CALM_CPU * WINDOW.toSeconds()) {
        work = now;
      }
      var last = requests.last(since);
      if (work.plus(QUIET).isBefore(now) && last.plus(NO_REQUEST).isBefore(now)) {
        return last.isAfter(work) ? last : work;
      }
      if (now.isAfter(end)) {
        print("not calm after " + LONGEST);
        return now;
      }
    }
  }

  private void rest(MeasuredOperator operator) throws Exception {
    var since = Instant.now();
    double cpu = operator.cpuSeconds();
    Thread.sleep(rest.toMillis());
    double minutes = seconds(since, Instant.now()) / 60;
    var made = requests.since(since);
    figures.add(
        "CPU at rest", 100 * (operator.cpuSeconds() - cpu) / (60 * minutes), "% of a core", 10);
    figures.add("requests of a cluster in a minute", made.size() / minutes / clusters, "", 0.1);
    figures.add("writes at rest", made.stream().filter(Requests.Request::isWrite).count(), "", 0);
    figures.add("GETs at rest", made.stream().filter(Requests.Request::isGet).count(), "", 0);
    print("at rest: " + Requests.text(made, it -> true));
  }

  private void restart() throws Exception {
    var since = Instant.now();
    try (var operator = start()) {
      var calm = awaitCalm(operator, since);
      var made = requests.since(since);
      figures.add("restart until calm", seconds(operator.started(), calm), "s", 30);
      figures.add(
          "writes after a restart", made.stream().filter(Requests.Request::isWrite).count(), "", 0);
      print("after a restart: " + Requests.text(made, it -> !it.verb().equals("watch")));
      figures.add("resident after a restart", operator.residentMib(), "MiB", 400);
    }
  }

  private static double seconds(Instant from, Instant to) {
    return Duration.between(from, to).toMillis() / 1000.0;
  }

  private static void print(String text) {
    System.err.println("    " + text);
  }
}
