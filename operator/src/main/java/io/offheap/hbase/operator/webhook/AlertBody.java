package io.offheap.hbase.operator.webhook;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.offheap.hbase.operator.tune.AlertCause;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Parses the body of Alertmanager's webhook requests, version 4. */
final class AlertBody {
  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  /** 64 bits in hexadecimal, as Alertmanager writes them. */
  private static final Pattern FINGERPRINT = Pattern.compile("[0-9a-f]{16}");

  private static final int LONGEST_TIME = 40;
  private static final int LONGEST_SHOWN = 60;

  /** The body is not Alertmanager's; the message has the field, its value and what it must be. */
  static final class MalformedException extends Exception {
    private static final long serialVersionUID = 1L;

    MalformedException(String message) {
      super(message);
    }
  }

  /** The body has too many alerts. */
  static final class TooManyException extends Exception {
    private static final long serialVersionUID = 1L;

    TooManyException(String message) {
      super(message);
    }
  }

  private AlertBody() {}

  /**
   * Returns the alerts of a body.
   *
   * @param most most alerts of a body
   */
  static List<Alert> parse(byte[] body, int most) throws MalformedException, TooManyException {
    var root = tree(body);
    if (!root.isObject()) {
      throw wrong("the body", root, "a JSON object");
    }
    if (!"4".equals(root.path("version").textValue())) {
      throw wrong("version", root.path("version"), "\"4\"");
    }
    firing(root.path("status"), "status");
    var alerts = root.path("alerts");
    if (!alerts.isArray()) {
      throw wrong("alerts", alerts, "an array");
    }
    if (alerts.size() > most) {
      throw new TooManyException(
          "alerts has " + alerts.size() + " entries; must be at most " + most + " (max_alerts)");
    }
    var all = new ArrayList<Alert>();
    for (var alert : alerts) {
      all.add(alert(alert, "alerts[" + all.size() + "]"));
    }
    return all;
  }

  private static JsonNode tree(byte[] body) throws MalformedException {
    try {
      return JSON.readTree(body);
    } catch (JsonProcessingException e) {
      // The parser's message quotes the body.
      var at = e.getLocation();
      throw new MalformedException(
          "the body is no JSON, or has a name twice"
              + (at == null ? "" : ", at line " + at.getLineNr() + " column " + at.getColumnNr())
              + "; must be one JSON object in UTF-8");
    } catch (IOException e) {
      throw new MalformedException("the body is no text; must be one JSON object in UTF-8");
    }
  }

  private static Alert alert(JsonNode alert, String at) throws MalformedException {
    if (!alert.isObject()) {
      throw wrong(at, alert, "a JSON object");
    }
    boolean firing = firing(alert.path("status"), at + ".status");
    var labels = alert.path("labels");
    if (!labels.isObject()) {
      throw wrong(at + ".labels", labels, "a JSON object");
    }
    for (var label : labels) {
      if (!label.isTextual()) {
        throw wrong("a label in " + at + ".labels", label, "a text");
      }
    }
    var fingerprint = alert.path("fingerprint");
    if (!fingerprint.isTextual() || !FINGERPRINT.matcher(fingerprint.textValue()).matches()) {
      throw wrong(at + ".fingerprint", fingerprint, "16 hexadecimal digits");
    }
    var endsAt = alert.path("endsAt");
    return new Alert(
        firing,
        ClusterName.of(labels.path("namespace").textValue(), labels.path("cluster").textValue()),
        AlertCause.of(
            labels.path("alertname").textValue(),
            fingerprint.textValue(),
            time(alert.path("startsAt"), at + ".startsAt")),
        endsAt.isMissingNode()
            ? Optional.empty()
            // Go's zero time, year 1, means that there is no end.
            : Optional.of(time(endsAt, at + ".endsAt")).filter(Instant.EPOCH::isBefore));
  }

  private static boolean firing(JsonNode status, String at) throws MalformedException {
    boolean firing = "firing".equals(status.textValue());
    if (!firing && !"resolved".equals(status.textValue())) {
      throw wrong(at, status, "firing or resolved");
    }
    return firing;
  }

  private static Instant time(JsonNode time, String at) throws MalformedException {
    if (time.isTextual() && time.textValue().length() <= LONGEST_TIME) {
      try {
        return OffsetDateTime.parse(time.textValue()).toInstant();
      } catch (DateTimeException e) {
        throw wrong(at, time, "a time such as 2026-01-31T12:00:00Z");
      }
    }
    throw wrong(at, time, "a time such as 2026-01-31T12:00:00Z");
  }

  private static MalformedException wrong(String field, JsonNode value, String required) {
    return new MalformedException(field + " is " + shown(value) + "; must be " + required);
  }

  /**
   * A value for messages: short, and in printable ASCII, which no terminal and no log interprets.
   */
  private static String shown(JsonNode value) {
    if (value.isMissingNode()) {
      return "missing";
    }
    if (value.isContainerNode()) {
      return value.isArray() ? "an array" : "an object";
    }
    var text = value.asText();
    var shown = new StringBuilder();
    text.chars()
        .limit(LONGEST_SHOWN)
        .forEach(
            letter -> {
              if (letter >= ' ' && letter <= '~' && letter != '"' && letter != '\\') {
                shown.append((char) letter);
              } else {
                shown.append(String.format("\\u%04x", letter));
              }
            });
    var end = text.length() > LONGEST_SHOWN ? "..." : "";
    return value.isTextual() ? '"' + shown.toString() + '"' + end : shown + end;
  }
}
