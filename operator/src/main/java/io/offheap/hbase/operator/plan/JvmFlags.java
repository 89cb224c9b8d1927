package io.offheap.hbase.operator.plan;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The {@code -XX} options of a JVM of the image's major version. The build prints them with its own
 * JVM of that version, so that no declared text reaches a process of the operator.
 *
 * @param java the major version
 * @param byName the options by name
 */
public record JvmFlags(int java, Map<String, JvmFlag> byName) {
  /** The options of the image with which the operator is built. */
  public static final JvmFlags OF_THE_IMAGE = read("/jvm-flags.tsv");

  private static final String UNLOCK_DIAGNOSTIC = "UnlockDiagnosticVMOptions";

  /** No option is near a longer name; the time of a comparison grows with the length. */
  private static final int LONGEST_NAME = 50;

  /**
   * HotSpot's bounds for a thread's stack, which its table lacks since they depend on the system.
   */
  private static final long LEAST_STACK = 136 * Bytes.KIB;

  private static final long MOST_STACK = Bytes.GIB;

  public JvmFlags {
    byName = Map.copyOf(byName);
  }

  /**
   * Why a JVM of this version stops at an option, or ignores it; empty where it accepts it.
   * Conditions over several options are not checked.
   *
   * @param options all options that are declared, by name
   */
  Optional<String> refusal(JvmOption option, Map<String, JvmOption> options) {
    if (option.name().equals("Xss")) {
      return stackRefusal(option.value());
    }
    if (!option.isFlag()) {
      return Optional.empty();
    }
    var flag = byName.get(option.name());
    if (flag == null) {
      return Optional.of("is not an option of a JDK " + java + nearest(option.name()));
    }
    if (flag.lock() == JvmFlag.Lock.DIAGNOSTIC && !isOn(options.get(UNLOCK_DIAGNOSTIC))) {
      return Optional.of(
          "is diagnostic, and a JDK "
              + java
              + " stops at it; must have -XX:+"
              + UNLOCK_DIAGNOSTIC
              + " beside it");
    }
    return flag.refusal(option.value());
  }

  private static Optional<String> stackRefusal(String value) {
    return Kind.JVM_SIZE.read(value).filter(it -> it >= LEAST_STACK && it <= MOST_STACK).isPresent()
        ? Optional.empty()
        : Optional.of(
            "is not a size from "
                + Bytes.jvm(LEAST_STACK)
                + " to "
                + Bytes.jvm(MOST_STACK)
                + "; for example -Xss1m");
  }

  /** Whether an option must follow {@code -XX:+UnlockExperimentalVMOptions}. */
  public boolean isExperimental(String name) {
    var flag = byName.get(name);
    return flag != null && flag.lock() == JvmFlag.Lock.EXPERIMENTAL;
  }

  private static boolean isOn(JvmOption option) {
    return option != null && option.value().equals("true");
  }

  private String nearest(String name) {
    return name.length() > LONGEST_NAME
        ? ""
        : byName.keySet().stream()
            .map(other -> Map.entry(Names.distance(name, other), other))
            .min(
                Map.Entry.<Integer, String>comparingByKey()
                    .thenComparing(Map.Entry.comparingByValue()))
            .map(Map.Entry::getValue)
            .map(it -> "; the nearest option is " + byName.get(it).example())
            .orElse("");
  }

  private static JvmFlags read(String resource) {
    try (var stream = JvmFlags.class.getResourceAsStream(resource);
        var lines = new BufferedReader(new InputStreamReader(stream, UTF_8))) {
      int java = Integer.parseInt(lines.readLine().split("\t", -1)[1]);
      return new JvmFlags(
          java,
          lines
              .lines()
              .map(JvmFlag::parse)
              .collect(Collectors.toMap(JvmFlag::name, Function.identity())));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
