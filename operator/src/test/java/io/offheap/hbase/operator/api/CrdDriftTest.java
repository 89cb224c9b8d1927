package io.offheap.hbase.operator.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The committed copies of the CRD match the types. The build generates it from the compiled types
 * before the tests run.
 */
class CrdDriftTest {
  private static final String NAME = "hbaseclusters.hbase.offheap.io-v1.yml";
  private static final Path GENERATED = Path.of("target", "crds", NAME);

  @ParameterizedTest
  @ValueSource(strings = {"crds", "charts/hbase-offheap-operator/crds"})
  void committedCrdEqualsGeneratedCrd(String folder) throws IOException {
    var update =
        "mvn -f operator/pom.xml process-classes && cp operator/target/crds/"
            + NAME
            + " "
            + folder
            + "/";
    var committed = Path.of("..").resolve(folder).resolve(NAME);

    assertThat(GENERATED)
        .withFailMessage("the build has not generated %s; run: %s", GENERATED, update)
        .exists();
    assertThat(Files.getLastModifiedTime(GENERATED))
        .as("%s is older than the types; run: %s", GENERATED, update)
        .isGreaterThanOrEqualTo(
            Files.getLastModifiedTime(
                Path.of("target/classes/io/offheap/hbase/operator/api/HBaseCluster.class")));
    assertThat(committed).withFailMessage("%s is missing; run: %s", committed, update).exists();
    assertThat(Files.readString(committed))
        .withFailMessage("%s differs from the types; run: %s", committed, update)
        .isEqualTo(Files.readString(GENERATED));
  }
}
