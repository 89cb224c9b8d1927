package io.offheap.hbase.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;

/** Results as files, one for each unit or shape. */
final class Store {
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  private Store() {}

  static <T> Optional<T> read(Path folder, String name, Class<T> type) throws IOException {
    var file = folder.resolve(name + ".json");
    return Files.exists(file) ? Optional.of(JSON.readValue(file.toFile(), type)) : Optional.empty();
  }

  /** A process that ends while it writes leaves the file as it was. */
  static void write(Path folder, String name, Object results) throws IOException {
    Files.createDirectories(folder);
    var unfinished = folder.resolve(name + ".json.unfinished");
    Files.writeString(unfinished, JSON.writeValueAsString(results) + "\n");
    Files.move(
        unfinished,
        folder.resolve(name + ".json"),
        StandardCopyOption.ATOMIC_MOVE,
        StandardCopyOption.REPLACE_EXISTING);
  }
}
