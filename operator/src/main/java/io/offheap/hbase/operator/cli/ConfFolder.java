package io.offheap.hbase.operator.cli;

import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A configuration folder of HBase: the properties that a region server reads, and the options with
 * which its JVM is started, in {@code java}'s order.
 *
 * @param properties by name, each with the file that decides it
 * @param options of the JVM, each with its place
 * @param unclear statements that may change options and were not understood
 * @param files the files that were read
 */
record ConfFolder(
    Map<String, PlacedValue> properties,
    List<PlacedValue> options,
    List<Finding> unclear,
    List<String> files) {
  static final String SITE = "hbase-site.xml";
  private static final String OPTIONS = "jvm.options";
  private static final String ENVIRONMENT = "hbase-env.sh";

  /** {@code bin/hbase} reads it after {@link #ENVIRONMENT}, for region servers only. */
  private static final String SERVER_ENVIRONMENT = "hbase-env-regionserver.sh";

  ConfFolder {
    unclear = List.copyOf(unclear);
    files = List.copyOf(files);
  }

  /**
   * Reads a folder.
   *
   * @throws RefusedException if it has no hbase-site.xml, or a file that cannot be read
   */
  static ConfFolder read(Path folder) throws RefusedException {
    if (!Files.isDirectory(folder)) {
      throw new RefusedException(
          folder.toString(), folder.toString(), "must be a folder with " + SITE);
    }
    if (!Files.exists(folder.resolve(SITE))) {
      throw new RefusedException(
          folder.toString(),
          folder.resolve(SITE).toString(),
          "there is no such file; must be a configuration folder of HBase");
    }
    var files = new ArrayList<String>();
    var properties = properties(folder, files);
    var options = new ArrayList<PlacedValue>();
    var unclear = new ArrayList<Finding>();
    if (Files.exists(folder.resolve(OPTIONS))) {
      files.add(OPTIONS);
      text(folder, OPTIONS)
          .lines()
          .map(String::strip)
          .filter(line -> !line.isEmpty() && !line.startsWith("#"))
          .forEach(line -> options.add(new PlacedValue(line, OPTIONS)));
    } else {
      environment(folder, files, options, unclear);
    }
    return new ConfFolder(properties, options, unclear, files);
  }

  /** Only keys of the HDFS client from Hadoop's files; hbase-site.xml replaces them. */
  private static Map<String, PlacedValue> properties(Path folder, List<String> files)
      throws RefusedException {
    var properties = new LinkedHashMap<String, PlacedValue>();
    for (String file : List.of("core-site.xml", "hdfs-site.xml", SITE)) {
      if (Files.exists(folder.resolve(file))) {
        files.add(file);
        SiteFile.read(folder.resolve(file), text(folder, file))
            .forEach(
                (key, value) -> {
                  if (file.equals(SITE) || key.startsWith("dfs.client.")) {
                    properties.put(key, new PlacedValue(value, file));
                  }
                });
      }
    }
    return properties;
  }

  private static void environment(
      Path folder, List<String> files, List<PlacedValue> options, List<Finding> unclear)
      throws RefusedException {
    var shell = new ShellFile();
    for (String file : List.of(ENVIRONMENT, SERVER_ENVIRONMENT)) {
      if (Files.exists(folder.resolve(file))) {
        files.add(file);
        shell.read(file, text(folder, file));
      }
    }
    options.addAll(shell.options());
    unclear.addAll(shell.unclear());
  }

  private static String text(Path folder, String file) throws RefusedException {
    var path = folder.resolve(file);
    try {
      return Files.readString(path);
    } catch (NoSuchFileException e) {
      throw new RefusedException(folder.toString(), path.toString(), "there is no such file");
    } catch (MalformedInputException e) {
      throw new RefusedException(folder.toString(), path.toString(), "must be UTF-8");
    } catch (IOException e) {
      throw new RefusedException(
          folder.toString(), path.toString(), "cannot be read: " + e.getMessage());
    }
  }
}
