package io.offheap.hbase.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.offheap.hbase.operator.tune.Metric;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The image's region server under a plan of the operator: the patches are in, blocks are read
 * through the pool, and the observer agrees with the collector's log and jcmd. All of one run of
 * {@code e2e/bin/read-image}.
 */
class ImageIT {
  private static final Path FOLDER = Path.of("target", "image-it").toAbsolutePath();
  private static final Path CHART = Path.of("..", "charts", "hbase-offheap-operator");
  private static final int READS = 6_000;

  private static final Pattern SERVER_METRIC =
      Pattern.compile(
          "\\b(?:observer|server|jvm_metrics|assignment_manager|fs_namesystem|datanode|zookeeper)"
              + "_[a-z0-9_]+");

  /** From the log's names of a collection to the observer's. */
  private static final Map<String, String> KINDS =
      Map.of(
          "Young (Normal)", "GcNormalCount",
          "Young (Concurrent Start)", "GcConcurrentStartCount",
          "Young (Prepare Mixed)", "GcPrepareMixedCount",
          "Young (Mixed)", "GcMixedCount",
          "Full", "GcFullCount");

  private static final Pattern PAUSE =
      Pattern.compile("GC\\((\\d+)\\) Pause (Full|Young \\([A-Z][a-zA-Z ]*\\)).* [\\d.]+ms$");

  private static List<String> log;
  private static JsonNode observer;

  @BeforeAll
  static void read() throws IOException {
    assertThat(Shell.plain().show("e2e/bin/read-image", FOLDER.toString())).isZero();
    log = Files.readAllLines(FOLDER.resolve("region-server.log"));
    observer = json("observer.json").path("beans").path(0);
    assertThat(observer.path("GcFirstId").isNumber()).as("the observer's bean").isTrue();
  }

  @Test
  void thePatchesAreInAndLogged() throws IOException {
    var series =
        Files.readAllLines(Path.of("..", "patches", "series")).stream()
            .filter(line -> line.endsWith(".patch"))
            .toList();
    var logged = log.stream().filter(line -> line.startsWith("entrypoint: patch ")).toList();

    assertThat(series).isNotEmpty();
    assertThat(logged).hasSameSizeAs(series);
    for (int i = 0; i < series.size(); i++) {
      assertThat(logged.get(i)).startsWith("entrypoint: patch " + series.get(i).substring(0, 4));
    }
    // Published HBase has no such counts, and the observer then no such metrics.
    assertThat(observer.has("AllocatorBuffersInUse")).isTrue();
    assertThat(observer.has("AllocatorPoolEmptyCount")).isTrue();
  }

  /** By the JVMs' own log of each class that they load. */
  @Test
  void onlyRegionServersAndClientsLoadPatchedHadoop() throws IOException {
    for (String role : List.of("namenode", "datanode", "master")) {
      assertThat(loaded(role)).as(role).containsExactly(hadoop("published"));
    }
    assertThat(loaded("regionserver")).containsExactly(hadoop("patched"));
    // It reads no file.
    assertThat(loaded("client")).containsExactly("patched/hadoop-common");
    assertThat(loaded("zookeeper")).isEmpty();
  }

  @Test
  void editsOfTheNameNodeAreMergedIntoItsImage() throws IOException {
    assertThat(Files.readAllLines(FOLDER.resolve("name.txt")))
        .as("an image of later than the format")
        .anyMatch(it -> it.matches("fsimage_0*[1-9][0-9]*"));
  }

  @Test
  void theSwitchLoadsPublishedHadoop() throws IOException {
    assertThat(loaded("published")).containsExactly(hadoop("published"));
  }

  @Test
  void blocksComeFromThePool() throws IOException {
    var before = json("before.json");
    var after = json("after.json");

    assertThat(delta(before, after, "gets")).isGreaterThanOrEqualTo(READS);
    assertThat(delta(before, after, "allocatorPoolBytes")).isGreaterThan(READS / 4 * 65_536L);
    // Not one block of the table. A client that starts reads one of hbase:meta, which has few rows:
    // what is smaller than minimal.allocate.size comes from the heap.
    assertThat(delta(before, after, "allocatorHeapBytes")).isLessThan(16_384);
    assertThat(observer.path("AllocatorPoolEmptyCount").asLong()).isZero();
    assertThat(observer.path("AllocatorMultiBufferCount").asLong(-1)).isNotNegative();
    // No client reads any more, so no buffer is in use.
    assertThat(observer.path("AllocatorBuffersInUse").asLong(-1)).isZero();
  }

  @Test
  void theObserverCountsTheCollectionsOfTheLog() {
    var counts = new TreeMap<String, Long>();
    KINDS.values().forEach(kind -> counts.put(kind, 0L));
    long first = observer.path("GcFirstId").asLong();
    long last = observer.path("GcLastId").asLong();
    for (String line : log) {
      var pause = PAUSE.matcher(line);
      if (pause.find() && isWithin(Long.parseLong(pause.group(1)), first, last)) {
        counts.merge(KINDS.get(pause.group(2)), 1L, Long::sum);
      }
    }

    assertThat(counts.get("GcNormalCount")).isPositive();
    assertThat(counts.get("GcFullCount")).isEqualTo(1);
    counts.forEach(
        (kind, count) -> assertThat(observer.path(kind).asLong(-1)).as(kind).isEqualTo(count));
    assertThat(observer.path("GcEventBytesLost").asLong(-1)).isZero();
  }

  /** Its counters are of the whole life of the process, the observer's from its start on. */
  @Test
  void theObserverCountsTheCollectionsOfJcmd() throws IOException {
    long first = observer.path("GcFirstId").asLong();
    long youngBefore = 0;
    for (String line : log) {
      var pause = PAUSE.matcher(line);
      if (pause.find() && Long.parseLong(pause.group(1)) < first) {
        assertThat(pause.group(2)).startsWith("Young");
        youngBefore++;
      }
    }
    long young =
        observer.path("GcNormalCount").asLong()
            + observer.path("GcConcurrentStartCount").asLong()
            + observer.path("GcPrepareMixedCount").asLong()
            + observer.path("GcMixedCount").asLong();

    assertThat(youngBefore + young).isEqualTo(invocations(0));
    assertThat(observer.path("GcFullCount").asLong()).isEqualTo(invocations(1));
  }

  @Test
  void preStopStepReportsRegionsThatAreNotMoved() throws IOException {
    assertThat(Files.readAllLines(FOLDER.resolve("drained.txt")))
        .last()
        .asString()
        .matches(
            "drained: [1-9]\\d* regions left, none moved for 2 s: stops waiting after \\d+" + " s");
  }

  /** PromtoolIT holds each metric of a query against the names that are looked for here. */
  @Test
  void serversExportMetricsOfAlertsAndDashboard() throws IOException {
    var shown = new TreeSet<String>();
    for (String role : List.of("zookeeper", "namenode", "datanode", "master", "regionserver")) {
      Files.readAllLines(FOLDER.resolve("metrics-" + role + ".txt")).stream()
          .filter(line -> !line.startsWith("#"))
          .map(line -> line.split("[{ ]", 2)[0])
          .forEach(shown::add);
    }
    var expected = new TreeSet<String>();
    for (String file :
        List.of("alerts/hbase-offheap.rules.yaml", "dashboards/hbase-offheap.json")) {
      SERVER_METRIC
          .matcher(Files.readString(CHART.resolve(file)))
          .results()
          .forEach(it -> expected.add(it.group()));
    }

    assertThat(expected).hasSizeGreaterThan(50);
    assertThat(shown).containsAll(expected);
  }

  @Test
  void theBeanHasWhatTuningReads() {
    assertThat(Metric.Bean.OBSERVER.attributes()).isNotEmpty().allMatch(observer::has);
  }

  private static String[] hadoop(String folder) {
    return new String[] {folder + "/hadoop-common", folder + "/hadoop-hdfs-client"};
  }

  /** Folder and name of each jar, without its version, in order. */
  private static List<String> loaded(String role) throws IOException {
    return Files.readAllLines(FOLDER.resolve("loaded-" + role + ".txt")).stream()
        .map(jar -> jar.replaceFirst("-[0-9][^/]*[.]jar$", ""))
        .toList();
  }

  private static boolean isWithin(long id, long first, long last) {
    return first <= id && id <= last;
  }

  private static long invocations(int collector) throws IOException {
    var name = "sun.gc.collector." + collector + ".invocations=";
    return Files.readAllLines(FOLDER.resolve("perf.txt")).stream()
        .filter(line -> line.startsWith(name))
        .mapToLong(line -> Long.parseLong(line.substring(name.length())))
        .findFirst()
        .orElseThrow();
  }

  private static long delta(JsonNode before, JsonNode after, String counter) {
    return after.required(counter).asLong() - before.required(counter).asLong();
  }

  private static JsonNode json(String file) throws IOException {
    return new ObjectMapper().readTree(FOLDER.resolve(file).toFile());
  }
}
