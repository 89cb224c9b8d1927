package io.offheap.hbase.image;

import java.lang.reflect.InvocationTargetException;
import java.util.Arrays;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts a server with the properties of {@value #FILE} under those of the mounted files. Hadoop
 * and HBase have no file for what an image decides: {@code hbase-site.xml} and {@code
 * core-site.xml} are the operator's, and {@code hbase-default.xml} is HBase's.
 *
 * <p>A server does not start where another file makes a value of {@code hbase-site.xml} ineffective
 * ({@link FinalProperties}): it would run with another memory plan than the operator's.
 *
 * <p>{@code java ... ImageDefaults CLASS [ARGUMENT...]}. Exit status 64 where the command line is
 * wrong, 78 where a value is ineffective, and the server's otherwise.
 */
public final class ImageDefaults {
  static final String FILE = "image-default.xml";

  private static final int EX_USAGE = 64;
  private static final int EX_CONFIG = 78;
  private static final Logger LOG = LoggerFactory.getLogger(ImageDefaults.class);

  private ImageDefaults() {}

  /** As the class describes it. */
  public static void main(String... args) throws ReflectiveOperationException {
    if (args.length == 0) {
      System.err.println("usage: ImageDefaults CLASS [ARGUMENT...]");
      System.exit(EX_USAGE);
    }
    Configuration.addDefaultResource(FILE);
    conflict()
        .ifPresent(
            message -> {
              System.err.println(message);
              System.exit(EX_CONFIG);
            });
    try {
      Class.forName(args[0])
          .getMethod("main", String[].class)
          .invoke(null, (Object) Arrays.copyOfRange(args, 1, args.length));
    } catch (InvocationTargetException e) {
      LOG.error("{} failed", args[0], e.getCause());
      System.exit(1);
    }
  }

  /** What cannot be compared is left to the server, which reports it when it needs it. */
  private static Optional<String> conflict() {
    try {
      return FinalProperties.conflict();
    } catch (RuntimeException | LinkageError e) {
      LOG.warn("Cannot compare {} with the other files", FinalProperties.SITE, e);
      return Optional.empty();
    }
  }
}
