package io.offheap.hbase.operator.hbase;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.render.OnlineKeys;
import io.offheap.hbase.operator.render.Ports;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Requests the configuration that region servers have in force, over their own HTTP endpoint, and
 * only from servers that have not reported the expected revision yet: a response has all properties
 * of HBase.
 */
final class OnlineRevisionSource
    extends PollingSource<OnlineRevisionSource.OnlineRevision, HBaseCluster>
    implements OnlineRevisions {
  private static final Duration PERIOD = Duration.ofSeconds(5);

  /** While all expected revisions are in force; a new expected revision is requested at once. */
  private static final Duration REST_PERIOD = Duration.ofMinutes(1);

  private static final Duration DEADLINE = Duration.ofSeconds(3);

  /** All properties of HBase and Hadoop take about 300 KB. */
  private static final int MAX_BYTES = 4 << 20;

  /** Most bytes of one property's value. */
  private static final int LONGEST_TEXT = 1 << 18;

  private static final int AT_ONCE = 2;

  private final Function<HBaseCluster, Map<String, String>> addresses;
  private final LimitedHttp http;
  private final JsonFactory json = JsonBodyReader.factory(LONGEST_TEXT);
  private final Map<ResourceID, List<Wanted>> wanted = new ConcurrentHashMap<>();
  private final Map<ResourceID, Map<String, String>> reported = new ConcurrentHashMap<>();

  /** The revision that the server in a pod has in force. */
  record OnlineRevision(String uid, String revision) {}

  OnlineRevisionSource(EventSourceContext<HBaseCluster> context) {
    this(context, OnlineRevisionSource::addresses, DEADLINE);
  }

  /** With {@code host:port} of the servers by pod, and the deadline of each GET. */
  OnlineRevisionSource(
      EventSourceContext<HBaseCluster> context,
      Function<HBaseCluster, Map<String, String>> addresses,
      Duration deadline) {
    super("online-revisions", OnlineRevision.class, OnlineRevision::uid, context, PERIOD);
    this.addresses = addresses;
    this.http = new LimitedHttp(deadline, MAX_BYTES, AT_ONCE);
  }

  private static Map<String, String> addresses(HBaseCluster cluster) {
    return RegionServerHosts.of(cluster)
        .collect(
            Collectors.toMap(
                host -> host.substring(0, host.indexOf('.')),
                host -> host + ":" + Ports.REGIONSERVER_HTTP));
  }

  @Override
  public Map<String, String> inForce(ResourceID id, List<Wanted> now) {
    var before = wanted.put(id, List.copyOf(now));
    if (!now.equals(before)) {
      pollSoon(id);
    }
    return reported.getOrDefault(id, Map.of());
  }

  @Override
  CompletableFuture<Set<OnlineRevision>> poll(HBaseCluster cluster) {
    var id = ResourceID.fromResource(cluster);
    var known = reported.getOrDefault(id, Map.of());
    var all = wanted.getOrDefault(id, List.of());
    var hosts = isOver(id) ? Map.<String, String>of() : addresses.apply(cluster);
    List<CompletableFuture<Optional<OnlineRevision>>> responses =
        all.stream()
            .map(
                it ->
                    it.revision().equals(known.get(it.uid()))
                        ? last(it, known)
                        : poll(id, it, hosts)
                            .thenCombine(last(it, known), (now, last) -> now.or(() -> last)))
            .toList();
    return CompletableFuture.allOf(responses.toArray(CompletableFuture[]::new))
        .thenApply(
            done -> {
              var responding =
                  responses.stream().flatMap(it -> it.join().stream()).collect(Collectors.toSet());
              if (!all.isEmpty() && responding.isEmpty()) {
                silent(id);
              }
              reported.put(
                  id,
                  responding.stream()
                      .collect(
                          Collectors.toUnmodifiableMap(
                              OnlineRevision::uid, OnlineRevision::revision)));
              return responding;
            });
  }

  @Override
  Duration period(HBaseCluster cluster) {
    return isOver(ResourceID.fromResource(cluster)) ? REST_PERIOD : PERIOD;
  }

  private boolean isOver(ResourceID id) {
    var known = reported.getOrDefault(id, Map.of());
    return wanted.getOrDefault(id, List.of()).stream()
        .allMatch(it -> it.revision().equals(known.get(it.uid())));
  }

  private static CompletableFuture<Optional<OnlineRevision>> last(
      Wanted server, Map<String, String> known) {
    return CompletableFuture.completedFuture(
        Optional.ofNullable(known.get(server.uid()))
            .map(revision -> new OnlineRevision(server.uid(), revision)));
  }

  private CompletableFuture<Optional<OnlineRevision>> poll(
      ResourceID id, Wanted server, Map<String, String> hosts) {
    var host = hosts.get(server.pod());
    if (host == null) {
      return CompletableFuture.completedFuture(Optional.empty());
    }
    return http.get(
            URI.create("http://" + host + "/conf?format=json"),
            LimitedHttp.Reuse.NONE,
            () -> new Revision(json))
        .thenApply(revision -> Optional.of(new OnlineRevision(server.uid(), revision)))
        .exceptionally(
            failure -> {
              onFailure(id, host).accept(failure);
              return Optional.empty();
            });
  }

  /** One property, of {@code {"properties": [{"key": "k", "value": "v"}]}}. */
  static final class Revision extends JsonBodyReader<String> {
    private static final int LONGEST = 256;

    private String revision = NONE;
    private String key = "";
    private String value = "";

    Revision(JsonFactory json) throws IOException {
      super(json);
    }

    @Override
    void token(JsonToken token, JsonParser at) throws IOException {
      if (token == JsonToken.START_OBJECT) {
        key = "";
        value = "";
      } else if (token == JsonToken.VALUE_STRING && at.getTextLength() <= LONGEST) {
        if ("key".equals(at.currentName())) {
          key = at.getText();
        } else if ("value".equals(at.currentName())) {
          value = at.getText();
        }
      } else if (token == JsonToken.END_OBJECT && key.equals(OnlineKeys.REVISION)) {
        revision = value;
        key = "";
      }
    }

    @Override
    String kept() {
      return revision;
    }
  }

  @Override
  void forget(ResourceID id) {
    wanted.remove(id);
    reported.remove(id);
  }
}
