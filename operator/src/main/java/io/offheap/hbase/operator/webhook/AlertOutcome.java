package io.offheap.hbase.operator.webhook;

import java.util.Locale;

/** How the webhook answers; Alertmanager tries again, soon, after a status of 5xx alone. */
enum AlertAnswer {
  /** The alerts were judged; the body counts the verdicts. */
  ACCEPTED(200),
  MALFORMED(400),
  UNAUTHENTICATED(401),
  NOT_FOUND(404),
  NOT_POST(405),
  TOO_LARGE(413),
  NOT_JSON(415),
  FLOODED(429),
  FAILED(500),
  /** Another process leads, or this one has only begun to; the sender finds it by trying again. */
  STANDBY(503),
  /** No answer: the sender was too slow or went away. */
  CUT_OFF(0);

  private final int status;

  AlertAnswer(int status) {
    this.status = status;
  }

  int status() {
    return status;
  }

  /** As it is written in metrics. */
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
