package io.offheap.hbase.patches;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * HBase's classes as published, beside the patched ones, so that a proof can hold one against the
 * other. Hadoop's classes are common to both.
 */
final class Stock extends URLClassLoader {
  static final Stock CLASSES = new Stock();

  static {
    registerAsParallelCapable();
  }

  private Stock() {
    super(jars(), Stock.class.getClassLoader());
    // Published code with assertions has to meet patched code with assertions.
    setDefaultAssertionStatus(Stock.class.desiredAssertionStatus());
  }

  private static URL[] jars() {
    List<URL> urls = new ArrayList<>();
    try (var files = Files.newDirectoryStream(Path.of("target", "stock"), "hbase-*.jar")) {
      for (var file : files) {
        urls.add(file.toUri().toURL());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return urls.toArray(new URL[0]);
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!name.startsWith("org.apache.hadoop.hbase.")) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      var loaded = findLoadedClass(name);
      if (loaded != null) {
        return loaded;
      }
      try {
        return findClass(name);
      } catch (ClassNotFoundException e) {
        return super.loadClass(name, resolve);
      }
    }
  }
}
