package io.offheap.hbase.operator.declare;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.utils.Serialization;
import io.offheap.hbase.operator.api.ImageSpec;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ImageJavaTest {
  @ParameterizedTest
  @CsvSource({
    "hbase, 2.6-jdk21, 21",
    "hbase, 9.8.7-1-jdk17, 17",
    "hbase, 2-jdk-17, 17",
    "hbase, 21-jre, 21",
    "hbase-java21, 9.8.7, 21",
    "hbase-java21, 17-jre, 21",
    "hbase, 2-jre, -1",
    "hbase, 9.8.7, -1",
  })
  void readsVersionFromName(String repository, String tag, int java) {
    var image =
        Serialization.unmarshal(
            "repository: " + repository + "\ntag: '" + tag + "'", ImageSpec.class);

    assertThat(ImageJava.of(image).orElse(-1)).isEqualTo(java);
  }
}
