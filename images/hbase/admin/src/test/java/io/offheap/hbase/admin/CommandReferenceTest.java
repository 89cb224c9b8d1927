package io.offheap.hbase.admin;

import io.offheap.hbase.reference.CommandReference;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

/** The docs have each command and option of {@code admin}, and each has a description. */
class CommandReferenceTest {
  @Test
  void docsHaveEachCommand() throws IOException {
    var tool = AdminTool.create(new Configuration(false));

    CommandReference.check(
        Path.of("../../../docs/admin-reference.md"), CommandReference.of(tool, 2));
  }
}
