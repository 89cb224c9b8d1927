package io.offheap.hbase.image;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Processes that are started as the image starts a server. */
class ImageDefaultsTest {
  private static final int EX_CONFIG = 78;
  private static final String CLASS_PATH = System.getProperty("java.class.path");
  private static final Path IMAGE = Path.of("..").toAbsolutePath().normalize();

  @TempDir private Path folder;
  private Path conf;

  private record Result(int status, String output) {}

  /** In place of a server. */
  static final class Server {
    private Server() {}

    public static void main(String[] arguments) {
      System.out.println("started with " + List.of(arguments));
      System.out.println(new Configuration().get("hbase.io.compress.zstd.codec"));
    }
  }

  @BeforeEach
  void files() throws IOException {
    conf = Files.createDirectory(folder.resolve("conf"));
    Files.writeString(conf.resolve("jvm.options"), "-Xmx256m\n");
    Files.writeString(conf.resolve("hbase-site.xml"), property("1", false));
    Files.writeString(conf.resolve("core-site.xml"), property("1", true));
    Files.writeString(conf.resolve("hdfs-site.xml"), property("1", true));
  }

  @ParameterizedTest
  @CsvSource({"master, core-site.xml", "regionserver, hdfs-site.xml"})
  void entrypointStartsNoServerWhoseSiteHasNoEffect(String role, String file) throws Exception {
    Files.writeString(conf.resolve("core-site.xml"), property("2", false));
    Files.writeString(conf.resolve("hdfs-site.xml"), property("2", false));
    Files.writeString(conf.resolve(file), property("2", true));

    var result = run(image().resolve("bin/entrypoint").toString(), role);

    assertThat(result.status()).as(result.output()).isEqualTo(EX_CONFIG);
    assertThat(result.output().lines())
        .last()
        .asString()
        .contains("remove <final> from hbase.test in " + file + " of");
  }

  @Test
  void startsServerWithDefaultsAndArguments() throws Exception {
    var result = server();

    assertThat(result.status()).as(result.output()).isZero();
    assertThat(result.output()).contains("started with [start]", ".zstd.ZstdCodec");
  }

  @ParameterizedTest
  @ValueSource(strings = {"core-site.xml", "hdfs-site.xml", "hbase-site.xml"})
  void leavesFileThatCannotBeParsedToTheServer(String file) throws Exception {
    Files.writeString(conf.resolve(file), "<configuration>");

    assertThat(server().output()).contains("started with [start]");
  }

  private Result server() throws Exception {
    return run(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-cp",
        conf + File.pathSeparator + CLASS_PATH,
        ImageDefaults.class.getName(),
        Server.class.getName(),
        "start");
  }

  /** The scripts, and a jar that refers to the class path of this test. */
  private Path image() throws IOException {
    var home = Files.createDirectory(folder.resolve("home"));
    for (var file :
        List.of(
            "bin/entrypoint", "bin/java.sh", "conf/jvm-base.options", "conf/image-default.xml")) {
      Files.createDirectories(home.resolve(file).getParent());
      Files.copy(IMAGE.resolve(file), home.resolve(file), StandardCopyOption.COPY_ATTRIBUTES);
    }
    Files.writeString(home.resolve("patches.txt"), "HBase 2\n");
    var manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest
        .getMainAttributes()
        .put(
            Attributes.Name.CLASS_PATH,
            Stream.of(CLASS_PATH.split(File.pathSeparator, -1))
                .map(it -> Path.of(it).toUri().toString())
                .collect(Collectors.joining(" ")));
    var lib = Files.createDirectory(home.resolve("lib"));
    try (var file = Files.newOutputStream(lib.resolve("hbase-admin-tools-1.jar"))) {
      new JarOutputStream(file, manifest).close();
    }
    return home;
  }

  private static String property(String value, boolean isFinal) {
    return "<configuration><property><name>hbase.test</name><value>%s</value><final>%s</final></property></configuration>"
        .formatted(value, isFinal);
  }

  private Result run(String... command) throws Exception {
    var out = folder.resolve("out");
    var builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(out.toFile());
    List.of("WAIT_FOR", "HBASE_CLUSTER", "WEB_PAGES").forEach(builder.environment()::remove);
    builder.environment().put("HBASE_HOME", folder.resolve("home").toString());
    builder.environment().put("HBASE_CONF_DIR", conf.toString());
    builder.environment().put("TMPDIR", folder.toString());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    var process = builder.start();
    try {
      assertThat(process.waitFor(120, TimeUnit.SECONDS))
          .as(() -> Files.exists(out) ? text(out) : "")
          .isTrue();
      return new Result(process.exitValue(), Files.readString(out));
    } finally {
      process.destroyForcibly();
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return e.toString();
    }
  }
}
