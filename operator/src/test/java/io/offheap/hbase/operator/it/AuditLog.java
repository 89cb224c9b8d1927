package io.offheap.hbase.operator.it;

import static io.offheap.hbase.operator.Waits.LONG;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The requests that a user really sent.
 *
 * @param file the API server's audit log
 * @param user whose requests count
 */
record AuditLog(AuditFile file, String user) {
  private static final Set<String> READS = Set.of("get", "list", "watch");

  /** One request, for example {@code patch statefulsets ns/name}. */
  record Request(String verb, String resource, String subresource, String namespace, String name) {
    private boolean isWrite() {
      return !READS.contains(verb);
    }
  }

  /** All writes of the user so far. */
  List<Request> writes() {
    return requests(entry -> entry.request().isWrite());
  }

  /** All writes of the user that the API server received after this time. */
  List<Request> writesAfter(Instant time) {
    return requests(entry -> entry.request().isWrite() && entry.received().isAfter(time));
  }

  /** All requests of the user for a single object, or a list, of a kind in a namespace. */
  List<Request> gets(String resource, String namespace) {
    return requests(
        entry ->
            !entry.request().isWrite()
                && !entry.request().verb().equals("watch")
                && entry.request().resource().equals(resource)
                && entry.request().namespace().equals(namespace));
  }

  /** All requests of the user that it had no right to. */
  List<Request> forbidden() {
    return requests(entry -> entry.code() == 403);
  }

  /** Writes of the user to objects of a namespace. */
  List<Request> writesIn(String namespace) {
    return writes().stream().filter(write -> write.namespace().equals(namespace)).toList();
  }

  /** Waits until the user has written nothing to a namespace for two seconds. */
  void awaitQuiet(String namespace) {
    await("no more writes")
        .atMost(LONG)
        .during(Duration.ofSeconds(2))
        .until(() -> writesIn(namespace).size(), new Unchanged()::test);
  }

  private static final class Unchanged {
    private int last = -1;

    boolean test(int now) {
      boolean same = now == last;
      last = now;
      return same;
    }
  }

  private List<Request> requests(Predicate<AuditFile.Entry> which) {
    return file.of(user).stream().filter(which).map(AuditFile.Entry::request).toList();
  }
}
