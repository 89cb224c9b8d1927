package io.offheap.hbase.report;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What a result would depend on if it were measured when the page was last written. It is beside
 * the results, so that the page is made of committed files alone.
 *
 * @param files the text of {@link InputWords}
 */
record Inputs(String files) {
  private static final String NAME = "inputs";

  static Optional<Inputs> read(Path folder) throws IOException {
    return Store.read(folder, NAME, Inputs.class);
  }

  void write(Path folder) throws IOException {
    Store.write(folder, NAME, this);
  }
}
