package io.offheap.hbase.operator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.offheap.hbase.operator.Slow;
import io.offheap.hbase.operator.property.OddTexts;
import io.offheap.hbase.operator.render.HadoopXml;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/** No text on the command line or in a file makes a command end with an exception. */
class OddCommandsPropertyTest {
  private static final List<String> KEYS =
      List.of(
          "hbase.bucketcache.size",
          "hbase.server.allocator.buffer.size",
          "hbase.regionserver.global.memstore.size",
          "hfile.block.cache.size",
          "hbase.regionserver.handler.count",
          "hbase.regionserver.offheap.global.memstore.size",
          "hbase.bucketcache.ioengine",
          "dfs.client.read.shortcircuit",
          "hbase.foo");

  private static final List<String> OPTIONS =
      List.of(
          "-Xmx",
          "-Xms",
          "-XX:MaxDirectMemorySize=",
          "-XX:ParallelGCThreads=",
          "-XX:SurvivorRatio=",
          "-XX:G1HeapRegionSize=",
          "-XX:MaxRAMPercentage=",
          "-Xlog:",
          "-Da.b=",
          "-XX:",
          "");

  private static final List<String> FIELDS =
      List.of(
          "memory.heap",
          "memory.limit",
          "resources.requests.cpu",
          "blockCache.mode",
          "profile",
          "disk");

  /** Commands about a cluster that runs, with an example of what each reads. */
  private static final Map<String, Path> OBSERVED =
      Map.of(
          "status", Path.of("src/test/resources/cli/status/rollout.yaml"),
          "tuning", Path.of("src/test/resources/cli/status/tuning.yaml"),
          "top", Path.of("src/test/resources/cli/top.json"));

  private static Path folder;

  @BeforeContainer
  static void makeFolder() throws IOException {
    folder = Files.createTempDirectory("odd-commands");
  }

  @AfterContainer
  static void deleteFolder() throws IOException {
    try (var files = Files.walk(folder)) {
      files.sorted((one, other) -> other.compareTo(one)).forEach(file -> file.toFile().delete());
    }
  }

  /** Creates its files, and is the command to run. */
  private interface Command {
    List<String> arguments() throws IOException;
  }

  @Provide
  Arbitrary<Command> commands() {
    var texts = OddTexts.any();
    return Arbitraries.oneOf(
        texts.map(text -> () -> List.of("explain", text, good())),
        Combinators.combine(Arbitraries.of("plan", "render", "diff"), Arbitraries.of(KEYS), texts)
            .as((command, key, text) -> () -> withFile(command, config(key, text))),
        Combinators.combine(Arbitraries.of("plan", "render"), Arbitraries.of(OPTIONS), texts)
            .as((command, name, text) -> () -> withFile(command, option(name + text))),
        Combinators.combine(Arbitraries.of("plan", "diff"), Arbitraries.of(FIELDS), texts)
            .as((command, field, text) -> () -> withFile(command, field(field, text))),
        Combinators.combine(Arbitraries.of(FIELDS), texts)
            .as((field, text) -> () -> whatIf("spec.regionServers." + field + "=" + text)),
        Combinators.combine(Arbitraries.of(KEYS), texts)
            .as((key, text) -> () -> whatIf("spec.regionServers.config[" + key + "]=" + text)),
        texts.map(text -> () -> whatIf(text)),
        texts.map(text -> () -> List.of("plan", text)),
        texts.map(text -> () -> List.of("plan", "--group", text, good())),
        Combinators.combine(
                Arbitraries.of("--limit", "--cores", "--block-size", "--cell-size", "--disk"),
                texts)
            .as((name, text) -> () -> check(Map.of(), "-Xmx1g", List.of(name, text))),
        Combinators.combine(Arbitraries.of(KEYS), texts)
            .as((key, text) -> () -> check(Map.of(key, text), "-Xmx1g", List.of())),
        Combinators.combine(Arbitraries.of(OPTIONS), texts)
            .as((name, text) -> () -> check(Map.of(), name + text, List.of("--limit", "4Gi"))),
        texts.map(text -> () -> environment(text)),
        Combinators.combine(
                Arbitraries.of(OBSERVED.keySet()), Arbitraries.integers().between(0, 999), texts)
            .as((command, value, text) -> () -> observed(command, value, text)));
  }

  @Property(shrinking = ShrinkingMode.OFF)
  @Slow
  void exitStatusIsDocumentedInHelp(@ForAll("commands") Command command) throws IOException {
    var arguments = command.arguments();

    assertEnds(arguments, CommandLineRun.of(arguments.toArray(String[]::new)));
  }

  /** Ten megabytes at once, in each place that a text can have on a command line. */
  @Example
  @Slow
  void endsForTenMegabytes() throws IOException {
    var digits = "7".repeat(10_000_000);
    var steps = "a.".repeat(5_000_000);
    for (var arguments :
        List.of(
            List.of("explain", digits, good()),
            List.of("plan", digits),
            List.of("plan", "--group", digits, good()),
            whatIf("[".repeat(10_000_000)),
            whatIf("spec.regionServers." + steps + "=1"),
            whatIf("spec.regionServers.memory.heap=" + digits),
            check(Map.of(), "-Xmx1g", List.of("--limit", digits)))) {
      var run = CommandLineRun.of(arguments.toArray(String[]::new));
      assertEnds(List.of(arguments.get(0), "ten megabytes"), run);
      assertThat(run.status()).isEqualTo(2);
    }
  }

  private static void assertEnds(List<String> what, CommandLineRun run) {
    assertThat(run.status()).as("%s: %s", what, run.err()).isBetween(0, 2);
    assertThat(run.err()).as("%s", what).doesNotContain("internal error");
    if (run.status() == 2) {
      assertThat(run.err()).isNotBlank();
    }
  }

  private static String good() {
    return Vectors.file("defaults");
  }

  private static List<String> whatIf(String assignment) {
    return List.of("what-if", good(), "--set", assignment);
  }

  private static List<String> withFile(String command, JsonNode cluster) throws IOException {
    var file = folder.resolve("odd.json");
    write(file, new ObjectMapper().writeValueAsString(cluster));
    return switch (command) {
      case "diff" -> List.of("diff", good(), file.toString());
      default -> List.of(command, file.toString());
    };
  }

  private static ObjectNode cluster() throws IOException {
    return (ObjectNode) new YAMLMapper().readTree(Path.of(good()).toFile());
  }

  private static JsonNode config(String key, String text) throws IOException {
    var cluster = cluster();
    cluster.withObject("/spec/regionServers/config").put(key, text);
    return cluster;
  }

  private static JsonNode option(String text) throws IOException {
    var cluster = cluster();
    cluster.withArray("/spec/regionServers/jvmOptions").add(text);
    return cluster;
  }

  private static JsonNode field(String field, String text) throws IOException {
    var cluster = cluster();
    int dot = field.lastIndexOf('.');
    cluster
        .withObject("/spec/regionServers" + (dot < 0 ? "" : "/" + field.substring(0, dot)))
        .put(field.substring(dot + 1), text);
    return cluster;
  }

  private static List<String> check(Map<String, String> site, String option, List<String> more)
      throws IOException {
    var conf = Files.createDirectories(folder.resolve("conf"));
    write(conf.resolve("hbase-site.xml"), HadoopXml.of(site));
    write(conf.resolve("jvm.options"), option + "\n");
    return concat(List.of("check", conf.toString()), more);
  }

  private static List<String> environment(String text) throws IOException {
    var conf = Files.createDirectories(folder.resolve("environment"));
    write(conf.resolve("hbase-site.xml"), HadoopXml.of(Map.of()));
    write(
        conf.resolve("hbase-env.sh"),
        "export HBASE_HEAPSIZE="
            + text
            + "\nexport HBASE_REGIONSERVER_OPTS=\"-Xmx1g "
            + text
            + "\"\n");
    return List.of("check", conf.toString());
  }

  /** The example of a command with one of its values, of whatever type, replaced by the text. */
  private static List<String> observed(String command, int value, String text) throws IOException {
    var places = new ArrayList<Consumer<String>>();
    var documents = new ArrayList<JsonNode>();
    try (var read =
        new YAMLMapper().readerFor(JsonNode.class).readValues(OBSERVED.get(command).toFile())) {
      while (read.hasNext()) {
        documents.add((JsonNode) read.next());
      }
    }
    documents.forEach(it -> addPlaces(it, places));
    places.get(value % places.size()).accept(text);
    var file = folder.resolve("observed.yaml");
    write(file, documents.stream().map(JsonNode::toString).collect(Collectors.joining("\n---\n")));
    return List.of(command, file.toString());
  }

  private static void addPlaces(JsonNode node, List<Consumer<String>> places) {
    if (node instanceof ObjectNode object) {
      object
          .fieldNames()
          .forEachRemaining(
              name -> {
                if (object.get(name).isValueNode()) {
                  places.add(text -> object.put(name, text));
                }
              });
    } else if (node instanceof ArrayNode array) {
      for (int i = 0; i < array.size(); i++) {
        int at = i;
        if (array.get(i).isValueNode()) {
          places.add(text -> array.set(at, TextNode.valueOf(text)));
        }
      }
    }
    node.forEach(it -> addPlaces(it, places));
  }

  /** Invalid UTF-8 is written as a question mark. */
  private static void write(Path file, String text) throws IOException {
    Files.write(file, text.getBytes(StandardCharsets.UTF_8));
  }

  private static List<String> concat(List<String> one, List<String> other) {
    return Stream.concat(one.stream(), other.stream()).toList();
  }
}
