package io.offheap.hbase.operator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The README shows the examples and their plans. */
class ReadmeTest {
  private static final Path README = Path.of("..", "README.md");
  private static final Path EXAMPLES = Path.of("..", "examples");
  private static final Pattern YAML = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL);
  private static final Pattern TRANSCRIPT =
      Pattern.compile("<!-- transcript -->(.*?)<!-- /transcript -->", Pattern.DOTALL);
  private static final Pattern OFF_HEAP = Pattern.compile("\"offHeap\":\"(\\w+)\"");
  private static final Pattern HASH = Pattern.compile("\\b[0-9a-f]{10}\\b");

  @Test
  void readmeHasPlansOfDemoBeforeAndAfterChange() throws Exception {
    var transcript = only(TRANSCRIPT);
    var offHeap = OFF_HEAP.matcher(transcript);
    assertThat(offHeap.find()).as("a changed size in %s", transcript).isTrue();
    var demo = ClusterFile.read(EXAMPLES.resolve("demo.yaml").toString());
    var changed = demo.with(Assignment.of("spec.regionServers.memory.offHeap", offHeap.group(1)));

    var hashes = HASH.matcher(transcript).results().map(it -> it.group()).distinct().toList();

    assertThat(hashes).containsExactly(demo.plan().hash(), changed.plan().hash());
  }

  @Test
  void readmeQuotesSmallExample() throws IOException {
    assertThat(Files.readString(EXAMPLES.resolve("small.yaml"))).endsWith(only(YAML));
  }

  private static String only(Pattern pattern) throws IOException {
    var found = pattern.matcher(Files.readString(README)).results().toList();
    assertThat(found).as("%s in the README", pattern).hasSize(1);
    return found.get(0).group(1);
  }
}
