package io.offheap.hbase.observer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which of several clusters owns a root directory; here it is a folder of this machine. */
class RootOwnerTest {
  @TempDir private Path folder;
  private final Configuration configuration = new Configuration(false);

  @BeforeEach
  void root() {
    configuration.set(HConstants.HBASE_DIR, folder.resolve("hbase").toUri().toString());
  }

  @Test
  void whoComesFirstOwnsItAndMayComeAgain() throws Exception {
    RootOwner.claim(configuration, "shop/demo");
    RootOwner.claim(configuration, "shop/demo");

    assertThat(claims()).containsExactly("shop_demo");
  }

  @Test
  void whoComesLaterIsToldWhoOwnsItAndLeavesNothing() throws Exception {
    older("shop_demo");

    assertThatThrownBy(() -> RootOwner.claim(configuration, "other/demo"))
        .isInstanceOf(RootOwner.OtherOwnerException.class)
        .hasMessageContaining("is the root directory of the HBaseCluster shop/demo")
        .hasMessageContaining("and not of other/demo; to hand it over, delete ")
        .hasMessageEndingWith("/hbase/.offheap-owner/shop_demo");
    assertThat(claims()).containsExactly("shop_demo");

    Files.delete(claim("shop_demo"));
    RootOwner.claim(configuration, "other/demo");

    assertThat(claims()).containsExactly("other_demo");
  }

  /** Who has been told that it is the owner is not told otherwise by one that comes and goes. */
  @Test
  void theOwnerStaysTheOwnerBesideALaterClaim() throws Exception {
    older("shop_demo");
    Files.createFile(claim("other_demo"));

    RootOwner.claim(configuration, "shop/demo");
  }

  @Test
  void ofTwoThatAreEquallyOldBothLose() throws Exception {
    var time = FileTime.fromMillis(1_000_000);
    for (var name : new String[] {"shop_demo", "other_demo"}) {
      Files.createDirectories(claim(name).getParent());
      Files.setLastModifiedTime(Files.createFile(claim(name)), time);
    }

    assertThatThrownBy(() -> RootOwner.claim(configuration, "shop/demo"))
        .isInstanceOf(RootOwner.OtherOwnerException.class);
  }

  @Test
  void serversOfOneClusterThatStartAtOnceAllOwnIt() throws Exception {
    var threads = Executors.newFixedThreadPool(8);
    try {
      Callable<Void> claim =
          () -> {
            RootOwner.claim(configuration, "shop/demo");
            return null;
          };
      for (var ended : threads.invokeAll(IntStream.range(0, 8).mapToObj(it -> claim).toList())) {
        ended.get();
      }
    } finally {
      threads.shutdownNow();
    }
    assertThat(claims()).containsExactly("shop_demo");
  }

  private void older(String claim) throws IOException {
    Files.createDirectories(claim(claim).getParent());
    Files.setLastModifiedTime(Files.createFile(claim(claim)), FileTime.fromMillis(1_000_000));
  }

  private Path claim(String name) {
    return folder.resolve("hbase").resolve(RootOwner.FOLDER).resolve(name);
  }

  private Stream<String> claims() throws IOException {
    try (var files = Files.list(claim("x").getParent())) {
      // The local file system keeps a checksum beside each file.
      return files
          .map(it -> it.getFileName().toString())
          .filter(it -> !it.startsWith("."))
          .toList()
          .stream();
    }
  }
}
