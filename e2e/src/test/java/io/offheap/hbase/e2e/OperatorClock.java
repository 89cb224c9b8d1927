package io.offheap.hbase.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Another clock for the operator, by libfaketime in an image of its own: that of a machine on which
 * so much time has passed since it was off. Waits and timeouts within the process do not change:
 * with the library's own correction of them each ends at once, and the process does nothing else.
 */
record OperatorClock(Shell shell, OperatorReplicas operators) {
  private static final String LIBRARY = "libfaketimeMT.so.1";
  private static final String TAG = "clock";

  /** Makes the image, from the library that {@code e2e/bin/toolchain libfaketime} installs. */
  static OperatorClock make(Shell shell, OperatorReplicas operators) throws IOException {
    try (var image = ImageOver.of(shell, operators.image());
        var files = Files.find(Path.of("/usr/lib"), 3, (it, a) -> it.endsWith(LIBRARY))) {
      var library =
          files
              .findFirst()
              .orElseThrow(() -> new IllegalStateException(LIBRARY + " must be there"));
      Files.copy(library, image.folder().resolve(LIBRARY));
      image.load(
          TAG,
          """
          COPY %s /lib/
          ENV LD_PRELOAD=/lib/%s FAKETIME_DONT_FAKE_MONOTONIC=1 FAKETIME=+0s
          ENV FAKETIME_FORCE_MONOTONIC_FIX=0
          """
              .formatted(LIBRARY, LIBRARY));
    }
    return new OperatorClock(shell, operators);
  }

  /** One operator, whose clock is so much ahead. */
  void startAgain(Duration ahead) {
    operators.upgrade(
        1,
        "--set",
        "image.tag=" + TAG,
        "--set-json",
        "extraEnv=[{\"name\":\"FAKETIME\",\"value\":\"+%ds\"}]".formatted(ahead.toSeconds()));
  }

  /** One operator as the chart has it. */
  void restore() {
    operators.upgrade(1, "--set", "image.tag=", "--set-json", "extraEnv=[]");
  }
}
