package io.offheap.hbase.e2e.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import jdk.jfr.Recording;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AllocationProfileTest {
  @Test
  void sharesAreOfAllBytesAndMultipliedWithThoseOfAGet() {
    var profile = new AllocationProfile();
    profile.add("byte[]", List.of("java.util.Arrays.copyOf:1", "org.A.a:2"), 750);
    profile.add("java.lang.Long", List.of("org.B.b:3"), 250);

    assertThat(profile.text(2000))
        .contains("2 samples, 1000 bytes")
        .contains(" 75.00 %          1500  byte[]\n 25.00 %           500  java.lang.Long\n")
        .contains(" 75.00 %          1500  java.util.Arrays.copyOf:1  byte[]\n")
        .contains(" 75.00 %          1500  org.A.a:2  byte[]\n");
  }

  @Test
  void stacksDifferByTheirFirstEightFrames() {
    var profile = new AllocationProfile();
    profile.add("byte[]", frames(9), 1);
    profile.add("byte[]", frames(12), 3);

    assertThat(profile.text(100))
        .contains("100.00 %           100  byte[]\n                          f0\n")
        .contains("f7\n")
        .doesNotContain("f8");
  }

  @Test
  void typesAreNamedAsInSource() {
    assertThat(AllocationProfile.typeName("java.lang.Long")).isEqualTo("java.lang.Long");
    assertThat(AllocationProfile.typeName("[B")).isEqualTo("byte[]");
    assertThat(AllocationProfile.typeName("[[J")).isEqualTo("long[][]");
    assertThat(AllocationProfile.typeName("[Ljava.lang.Object;")).isEqualTo("java.lang.Object[]");
  }

  @Test
  void onlyHandlersCount(@TempDir Path folder) throws IOException, InterruptedException {
    var file = folder.resolve("recording.jfr");
    var kept = new byte[2][];
    try (var recording = new Recording()) {
      recording.enable(AllocationProfile.NEW_BUFFER).withStackTrace();
      recording.enable(AllocationProfile.OUTSIDE).withStackTrace();
      recording.start();
      run("RpcServer.default.test", () -> kept[0] = new byte[32 << 20]);
      run("another", () -> kept[1] = new byte[64 << 20]);
      recording.dump(file);
    }

    var profile = AllocationProfile.read(file);
    assertThat(kept[0].length + kept[1].length).isEqualTo(96 << 20);
    assertThat(profile.bytes()).isBetween(32L << 20, 48L << 20);
    assertThat(profile.text(1)).contains(AllocationProfileTest.class.getName());
  }

  private static void run(String name, Runnable allocation) throws InterruptedException {
    var thread = new Thread(allocation, name);
    thread.start();
    thread.join();
  }

  private static List<String> frames(int depth) {
    return IntStream.range(0, depth).mapToObj(i -> "f" + i).toList();
  }
}
