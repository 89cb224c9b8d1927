package io.offheap.hbase.operator.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.offheap.hbase.operator.api.ImageSpec;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The choice of the image. */
class ImageTest {
  @ParameterizedTest
  @CsvSource({
    ",,, r:5000/h:1, r:5000/h:1",
    "x,,, r:5000/h:1, x:1",
    ",2,, r:5000/h:1, r:5000/h:2",
    ",,sha256:aa, r:5000/h:1, r:5000/h@sha256:aa",
    "x:5000/y,2,sha256:aa, h:1, x:5000/y@sha256:aa",
    ",,, r:5000/h@sha256:bb, r:5000/h@sha256:bb",
    ",2,, r:5000/h@sha256:bb, r:5000/h:2",
    "x,,, r:5000/h@sha256:bb, x@sha256:bb",
  })
  void declaredImageWinsAndDigestBeforeTag(
      String repository, String tag, String digest, String operators, String image) {
    var spec = new ImageSpec(repository, tag, digest, null, null);
    assertThat(ClusterModel.Image.of(spec, operators).name()).isEqualTo(image);
  }
}
