package io.offheap.hbase.e2e;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.Properties;

/**
 * The versions that the build uses, from the properties of the parent {@code pom.xml}.
 *
 * @param hbase HBase's release in the image, without the suffix of the jars
 * @param oldHBase HBase's release that is upgraded from
 * @param hadoop version of HDFS and of Hadoop's client in the image
 * @param zookeeper version of ZooKeeper in the image
 */
record Versions(String hbase, String oldHBase, String hadoop, String zookeeper) {

  /** Reads {@code versions.properties}, which Maven fills in. */
  static Versions ofBuild() {
    var properties = new Properties();
    try (var file = Versions.class.getResourceAsStream("/versions.properties")) {
      properties.load(Objects.requireNonNull(file, "versions.properties"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new Versions(
        number(properties, "hbase"),
        number(properties, "hbase.old"),
        number(properties, "hadoop"),
        number(properties, "zookeeper"));
  }

  /** A property that the build does not have would stay in the file as its own name. */
  private static String number(Properties properties, String name) {
    var value = properties.getProperty(name, "");
    if (!value.matches("\\d+\\.\\d+\\.\\d+")) {
      throw new IllegalStateException("versions.properties: " + name + "=" + value);
    }
    return value;
  }
}
