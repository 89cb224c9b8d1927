package io.offheap.hbase.operator.declare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.Quantity;
import io.offheap.hbase.operator.api.RegionServersSpec;
import io.offheap.hbase.operator.plan.Bytes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class GroupFieldTest {
  private static final Path DECLARATIONS =
      Path.of("src/main/java/io/offheap/hbase/operator/declare/Declarations.java");

  @Test
  void hasEachFieldByItsNameInTheResource() {
    assertThat(GroupField.all())
        .contains(
            new GroupField("disk", RegionServersSpec.Disk.class, Optional.empty()),
            new GroupField("resources.limits.ephemeral-storage", Quantity.class, Optional.empty()),
            new GroupField("blockCache.file.persistent", Boolean.class, Optional.empty()))
        .extracting(GroupField::path)
        .doesNotHaveDuplicates()
        .doesNotContain("resources.limits.memory");
  }

  /** All ranges: a wrong one would be checked as it is declared. */
  @Test
  void hasRangeOfItsDeclaration() {
    assertThat(
            GroupField.all().stream()
                .flatMap(field -> field.range().stream().map(it -> field.path() + " " + text(it))))
        .containsExactly(
            "replicas COUNT 1 to 1000",
            "memory.heap MIB 256Mi to 4096Gi",
            "memory.offHeap MIB 16Mi to 65536Gi",
            "memory.limit MIB 256Mi to 131072Gi",
            "memory.workingSet BYTES 0 to 1073741824Gi",
            "memory.offHeapMemstore BYTES 0 to 65536Gi",
            "blockCache.bucketCacheSize MIB 1Mi to 65536Gi",
            "blockCache.file.storage.size BYTES 64Mi to 65536Gi",
            "hfile.blockSize BYTES 1Ki to 16Mi",
            "hfile.indexBlockSize BYTES 1Ki to 16Mi",
            "hfile.bloomBlockSize BYTES 1Ki to 16Mi",
            "hfile.cellSize COUNT 1 to 10485760",
            "hfile.openFiles COUNT 1 to 10000000",
            "allocator.poolSize BYTES 1Mi to 65536Gi",
            "allocator.minimalAllocateSize COUNT 0 to 67108864",
            "handlers COUNT 1 to 10000",
            "g1.survivorSize BYTES 0 to 4096Gi");
  }

  /** Another text would fail only where its field is declared. */
  @Test
  void declarationsNameFieldsAlone() throws IOException {
    var texts = Pattern.compile("\"([\\w.-]+)\"").matcher(Files.readString(DECLARATIONS)).results();

    assertThat(texts.map(it -> it.group(1)))
        .hasSizeGreaterThan(15)
        .isSubsetOf(GroupField.all().stream().map(GroupField::path).toList());
  }

  private static String text(FieldRange range) {
    return range.form() == FieldRange.Form.COUNT
        ? "COUNT %d to %d".formatted(range.min(), range.max())
        : "%s %s to %s"
            .formatted(range.form(), Bytes.quantity(range.min()), Bytes.quantity(range.max()));
  }

  @Test
  void otherPathsAreNoFields() {
    assertThatThrownBy(() -> GroupField.of("memory")).hasMessage("no field memory");
    assertThatThrownBy(() -> GroupField.rangeOf("disk")).hasMessage("no range of disk");
  }
}
