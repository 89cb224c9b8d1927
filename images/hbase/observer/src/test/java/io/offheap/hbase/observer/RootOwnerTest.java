package io.offheap.hbase.observer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which of several clusters owns a root directory; here it is a folder of this machine. */
class RootOwnerTest {
  private static final FileTime OLD = FileTime.fromMillis(1_000_000);

  /** Longer than eight threads need for their claims. */
  private static final Duration DECISION = Duration.ofMillis(500);

  @TempDir private Path folder;
  private final Configuration configuration = new Configuration(false);

  @BeforeEach
  void root() {
    configuration.set(HConstants.HBASE_DIR, folder.resolve("hbase").toUri().toString());
  }

  @Test
  void theFirstOwnsItAndNeedsNoClaimAgain() throws Exception {
    claim("shop/demo");
    assertThat(files()).containsExactly("shop_demo");

    claim("shop/demo");

    assertThat(files()).containsExactly("shop_demo");
  }

  @Test
  void anOwnerOfTheSameNamespaceIsNamed() throws Exception {
    write("shop_demo", OLD);

    assertRefused("shop/other")
        .hasMessageContaining(" belongs to HBaseCluster shop/demo, not to HBaseCluster shop/other;")
        .hasMessageContaining("only after that cluster and its pods are deleted")
        .hasMessageEndingWith("/hbase/.offheap-owner");
    assertThat(files()).containsExactly("shop_demo");
  }

  @Test
  void anOwnerOfAnotherNamespaceIsNotNamed() throws Exception {
    write("shop_demo", OLD);

    assertRefused("other/demo")
        .hasMessageContaining(" belongs to an HBaseCluster of another namespace, not to ")
        .hasMessageNotContaining("shop");
  }

  /** A name node that took over may have an earlier clock. */
  @Test
  void anOlderClaimIsNothingAgainstAnOwner() throws Exception {
    write("shop_demo", FileTime.fromMillis(System.currentTimeMillis() + 3_600_000));
    write("other_demo.claim", OLD);

    assertRefused("other/demo");
    claim("shop/demo");
  }

  @Test
  void theOlderOfTwoClaimsSucceeds() throws Exception {
    write("shop_demo.claim", OLD);
    write("other_demo.claim", FileTime.fromMillis(OLD.toMillis() + 1));

    assertRefused("other/demo");
    claim("shop/demo");

    assertThat(files()).contains("shop_demo").doesNotContain("shop_demo.claim", "other_demo");
  }

  @Test
  void ofTwoClaimsThatAreEquallyOldBothFailAndNoneIsTakenFromAnotherServer() throws Exception {
    write("shop_demo.claim", OLD);
    write("other_demo.claim", OLD);

    assertRefused("shop/demo");
    assertRefused("other/demo");

    assertThat(files()).containsExactlyInAnyOrder("shop_demo.claim", "other_demo.claim");
  }

  @Test
  void whoFailsDeletesTheClaimThatItMade() throws Exception {
    write("shop_demo.claim", OLD);

    assertRefused("other/demo");

    assertThat(files()).containsExactly("shop_demo.claim");
  }

  @Test
  void serversOfOneClusterThatStartAtOnceAllOwnIt() throws Exception {
    var threads = Executors.newFixedThreadPool(8);
    try {
      Callable<Void> claim =
          () -> {
            claim("shop/demo");
            return null;
          };
      for (var ended : threads.invokeAll(Collections.nCopies(8, claim))) {
        ended.get();
      }
    } finally {
      threads.shutdownNow();
    }
    assertThat(files()).contains("shop_demo");
  }

  /** However their steps interleave: one owner, and each that got this result is it. */
  @Test
  void ofClustersThatStartAtOnceAtMostOneOwnsIt() throws Exception {
    var threads = Executors.newFixedThreadPool(4);
    try {
      var claims = new ArrayList<Callable<String>>();
      for (int cluster = 0; cluster < 8; cluster++) {
        var name = "shop/demo" + cluster / 2;
        claims.add(
            () -> {
              try {
                claim(name);
                return name;
              } catch (RootOwner.OtherOwnerException e) {
                return "";
              }
            });
      }
      var owners = new TreeSet<String>();
      for (var ended : threads.invokeAll(claims)) {
        owners.add(ended.get());
      }
      owners.remove("");
      assertThat(owners).hasSizeLessThanOrEqualTo(1);
    } finally {
      threads.shutdownNow();
    }
  }

  private AbstractThrowableAssert<?, ? extends Throwable> assertRefused(String cluster) {
    return assertThatThrownBy(() -> claim(cluster))
        .isInstanceOf(RootOwner.OtherOwnerException.class);
  }

  private void claim(String cluster) throws Exception {
    RootOwner.claimPatiently(configuration, cluster, DECISION);
  }

  private void write(String name, FileTime time) throws IOException {
    Files.createDirectories(folder());
    Files.setLastModifiedTime(Files.createFile(folder().resolve(name)), time);
  }

  private Path folder() {
    return folder.resolve("hbase").resolve(RootOwner.FOLDER);
  }

  private List<String> files() throws IOException {
    try (var files = Files.list(folder())) {
      // The local file system keeps a checksum beside each file.
      return files
          .map(it -> it.getFileName().toString())
          .filter(it -> !it.startsWith("."))
          .toList();
    }
  }
}
