package io.offheap.hbase.image;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hdfs.HdfsConfiguration;

/**
 * Properties of {@value #SITE} that have no effect: another file, which is loaded before it, marks
 * them as final and has another value or none. Hadoop then ignores the value of {@value #SITE},
 * with a warning in the log at most.
 */
final class FinalProperties {
  static final String SITE = "hbase-site.xml";

  /** Keys that the message names. */
  static final int NAMED = 10;

  /** What a server loads before {@value #SITE}, from its class path. */
  private static final List<String> EARLIER =
      List.of(
          "core-default.xml",
          "core-site.xml",
          ImageDefaults.FILE,
          "hdfs-default.xml",
          "hdfs-rbf-default.xml",
          "hdfs-site.xml",
          "hdfs-rbf-site.xml",
          "hbase-default.xml");

  private FinalProperties() {}

  /**
   * Compares the files of this class path. Afterwards every configuration of this process has HDFS'
   * files and deprecated names, as in a server once it uses HDFS' client.
   *
   * @return a message of one line with keys, files and what to do, without values; empty where
   *     {@value #SITE} has its effect
   * @throws RuntimeException if a file cannot be parsed
   */
  static Optional<String> conflict() {
    HdfsConfiguration.init();
    return conflict(HBaseConfiguration.create());
  }

  /** The same for a configuration of HBase, with the files of its class loader. */
  static Optional<String> conflict(Configuration whole) {
    var keys = new TreeSet<String>();
    // In both, Hadoop has replaced deprecated names.
    for (var property : alone(SITE, whole)) {
      if (!isEffective(property.getKey(), property.getValue(), whole)) {
        keys.add(property.getKey());
      }
    }
    // Values differ also where the file is replaced between the two reads.
    keys.retainAll(whole.getFinalParameters());
    return keys.isEmpty() ? Optional.empty() : Optional.of(message(keys, whole));
  }

  /** Texts differ also in white space, and in variables that expand to the same. */
  private static boolean isEffective(String key, String value, Configuration whole) {
    if (value.equals(whole.getRaw(key))) {
      return true;
    }
    var planned = new Configuration(whole);
    planned.set(key, value);
    return planned.getTrimmed(key).equals(whole.getTrimmed(key));
  }

  private static String message(Set<String> keys, Configuration whole) {
    var named =
        keys.stream()
            .limit(NAMED)
            .map(key -> key + " in " + files(key, whole))
            .collect(Collectors.joining(", "));
    int left = keys.size() - NAMED;
    // What is to be done comes first: the operator shows 120 characters of a long log's last line.
    return "remove <final> from %s%s of the referenced config map: values of %s have no effect"
        .formatted(named, left > 0 ? ", and from " + left + " more properties" : "", SITE);
  }

  /**
   * The files that mark it. The sources of its value, as Hadoop has them, can be other files: a
   * final property need not have a value.
   */
  private static String files(String key, Configuration whole) {
    var files =
        EARLIER.stream()
            .filter(file -> finals(file, whole).contains(key))
            .collect(Collectors.joining(" and "));
    return files.isEmpty() ? "another file" : files;
  }

  private static Set<String> finals(String file, Configuration whole) {
    return alone(file, whole).getFinalParameters();
  }

  /** A loaded file, which is empty where there is none. */
  private static Configuration alone(String file, Configuration whole) {
    var configuration = new Configuration(false);
    configuration.setClassLoader(whole.getClassLoader());
    configuration.addResource(file);
    // Files are loaded with the first request for a property, and final properties are none.
    configuration.size();
    return configuration;
  }
}
