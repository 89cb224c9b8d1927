package io.offheap.hbase.e2e.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordingFile;

/**
 * Where the handlers allocate, from a recording of new allocation buffers and of what is allocated
 * outside of them.
 *
 * <p>An allocation that takes a new buffer counts with the buffer's size, so shares are estimates.
 * They are multiplied with the bytes for a Get by the threads' own counters; these include the
 * recorder's allocations, so the result must not be quoted.
 */
final class AllocationProfile {
  static final String NEW_BUFFER = "jdk.ObjectAllocationInNewTLAB";
  static final String OUTSIDE = "jdk.ObjectAllocationOutsideTLAB";
  private static final int DEPTH = 8;
  private static final int TOP = 40;
  private static final String INDENT = "\n" + " ".repeat(26);

  /** Of a lambda's class. */
  private static final Pattern ADDRESS = Pattern.compile("\\+0x\\p{XDigit}+\\.\\d+$");

  private final Map<String, Long> classes = new HashMap<>();
  private final Map<String, Long> topFrames = new HashMap<>();
  private final Map<String, Long> callers = new HashMap<>();
  private final Map<String, Long> stacks = new HashMap<>();
  private long total;
  private long samples;

  /**
   * Prints the profile. Arguments: case, server, recording, files of the snapshots before and
   * after.
   */
  public static void main(String[] args) throws IOException {
    var json = new ObjectMapper();
    var after = json.readValue(new File(args[4]), Snapshot.class);
    var used = after.minus(json.readValue(new File(args[3]), Snapshot.class));
    var measurement = new Measurement(args[0], args[1], used);
    var profile = read(Path.of(args[2]));
    System.out.printf(
        "%s, %s: %.2f KB/Get by handlers while recording, which disturbs; not a figure to quote%n",
        args[0], args[1], measurement.handlerBytesPerGet() / 1024);
    System.out.print(profile.text(measurement.handlerBytesPerGet()));
  }

  static AllocationProfile read(Path file) throws IOException {
    var profile = new AllocationProfile();
    try (var recording = new RecordingFile(file)) {
      while (recording.hasMoreEvents()) {
        profile.add(recording.readEvent());
      }
    }
    return profile;
  }

  private void add(RecordedEvent event) {
    String type = event.getEventType().getName();
    boolean newBuffer = type.equals(NEW_BUFFER);
    if ((newBuffer || type.equals(OUTSIDE))
        && event.getThread() != null
        && event.getThread().getJavaName() != null
        && AllocatedBytes.isHandler(event.getThread().getJavaName())) {
      add(
          typeName(event.getClass("objectClass").getName()),
          frames(event.getStackTrace()),
          event.getLong(newBuffer ? "tlabSize" : "allocationSize"));
    }
  }

  /** The frames are the innermost ones first, each as {@code Type.method:line}. */
  void add(String type, List<String> frames, long bytes) {
    samples++;
    total += bytes;
    classes.merge(type, bytes, Long::sum);
    var top = frames.isEmpty() ? "?" : frames.get(0);
    topFrames.merge(top + "  " + type, bytes, Long::sum);
    callers.merge(
        frames.stream().filter(frame -> !frame.startsWith("java.")).findFirst().orElse(top)
            + "  "
            + type,
        bytes,
        Long::sum);
    stacks.merge(
        type + INDENT + String.join(INDENT, frames.subList(0, Math.min(DEPTH, frames.size()))),
        bytes,
        Long::sum);
  }

  long bytes() {
    return total;
  }

  String text(double bytesPerGet) {
    var text = new StringBuilder("%d samples, %d bytes%n".formatted(samples, total));
    append(text, "By class", classes, bytesPerGet);
    append(text, "By top frame", topFrames, bytesPerGet);
    append(text, "By first frame outside java.*", callers, bytesPerGet);
    append(text, "By first " + DEPTH + " frames", stacks, bytesPerGet);
    return text.toString();
  }

  private void append(StringBuilder text, String title, Map<String, Long> sites, double perGet) {
    text.append("%n%s%n%n  share     bytes/Get%n".formatted(title));
    sites.entrySet().stream()
        .sorted(Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder()))
        .limit(TOP)
        .forEach(
            site -> {
              double share = (double) site.getValue() / total;
              text.append(
                  "%6.2f %%  %12.0f  %s%n".formatted(100 * share, share * perGet, site.getKey()));
            });
  }

  private static List<String> frames(RecordedStackTrace trace) {
    return trace == null
        ? List.of()
        : trace.getFrames().stream().map(AllocationProfile::name).toList();
  }

  private static String name(RecordedFrame frame) {
    var method = frame.getMethod();
    var type = ADDRESS.matcher(method.getType().getName()).replaceFirst("");
    return type + "." + method.getName() + ":" + frame.getLineNumber();
  }

  /** {@code [B} as {@code byte[]}. */
  static String typeName(String name) {
    int dimensions = name.lastIndexOf('[') + 1;
    if (dimensions == 0) {
      return name;
    }
    var element = name.substring(dimensions);
    var readable =
        switch (element) {
          case "B" -> "byte";
          case "C" -> "char";
          case "D" -> "double";
          case "F" -> "float";
          case "I" -> "int";
          case "J" -> "long";
          case "S" -> "short";
          case "Z" -> "boolean";
          default -> element.substring(1, element.length() - 1);
        };
    return readable + "[]".repeat(dimensions);
  }
}
