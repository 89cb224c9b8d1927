package io.offheap.hbase.operator.boot;

import io.offheap.hbase.operator.declare.PodRight;
import io.offheap.hbase.operator.declare.PodRights;
import io.offheap.hbase.operator.deploy.OperatorPods;
import io.offheap.hbase.operator.webhook.AlertSettings;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Settings of this process; each value comes from an environment variable.
 *
 * @param watchNamespaces namespaces to watch; empty for all ({@code WATCH_NAMESPACES})
 * @param hbaseImage image of clusters that declare none ({@code HBASE_IMAGE})
 * @param allowedImages repositories that the chart's policy permits; empty if there is no policy
 *     ({@code ALLOWED_IMAGES})
 * @param podTemplateRights what pod templates of all resources may have beside the harmless ({@code
 *     POD_TEMPLATE_RIGHTS})
 * @param httpPort port of the metrics ({@code HTTP_PORT})
 * @param probePort port of the kubelet's probes ({@code PROBE_PORT})
 * @param alerts settings of the webhook; empty if there is none ({@code WEBHOOK_TOKEN_FILE})
 * @param pods the operator's own pods, if it runs in one ({@code POD_NAMESPACE}, {@code
 *     POD_LABELS})
 * @param pagePort port of the page, on loopback; empty if there is no page ({@code PAGE_PORT})
 * @param election settings of the leader election; empty if this is the only process ({@code
 *     LEADER_ELECTION})
 */
@RecordBuilder
public record OperatorSettings(
    Set<String> watchNamespaces,
    String hbaseImage,
    Set<String> allowedImages,
    Set<PodRight> podTemplateRights,
    int httpPort,
    int probePort,
    Optional<AlertSettings> alerts,
    Optional<OperatorPods> pods,
    Optional<Integer> pagePort,
    Optional<Election> election) {
  private static final String DEFAULT_IMAGE = "hbase-offheap/hbase:0.1.0";

  /** Not both a tag and a digest: what precedes the digest is taken as the repository. */
  private static final String IMAGE =
      "([^/:@\\s]+(:[0-9]{1,5})?/)?[^:@\\s]+"
          + "(:[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}|@sha256:[a-f0-9]{64})";

  private static final String DEFAULT_PORT = "8080";
  private static final String DEFAULT_PROBE_PORT = "8082";
  private static final String DEFAULT_LEASE = "hbase-offheap-operator";

  /**
   * Settings of the leader election.
   *
   * @param namespace namespace of the lease ({@code POD_NAMESPACE})
   * @param leaseName name of the lease ({@code LEASE_NAME})
   * @param identity name of this process in the lease ({@code POD_NAME})
   */
  public record Election(String namespace, String leaseName, String identity) {}

  /**
   * Reads the settings.
   *
   * @throws IllegalArgumentException if a value is invalid; the message names the variable
   */
  public static OperatorSettings of(Map<String, String> environment) {
    var image = environment.getOrDefault("HBASE_IMAGE", DEFAULT_IMAGE);
    if (!image.matches(IMAGE)) {
      throw new IllegalArgumentException(
          "HBASE_IMAGE is '" + image + "'; must be repository:tag or repository@digest");
    }
    return OperatorSettingsBuilder.builder()
        .watchNamespaces(list(environment, "WATCH_NAMESPACES"))
        .hbaseImage(image)
        .allowedImages(list(environment, "ALLOWED_IMAGES"))
        .podTemplateRights(podTemplateRights(environment))
        .httpPort(port(environment, "HTTP_PORT", DEFAULT_PORT))
        .probePort(port(environment, "PROBE_PORT", DEFAULT_PROBE_PORT))
        .alerts(AlertSettings.of(environment))
        .pods(pods(environment))
        .pagePort(
            environment.containsKey("PAGE_PORT")
                ? Optional.of(port(environment, "PAGE_PORT", ""))
                : Optional.empty())
        .election(election(environment))
        .build();
  }

  /** What pod templates may have: where images are limited, those of their containers are too. */
  PodRights podRights() {
    if (allowedImages.isEmpty()) {
      return new PodRights(podTemplateRights, Set.of());
    }
    var repositories = new TreeSet<>(allowedImages);
    repositories.add(PodRights.repository(hbaseImage));
    return new PodRights(podTemplateRights, repositories);
  }

  private static Set<PodRight> podTemplateRights(Map<String, String> environment) {
    var names = Arrays.stream(PodRight.values()).map(Enum::name).toList();
    return list(environment, "POD_TEMPLATE_RIGHTS").stream()
        .map(
            name -> {
              if (!names.contains(name)) {
                throw new IllegalArgumentException(
                    "POD_TEMPLATE_RIGHTS has '"
                        + name
                        + "'; each must be one of "
                        + String.join(", ", names));
              }
              return PodRight.valueOf(name);
            })
        .collect(Collectors.toUnmodifiableSet());
  }

  private static Set<String> list(Map<String, String> environment, String variable) {
    return Arrays.stream(environment.getOrDefault(variable, "").split(","))
        .map(String::strip)
        .filter(it -> !it.isEmpty())
        .collect(Collectors.toUnmodifiableSet());
  }

  private static Optional<OperatorPods> pods(Map<String, String> environment) {
    var text = environment.getOrDefault("POD_LABELS", "");
    if (text.isEmpty()) {
      return Optional.empty();
    }
    if (!text.matches("[^=,\\s]+=[^=,\\s]*(,[^=,\\s]+=[^=,\\s]*)*")) {
      throw new IllegalArgumentException(
          "POD_LABELS is '" + text + "'; must be labels such as app=operator,release=demo");
    }
    return Optional.of(
        new OperatorPods(
            name(environment, "POD_NAMESPACE", "", "POD_LABELS"),
            Arrays.stream(text.split(","))
                .map(label -> label.split("=", 2))
                .collect(Collectors.toMap(label -> label[0], label -> label[1]))));
  }

  private static Optional<Election> election(Map<String, String> environment) {
    var text = environment.getOrDefault("LEADER_ELECTION", "false");
    if (!text.matches("true|false")) {
      throw new IllegalArgumentException(
          "LEADER_ELECTION is '" + text + "'; must be true or false");
    }
    return text.equals("true")
        ? Optional.of(
            new Election(
                name(environment, "POD_NAMESPACE", ""),
                name(environment, "LEASE_NAME", DEFAULT_LEASE),
                name(environment, "POD_NAME", "operator")))
        : Optional.empty();
  }

  private static String name(Map<String, String> environment, String variable, String other) {
    return name(environment, variable, other, "LEADER_ELECTION");
  }

  private static String name(
      Map<String, String> environment, String variable, String other, String with) {
    var text = environment.getOrDefault(variable, other);
    if (!text.matches("[a-z0-9]([-.a-z0-9]{0,251}[a-z0-9])?")) {
      throw new IllegalArgumentException(
          variable + " is '" + text + "'; must be a Kubernetes name with " + with);
    }
    return text;
  }

  private static int port(Map<String, String> environment, String variable, String other) {
    var text = environment.getOrDefault(variable, other);
    if (!text.matches("\\d{1,5}") || Integer.parseInt(text) > 65535) {
      throw new IllegalArgumentException(variable + " is '" + text + "'; must be from 0 to 65535");
    }
    return Integer.parseInt(text);
  }
}
