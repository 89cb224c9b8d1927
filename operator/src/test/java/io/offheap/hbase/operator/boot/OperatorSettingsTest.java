package io.offheap.hbase.operator.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.offheap.hbase.operator.declare.PodRight;
import io.offheap.hbase.operator.declare.PodRights;
import io.offheap.hbase.operator.deploy.OperatorPods;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OperatorSettingsTest {

  @Test
  void usesDefaults() {
    assertThat(OperatorSettings.of(Map.of()))
        .isEqualTo(
            new OperatorSettings(
                Set.of(),
                "hbase-offheap/hbase:0.1.0",
                Set.of(),
                Set.of(),
                8080,
                8082,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty()));
  }

  @Test
  void readsEnvironment() {
    var environment =
        Map.ofEntries(
            Map.entry("POD_LABELS", "app=operator,release=demo"),
            Map.entry("WATCH_NAMESPACES", "one, two ,,three"),
            Map.entry("HBASE_IMAGE", "localhost:5000/hbase/hbase:mine-1"),
            Map.entry("ALLOWED_IMAGES", "a/b,c"),
            Map.entry("HTTP_PORT", "0"),
            Map.entry("PROBE_PORT", "1"),
            Map.entry("PAGE_PORT", "2"),
            Map.entry("LEADER_ELECTION", "true"),
            Map.entry("LEASE_NAME", "a-lease"),
            Map.entry("POD_NAMESPACE", "ops"),
            Map.entry("POD_NAME", "operator-5d9c-x2x"));

    assertThat(OperatorSettings.of(environment))
        .isEqualTo(
            new OperatorSettings(
                Set.of("one", "two", "three"),
                "localhost:5000/hbase/hbase:mine-1",
                Set.of("a/b", "c"),
                Set.of(),
                0,
                1,
                Optional.empty(),
                Optional.of(new OperatorPods("ops", Map.of("app", "operator", "release", "demo"))),
                Optional.of(2),
                Optional.of(new OperatorSettings.Election("ops", "a-lease", "operator-5d9c-x2x"))));
  }

  @Test
  void rightsOfPodTemplatesWithImagesOfTheListAndOfHBase() {
    var settings =
        OperatorSettings.of(
            Map.of(
                "POD_TEMPLATE_RIGHTS", "Secrets, Privileged",
                "ALLOWED_IMAGES", "a/b",
                "HBASE_IMAGE", "localhost:5000/hbase@sha256:" + "a".repeat(64)));

    assertThat(settings.podRights())
        .isEqualTo(
            new PodRights(
                Set.of(PodRight.Secrets, PodRight.Privileged),
                Set.of("a/b", "localhost:5000/hbase")));
    assertThat(OperatorSettings.of(Map.of()).podRights()).isEqualTo(PodRights.NONE);
    assertThatThrownBy(() -> OperatorSettings.of(Map.of("POD_TEMPLATE_RIGHTS", "Everything")))
        .hasMessage(
            "POD_TEMPLATE_RIGHTS has 'Everything'; each must be one of Secrets, VolumeClaims,"
                + " OtherVolumes, ServiceAccounts, Privileged");
  }

  /** As the chart passes it on for all namespaces. */
  @ParameterizedTest
  @ValueSource(strings = {"", " ", ","})
  void watchesAllNamespacesIfNoneIsSet(String namespaces) {
    assertThat(OperatorSettings.of(Map.of("WATCH_NAMESPACES", namespaces)).watchNamespaces())
        .isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "hbase:1",
        "localhost:5000/hbase/hbase:1",
        "hbase@sha256:DIGEST",
        "localhost:5000/hbase/hbase@sha256:DIGEST"
      })
  void acceptsImageWithTagOrDigest(String image) {
    var name = image.replace("DIGEST", "0".repeat(64));

    assertThat(OperatorSettings.of(Map.of("HBASE_IMAGE", name)).hbaseImage()).isEqualTo(name);
  }

  /** With a tag and a digest, another tag would follow the tag: {@code hbase:1:2}. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "hbase",
        "localhost:5000/hbase",
        "hbase:",
        "hbase :1",
        "hbase:1 ",
        "hbase@sha256:0",
        "hbase:1@sha256:DIGEST",
        "localhost:5000/hbase:1@sha256:DIGEST"
      })
  void refusesImageWithoutEitherTagOrDigest(String template) {
    var image = template.replace("DIGEST", "0".repeat(64));

    assertThatThrownBy(() -> OperatorSettings.of(Map.of("HBASE_IMAGE", image)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("HBASE_IMAGE is '" + image + "'; must be repository:tag or repository@digest");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "-1", "65536", "99999999999", "http", "80 ", "0x50"})
  void refusesPortOutOfRange(String port) {
    for (var variable : List.of("HTTP_PORT", "PROBE_PORT", "PAGE_PORT")) {
      assertThatThrownBy(() -> OperatorSettings.of(Map.of(variable, port)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(variable + " is '" + port + "'; must be from 0 to 65535");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "8080", "65535"})
  void acceptsPortInRange(String port) {
    assertThat(OperatorSettings.of(Map.of("HTTP_PORT", port)).httpPort())
        .isEqualTo(Integer.parseInt(port));
  }

  /** As where it is run by hand. */
  @Test
  void electionNeedsOnlyNamespace() {
    assertThat(
            OperatorSettings.of(Map.of("LEADER_ELECTION", "true", "POD_NAMESPACE", "ops"))
                .election())
        .contains(new OperatorSettings.Election("ops", "hbase-offheap-operator", "operator"));
    assertThatThrownBy(() -> OperatorSettings.of(Map.of("LEADER_ELECTION", "true")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("POD_NAMESPACE is ''; must be a Kubernetes name with LEADER_ELECTION");
  }

  @Test
  void ignoresElectionSettingsWithoutElection() {
    assertThat(
            OperatorSettings.of(Map.of("LEADER_ELECTION", "false", "POD_NAMESPACE", "A B"))
                .election())
        .isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "yes", "True", "1", "true "})
  void refusesInvalidElectionValue(String text) {
    assertThatThrownBy(() -> OperatorSettings.of(Map.of("LEADER_ELECTION", text)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("LEADER_ELECTION is '" + text + "'; must be true or false");
  }
}
