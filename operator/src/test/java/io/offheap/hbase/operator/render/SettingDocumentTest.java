package io.offheap.hbase.operator.render;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.offheap.hbase.operator.plan.Provenance;
import io.offheap.hbase.operator.plan.Setting;
import io.offheap.hbase.operator.plan.Target;
import org.junit.jupiter.api.Test;

class SettingDocumentTest {
  @Test
  void roundNumberHasNoExponent() throws JsonProcessingException {
    assertThat(json("hbase.bucketcache.size", "28680"))
        .isEqualTo(
            "{\"target\":\"hbase-site\",\"key\":\"hbase.bucketcache.size\",\"value\":\"28680\","
                + "\"typedValue\":28680,\"unit\":\"MiB\",\"provenance\":\"DECLARED\","
                + "\"reason\":\"why\",\"source\":\"declared\"}");
  }

  @Test
  void fractionKeepsDecimals() throws JsonProcessingException {
    assertThat(json("hfile.block.cache.size", "0.10"))
        .contains("\"value\":\"0.10\",\"typedValue\":0.1,\"unit\":\"of the heap\"");
  }

  private static String json(String key, String value) throws JsonProcessingException {
    return new ObjectMapper()
        .writeValueAsString(
            SettingDocument.of(
                Setting.stored(Target.HBASE_SITE, key, value, Provenance.DECLARED, "why", "")));
  }
}
