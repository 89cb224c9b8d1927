package io.offheap.hbase.operator.declare;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.offheap.hbase.operator.api.Profile;
import io.offheap.hbase.operator.api.RegionServersSpec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Objects;

/** The fields of each {@link Profile}, from {@code profiles.yaml}. */
final class Profiles {
  private static final Map<String, RegionServersSpec> ALL = read();

  private Profiles() {}

  static RegionServersSpec of(Profile profile) {
    return Objects.requireNonNull(ALL.get(profile.text()), profile.text());
  }

  private static Map<String, RegionServersSpec> read() {
    try (var file = Profiles.class.getResourceAsStream("/profiles.yaml")) {
      return Map.copyOf(
          new YAMLMapper().readValue(file, new TypeReference<Map<String, RegionServersSpec>>() {}));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
