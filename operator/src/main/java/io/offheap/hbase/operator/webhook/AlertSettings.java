package io.offheap.hbase.operator.webhook;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * Settings of the webhook; each value but the last two comes from an environment variable.
 *
 * @param port TCP port; 0 for any free port ({@code WEBHOOK_PORT})
 * @param tokenFile file with one token a line ({@code WEBHOOK_TOKEN_FILE})
 * @param tlsFolder folder of {@code tls.crt} and {@code tls.key}; without it there is no TLS
 *     ({@code WEBHOOK_TLS_FOLDER})
 * @param requestsPerMinute limit of requests with a valid token
 * @param exchange time limit of a request, and of its response
 */
public record AlertSettings(
    int port, Path tokenFile, Optional<Path> tlsFolder, int requestsPerMinute, Duration exchange) {
  private static final int PLAIN = 8081;
  private static final int TLS = 8443;

  /** Alertmanager sends a group of alerts at most every {@code group_interval}, mostly minutes. */
  private static final int REQUESTS_PER_MINUTE = 60;

  private static final Duration EXCHANGE = Duration.ofSeconds(10);

  /**
   * Reads the settings; empty if no token file is set, so that there is no webhook.
   *
   * @throws IllegalArgumentException if a value is invalid; the message names the variable
   */
  public static Optional<AlertSettings> of(Map<String, String> environment) {
    var tokenFile = path(environment, "WEBHOOK_TOKEN_FILE");
    var tlsFolder = path(environment, "WEBHOOK_TLS_FOLDER");
    int port = port(environment, tlsFolder.isPresent() ? TLS : PLAIN);
    return tokenFile.map(
        it -> new AlertSettings(port, it, tlsFolder, REQUESTS_PER_MINUTE, EXCHANGE));
  }

  private static Optional<Path> path(Map<String, String> environment, String variable) {
    return Optional.ofNullable(environment.get(variable))
        .filter(text -> !text.isEmpty())
        .map(Path::of);
  }

  private static int port(Map<String, String> environment, int other) {
    var text = environment.getOrDefault("WEBHOOK_PORT", Integer.toString(other));
    if (!text.matches("\\d{1,5}") || Integer.parseInt(text) > 65535) {
      throw new IllegalArgumentException("WEBHOOK_PORT is '" + text + "'; must be from 0 to 65535");
    }
    return Integer.parseInt(text);
  }
}
