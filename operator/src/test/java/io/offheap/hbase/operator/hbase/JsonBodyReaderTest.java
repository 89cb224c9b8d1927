package io.offheap.hbase.operator.hbase;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.sym.ByteQuadsCanonicalizer;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.Arrays;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** JSON responses, parsed while they arrive, however the network splits them. */
class JsonBodyReaderTest {
  private static final Set<String> WANTED = Set.of("regionCount", "tag.serverName", "load", "on");

  private static final JsonFactory JSON = JsonBodyReader.factory(4096);

  private static JsonNode bean(String text, int cut) throws IOException {
    return read(new Jmx.Bean(JSON, WANTED), text, cut);
  }

  private static String revision(String text, int cut) throws IOException {
    return read(new OnlineRevisionSource.Revision(JSON), text, cut);
  }

  private static <T> T read(JsonBodyReader<T> response, String text, int cut) throws IOException {
    try (response) {
      var bytes = text.getBytes(UTF_8);
      for (int i = 0; i < bytes.length; i += cut) {
        response.read(Arrays.copyOfRange(bytes, i, Math.min(bytes.length, i + cut)));
      }
      return response.end();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 1000})
  void keepsOnlyRequestedAttributesOfBean(int cut) throws IOException {
    var bean =
        bean(
            """
            {"beans": [{"name": "x", "regionCount": 7, "tag.serverName": "a,1,2", "load": 1.5,
              "on": true, "other": 9, "nested": {"regionCount": 8}, "list": [{"load": 3}]},
              {"regionCount": 9}],
             "more": [{"load": 4}]}
            """,
            cut);

    assertThat(bean.toString())
        .isEqualTo("{\"regionCount\":7,\"tag.serverName\":\"a,1,2\",\"load\":1.5,\"on\":true}");
  }

  @Test
  void acceptsResponseWithoutBean() throws IOException {
    assertThat(bean("{\"beans\": []}", 3).isMissingNode()).isTrue();
    assertThat(bean("{}", 3).isMissingNode()).isTrue();
    assertThat(bean("[[{\"load\": 1}]]", 3).isMissingNode()).isTrue();
  }

  /** The text is kept for each server, and written into status. */
  @Test
  void dropsLongText() throws IOException {
    assertThat(bean("{\"beans\": [{\"tag.serverName\": \"" + "x".repeat(301) + "\"}]}", 99).size())
        .isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1000})
  void findsRevisionAtAnyPosition(int cut) throws IOException {
    assertThat(
            revision(
                """
                {"properties": [{"key": "a", "value": "b", "isFinal": false},
                  {"value": "abc", "resource": "r", "key": "hbase.offheap.online.revision"},
                  {"key": "c", "value": null}]}
                """,
                cut))
        .isEqualTo("abc");
    assertThat(revision("{\"properties\": [{\"key\": \"a\"}]}", cut)).isEmpty();
  }

  @Test
  void refusesInvalidJsonAndJsonOverLimits() {
    refused("[".repeat(10_000), "nesting depth");
    refused("{\"beans\":".repeat(10_000), "nesting depth");
    refused("{\"beans\": [{\"regionCount\": " + "9".repeat(100_000) + "}]}", "");
    refused("{\"beans\": [{\"load\": \"" + "x".repeat(100_000) + "\"}]}", "");
    refused("{\"" + "n".repeat(100_000) + "\": 1}", "Name length");
    refused("{\"" + "n".repeat(201) + "\": 1}", "Name length");
    refused("{\"beans\": " + " ".repeat(100_000) + "[]}", "a space");
    refused("{\"beans\": [{\"load\": NaN}]}", "");
    refused("<html>", "Unexpected character");
    refused("{\"beans\": [{\"load\": 1}]} {}}", "");
    refused("{\"beans\": [", "end-of-input");
    refused("{\"beans\": [{\"load\": \"\u0000\"}]}", "");
  }

  /** A name has 200 letters at most, so this is what names that are kept can take. */
  @Test
  void keepsLimitedNumberOfNames() throws Exception {
    for (int response = 0; response < 200; response++) {
      var text = new StringBuilder("{\"beans\": [{");
      for (int name = 0; name < 200; name++) {
        text.append("\"made-up-%d-%d\": 1, ".formatted(response, name));
      }
      bean(text.append("\"load\": 1}]}").toString(), 8192);
    }

    var names = JsonFactory.class.getDeclaredField("_byteSymbolCanonicalizer");
    names.setAccessible(true);
    assertThat(((ByteQuadsCanonicalizer) names.get(JSON)).size()).isBetween(1, 6000);
  }

  private static void refused(String text, String why) {
    for (int cut : new int[] {1, 8192}) {
      assertThatThrownBy(() -> bean(text, cut))
          .as("%.40s", text)
          .isInstanceOf(JsonProcessingException.class)
          .hasMessageContaining(why);
    }
  }
}
