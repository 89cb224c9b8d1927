package io.offheap.hbase.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which properties of a folder's {@code hbase-site.xml} another of its files prevents. */
class FinalPropertiesTest {
  private static final String KEY = "hbase.regionserver.handler.count";

  @TempDir private Path folder;

  /** The files of the folder before those of the class path, as in the image. */
  private static final class FolderFirst extends URLClassLoader {
    FolderFirst(Path folder) throws IOException {
      super(new URL[] {folder.toUri().toURL()}, FinalPropertiesTest.class.getClassLoader());
    }

    @Override
    public URL getResource(String name) {
      var own = findResource(name);
      return own != null ? own : super.getResource(name);
    }
  }

  @BeforeAll
  static void hdfs() {
    HdfsConfiguration.init();
  }

  /** None of a test jar. */
  @BeforeEach
  void files() throws IOException {
    write("core-site.xml", "");
    write("hdfs-site.xml", "");
  }

  @ParameterizedTest
  @ValueSource(strings = {"core-site.xml", "hdfs-site.xml", "hdfs-rbf-site.xml"})
  void namesKeyAndFileButNoValue(String file) throws Exception {
    write(file, finalProperty(KEY, "secret-7"));
    write("hbase-site.xml", property(KEY, "secret-8") + property("a", "b"));

    assertThat(conflict())
        .contains(
            "remove <final> from "
                + KEY
                + " in "
                + file
                + " of the referenced config map: values of hbase-site.xml have no effect");
  }

  @Test
  void acceptsEqualValue() throws Exception {
    write("core-site.xml", finalProperty(KEY, "7"));
    write("hbase-site.xml", property(KEY, "7"));

    assertThat(conflict()).isEmpty();
  }

  @Test
  void acceptsOtherValueThatIsNotFinal() throws Exception {
    write("core-site.xml", property(KEY, "7") + finalProperty("other", "1"));
    write("hbase-site.xml", property(KEY, "8"));

    assertThat(conflict()).isEmpty();
  }

  @Test
  void acceptsFinalPropertyOfTheSiteItself() throws Exception {
    write("core-site.xml", property(KEY, "7"));
    write("hbase-site.xml", finalProperty(KEY, "8") + property(KEY, "9"));

    assertThat(conflict()).isEmpty();
  }

  /** Hadoop then has no value at all, or that of an earlier file. */
  @Test
  void refusesFinalPropertyWithoutValue() throws Exception {
    write("core-site.xml", property(KEY, "7"));
    write(
        "hdfs-site.xml",
        "<property><name>"
            + KEY
            + "</name><final>true</final></property>"
            + "<property name='unset' final='true'/>");
    write("hbase-site.xml", property(KEY, "8") + property("unset", "1"));

    assertThat(conflict())
        .hasValueSatisfying(
            it ->
                assertThat(it)
                    .contains(" from " + KEY + " in hdfs-site.xml, unset in hdfs-site.xml of"));
  }

  /** It sets nothing, with or without a final property elsewhere. */
  @ParameterizedTest
  @ValueSource(strings = {"", "<value></value>", "<value/>"})
  void acceptsSiteWithoutValue(String value) throws Exception {
    write("core-site.xml", finalProperty(KEY, "7"));
    write("hbase-site.xml", "<property><name>" + KEY + "</name>" + value + "</property>");

    assertThat(conflict()).isEmpty();
  }

  @Test
  void comparesValuesBeforeExpansion() throws Exception {
    write("core-site.xml", property("dir", "/a") + finalProperty("same", "${dir}/x"));
    write("hbase-site.xml", property("dir", "/b") + property("same", "${dir}/x"));

    assertThat(conflict()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"/a/x", "\n  /a/x\n", "${base}/x"})
  void acceptsOtherTextOfTheSameValue(String text) throws Exception {
    write("core-site.xml", property("base", "/a") + finalProperty("dir", text));
    write("hbase-site.xml", property("dir", "/a/x"));
    assertThat(conflict()).isEmpty();

    write("hbase-site.xml", property("dir", "/b/x"));
    assertThat(conflict()).isPresent();
  }

  /** Of HDFS, and of Hadoop's own keys. */
  @ParameterizedTest
  @ValueSource(strings = {"dfs.socket.timeout", "fs.default.name"})
  void acceptsDeprecatedName(String deprecated) throws Exception {
    assertThat(Configuration.isDeprecated(deprecated)).isTrue();
    write("hbase-site.xml", property(deprecated, "77"));
    assertThat(conflict()).isEmpty();

    write("core-site.xml", finalProperty(deprecated, "77"));
    assertThat(conflict()).isEmpty();
  }

  @Test
  void comparesDeprecatedNameWithTheNewOne() throws Exception {
    write("core-site.xml", finalProperty("dfs.socket.timeout", "1000"));
    write("hbase-site.xml", property("dfs.client.socket-timeout", "1000"));
    assertThat(conflict()).isEmpty();

    write("hbase-site.xml", property("dfs.client.socket-timeout", "2000"));
    assertThat(conflict())
        .hasValueSatisfying(
            it -> assertThat(it).contains("dfs.client.socket-timeout in core-site.xml"));

    write("core-site.xml", finalProperty("dfs.client.socket-timeout", "1000"));
    write("hbase-site.xml", property("dfs.socket.timeout", "2000"));
    assertThat(conflict())
        .hasValueSatisfying(
            it -> assertThat(it).contains("dfs.client.socket-timeout in core-site.xml"));
  }

  /** As the operator includes the values that running servers reload. */
  @Test
  void readsIncludedFiles() throws Exception {
    write("hbase-site.xml", include("hbase-online.xml"));
    write("core-site.xml", include("more.xml"));
    write("more.xml", finalProperty(KEY, "7"));
    assertThat(conflict()).as("without the included file").isEmpty();

    write("hbase-online.xml", property(KEY, "8"));
    assertThat(conflict())
        .hasValueSatisfying(it -> assertThat(it).contains(KEY + " in core-site.xml of"));
  }

  @Test
  void namesEachFileAndTenKeysInOrder() throws Exception {
    write("core-site.xml", finalProperty("k10", "core") + finalProperty("k11", "core"));
    write("hdfs-site.xml", properties("<final>true</final>", "hdfs"));
    write("hbase-site.xml", properties("", "plan"));

    assertThat(conflict())
        .hasValueSatisfying(
            it ->
                assertThat(it)
                    .contains(
                        " from k10 in core-site.xml and hdfs-site.xml, k11 in core-site.xml and"
                            + " hdfs-site.xml, k12 in hdfs-site.xml, ")
                    .endsWith(
                        ", k19 in hdfs-site.xml, and from 2 more properties of the referenced config"
                            + " map: values of hbase-site.xml have no effect"));
  }

  /** A config map's files are replaced while servers run and start. */
  @Test
  void acceptsSiteThatIsReplacedMeanwhile() throws Exception {
    write("hbase-site.xml", property(KEY, "7"));
    try (var loader = new FolderFirst(folder)) {
      var whole = whole(loader);
      write("hbase-site.xml", property(KEY, "8"));

      assertThat(FinalProperties.conflict(whole)).isEmpty();
    }
  }

  @Test
  void acceptsFolderWithoutFiles() throws Exception {
    assertThat(conflict()).isEmpty();
  }

  @Test
  void failsWithFileThatCannotBeParsed() throws Exception {
    Files.writeString(folder.resolve("hbase-site.xml"), "<configuration>");

    assertThatThrownBy(this::conflict).isInstanceOf(RuntimeException.class);
  }

  private static String properties(String mark, String value) {
    return IntStream.range(10, 10 + FinalProperties.NAMED + 2)
        .mapToObj(it -> property("k" + it, value).replace("</property>", mark + "</property>"))
        .collect(Collectors.joining());
  }

  private static String property(String name, String value) {
    return "<property><name>%s</name><value>%s</value></property>".formatted(name, value);
  }

  private static String finalProperty(String name, String value) {
    return property(name, value).replace("</property>", "<final>true</final></property>");
  }

  private static String include(String file) {
    return "<xi:include xmlns:xi=\"http://www.w3.org/2001/XInclude\" href=\""
        + file
        + "\"><xi:fallback/></xi:include>";
  }

  private void write(String file, String content) throws IOException {
    Files.writeString(
        folder.resolve(file),
        "<?xml version=\"1.0\"?>\n<configuration>" + content + "</configuration>");
  }

  private Optional<String> conflict() throws IOException {
    try (var loader = new FolderFirst(folder)) {
      return FinalProperties.conflict(whole(loader));
    }
  }

  private static Configuration whole(ClassLoader loader) {
    var whole = HBaseConfiguration.create();
    whole.setClassLoader(loader);
    whole.reloadConfiguration();
    whole.size();
    return whole;
  }
}
