package io.offheap.hbase.operator.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.offheap.hbase.operator.Slow;
import java.time.Duration;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RedactionTest {
  private static final String RESOURCE =
      """
      {"metadata": {"annotations": {"vault.example.com/api-token": "a,b c"}},
       "spec": {
        "regionServers": {
          "config": {"hbase.x.password": "hun,ter2 \\"x\\" <y>&", "hbase.secure": "true",
                     "dfs.block.access.token.enable": "true", "hbase.access.key.length": "256",
                     "hbase.y.password": "123456", "hbase.z.password": "secret"},
          "jvmOptions": ["-Djavax.net.ssl.keyStorePassword=op,tion 2"],
          "podTemplate": {"spec": {"volumes": [{"name": "v", "secret": {"secretName": "hbase"}}],
                                   "containers": [
            {"name": "regionserver", "args": ["--password", "argu,ment"],
             "env": [{"name": "DB_TOKEN", "value": "to;ken"},
                     {"name": "TLS_PRIVATE_KEY", "value": "BEGIN\\nMIIEvQIBADAN\\nbgkqhkiG9w0B\\n"},
                     {"name": "DB_HOST", "value": "db.example"}]}]}}}},
       "status": {"appliedSpec": {"json": "{\\"config\\": {\\"api-key\\": \\"for\\\\\\"mer\\"}, \\"rest\\": 1}"},
                  "memoryPlan": {"values": "{\\"settings\\":[[\\"s\\",\\"a.secret\\",\\"pl an\\",1]]}"}}}
      """;

  private static String redacted(String text) {
    try {
      return new Redaction(new JsonMapper().readTree(RESOURCE)).of(text);
    } catch (JsonProcessingException e) {
      throw new AssertionError(e);
    }
  }

  /** Wherever a value of the resource occurs, and however it is written there. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "hbase.x.password   hun,ter2 \"x\" <y>&   declared",
        "\"hbase.x.password\": \"hun,ter2 \\\"x\\\" <y>&\"",
        "{\\\"value\\\":\\\"hun,ter2 \\\\\\\"x\\\\\\\" <y>&\\\"}",
        "cut \"hun,ter2 \\\"x\\\" \\u003cy\\u003e\\u0026\" of kubectl's JSON",
        "    value: hun,ter2 \"x\" <y>&\n    typedValue: hun,ter2 \"x\" <y>&",
        "over two lines: hun,ter2\n    \"x\" <y>&",
        "<value>hun,ter2 \"x\" &lt;y&gt;&amp;</value>",
        "<value>hun,ter2 &quot;x&quot; &lt;y&gt;&amp;</value>",
        "argu,ment",
        "is a,b c here",
        "  value: |\n    MIIEvQIBADAN\n    bgkqhkiG9w0B\n",
        "starts with -Djavax.net.ssl.keyStorePassword=op,tion 2",
        "op,tion 2",
        "to;ken",
        "jdbc://u:to;ken@db.example",
        "for\"mer",
        "pl an",
      })
  void valueOfTheResourceIsLeftOutEverywhere(String text) {
    assertThat(redacted(text))
        .contains(Redaction.LEFT_OUT)
        .doesNotContain("ter2", "<y>", "&lt;y", "003cy", "tion 2", ";ken", "mer", "pl an")
        .doesNotContain("ment", "a,b", "MIIE", "bgkq");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "- name: OTHER_PASSWORD\n  value: hunter2",
        "\"name\": \"OTHER_PASSWORD\",\n    \"value\": \"hun\\\"ter2\"",
        "<property><name>other.token</name><value>hunter2</value></property>",
        "<name>other.token</name>\n  <value>hunter2</value>",
        "{\\\"name\\\":\\\"OTHER_TOKEN\\\",\\\"value\\\":\\\"hunter2\\\"}",
        "  privateKey: hunter2",
        "  - access_key: hunter2",
        "{\"other-secret\": \"hun,ter2 x\"}",
        "log of password=hunter2",
        "connects with apiKey: hunter2, and reads",
        "-Dcredentials=hunter2",
        "client_secret=hunter2",
        "hbase.other.password  hunter2  declared",
        "[\"hbase-site\",\"other.password\",\"hunter2\"]",
        "{\"args\": [\"--password\", \"hunter2\"]}",
        "{\"env\": [{\"name\": \"OTHER_TOKEN\", \"value\": \"hunter2\"}]}",
        "{\"values\": [{\"key\": \"other.token\", \"typedValue\": \"hunter2\"}]}",
        "{\"json\": \"{\\\"other.password\\\":\\\"hun\\\\u0026ter2\\\"}\"}",
      })
  void valueBehindItsNameIsLeftOut(String text) {
    assertThat(redacted(text)).contains(Redaction.LEFT_OUT).doesNotContain("ter2");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"hbase.secure\": \"true\"",
        "hbase.ipc.length 256",
        "db.example is the host",
        "secrets:\n- a\n- b",
        "tokens are none of these",
        "imagePullSecrets: [{name: a}]",
        "org.apache.hadoop.hbase is no secret's name",
        "the truth is true, and 256 is a length",
        "",
      })
  void othersStay(String text) {
    assertThat(redacted(text)).isEqualTo(text);
  }

  @Test
  void bytesThatAreNoTextStay() {
    var bytes = new byte[] {'a', (byte) 0xff, (byte) 0xc3, '\n', 0, 'z'};

    assertThat(redacted(new String(bytes, ISO_8859_1)).getBytes(ISO_8859_1)).isEqualTo(bytes);
  }

  /** Of short ones, and of words that names consist of, where they stand. */
  @Test
  void resourceKeepsWhatIsNone() {
    var text = redacted(RESOURCE);

    assertThat(text)
        .contains("\"hbase.secure\" : \"true\"", "\"secretName\" : \"hbase\"", "db.example")
        .contains("\"hbase.y.password\" : \"left-out\"", "\"hbase.z.password\" : \"left-out\"")
        .contains("\\\"rest\\\":1}", "[\\\"s\\\",\\\"a.secret\\\",\\\"left-out\\\",1]")
        .doesNotContain("123456", "ter2", "tion 2", "for\\", "pl an", "argu", "a,b", "MIIE");
  }

  @Test
  void lineOfOtherScriptIsLeftOutToItsEnd() {
    var text = new String("password: хмурый".getBytes(UTF_8), ISO_8859_1);

    assertThat(redacted("  " + text)).isEqualTo("  password: left-out");
  }

  @Test
  void secretOfOtherScriptIsLeftOut() throws JsonProcessingException {
    var redaction = new Redaction(new JsonMapper().readTree("{\"password\": \"пароль\"}"));

    assertThat(redaction.of(new String("x пароль".getBytes(UTF_8), ISO_8859_1)))
        .isEqualTo("x " + Redaction.LEFT_OUT);
  }

  /** A log may have a line without an end, of what names consist of. */
  @Test
  @Slow
  void longLineTakesNoLongTime() {
    var line = "x".repeat(4 << 20);

    Assertions.assertTimeout(Duration.ofSeconds(20), () -> redacted(line + " token=hunter2"));
    Assertions.assertTimeout(Duration.ofSeconds(20), () -> redacted("name: " + line));
    Assertions.assertTimeout(Duration.ofSeconds(20), () -> redacted("{\"a-secret\": \"" + line));
  }
}
