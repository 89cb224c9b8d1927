package io.offheap.hbase.operator.webhook;

import java.util.Locale;

/** Outcome of a request to the webhook; Alertmanager retries soon only after a status of 5xx. */
enum AlertOutcome {
  /** The alerts were judged; the body has the number of each verdict. */
  ACCEPTED(200),
  MALFORMED(400),
  UNAUTHENTICATED(401),
  NOT_FOUND(404),
  NOT_POST(405),
  TOO_LARGE(413),
  NOT_JSON(415),
  FLOODED(429),
  FAILED(500),
  /**
   * Another process leads, or this one has only started to lead; the sender reaches the leader by a
   * retry.
   */
  STANDBY(503),
  /** No response: the sender was too slow or closed the connection. */
  CUT_OFF(0);

  private final int status;

  AlertOutcome(int status) {
    this.status = status;
  }

  int status() {
    return status;
  }

  /** Value of the label in metrics. */
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
