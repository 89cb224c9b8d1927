// Polls a view. The response to a view that has not changed has no body (304), and a hidden page
// sends no requests.

import { setText } from "./dom.js";

const REST = 2_000;
const LONGEST_REST = 30_000;
const LIMIT = 10_000;

const connection = document.getElementById("connection");

const report = (text) => setText(connection, text);

/**
 * Calls `take(view, now)` after each response, and `missing()` where there is no such view. `now` is
 * the operator's clock, in milliseconds: a person's own may differ from it.
 */
export const poll = (path, take, { missing = () => {}, rest = REST } = {}) => {
  let etag = "";
  let view;
  let now;
  let failures = 0;
  let timer;

  const next = (delay) => {
    clearTimeout(timer);
    timer = setTimeout(request, delay);
  };

  /** The status of a response; a view that came with it is kept. */
  const fetchView = async () => {
    const response = await fetch(path, {
      headers: etag ? { "If-None-Match": etag } : {},
      cache: "no-store",
      signal: AbortSignal.timeout(LIMIT),
    });
    if (response.status === 200) {
      view = await response.json();
      etag = response.headers.get("ETag") ?? "";
    } else if (response.status === 404) {
      etag = "";
    } else if (response.status !== 304) {
      throw new Error(`status ${response.status}`);
    }
    now = Date.parse(response.headers.get("Date")) || Date.now();
    return response.status;
  };

  const request = async () => {
    if (document.hidden) {
      return;
    }
    let status;
    try {
      status = await fetchView();
      failures = 0;
      report("");
    } catch (error) {
      console.debug(path, error);
      failures++;
      report("No connection to the operator. What is shown may be old; it is requested again.");
    }
    next(Math.min(rest * 2 ** Math.min(failures, 4), Math.max(rest, LONGEST_REST)));
    // Outside of the above: a fault of the page itself is no fault of the connection.
    if (status === 404) {
      missing();
    } else if (status !== undefined) {
      take(view, now);
    }
  };

  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) {
      next(0);
    }
  });
  request();
};
