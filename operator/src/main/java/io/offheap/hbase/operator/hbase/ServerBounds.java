package io.offheap.hbase.operator.hbase;

import io.offheap.hbase.operator.rollout.HBaseView;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionException;
import org.apache.hadoop.hbase.ServerName;

/** Limits the servers that a master may name, and selects those that are polled. */
final class ServerBounds {
  /** Most servers of one kind: more than an HBase has. */
  static final int MOST_SERVERS = 5_000;

  private static final int LONGEST = 300;

  /** HBase's connection keeps every server that it has contacted for its lifetime. */
  private final Set<String> addresses = new HashSet<>();

  /** Returns the servers of one kind; fails if they are too many or a name is too long. */
  static <T extends Collection<ServerName>> T check(String kind, T servers) {
    if (servers.size() > MOST_SERVERS) {
      throw refused("sent " + servers.size() + " " + kind + "; must be at most " + MOST_SERVERS);
    }
    if (servers.stream().anyMatch(it -> it.getServerName().length() > LONGEST)) {
      throw refused("sent a server's name of over " + LONGEST + " characters");
    }
    return servers;
  }

  private static CompletionException refused(String what) {
    return new CompletionException(RefusedResponseException.of("the master", what));
  }

  /** The newest server of each pod, under one host name for all servers of the pod. */
  synchronized List<ServerName> newest(List<ServerName> live, Set<String> pods) {
    Map<String, ServerName> byPod = new HashMap<>();
    live.stream()
        .filter(it -> pods.contains(HBaseView.podOf(it.getServerName())))
        .forEach(
            it ->
                byPod.merge(
                    HBaseView.podOf(it.getServerName()),
                    it,
                    (one, other) -> one.getStartCode() >= other.getStartCode() ? one : other));
    return byPod.values().stream()
        .filter(
            it -> {
              var address = it.getAddress().toString();
              return addresses.contains(address)
                  || (addresses.size() < MOST_SERVERS && addresses.add(address));
            })
        .toList();
  }
}
