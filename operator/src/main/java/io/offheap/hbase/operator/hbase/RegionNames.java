package io.offheap.hbase.operator.hbase;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.RegionInfo;

/**
 * Full names of the regions of servers that are being restarted. They are kept until the rollout
 * ends, because a region has left its server when it is moved back.
 */
final class RegionNames {
  /** Most regions of a server: twice the number with which HBase still starts well. */
  static final int MOST_REGIONS = 20_000;

  /** Most bytes of one name: it contains a row key, which HBase limits to 32 KiB. */
  static final int LONGEST = 33 << 10;

  private static final int MOST = 50_000;
  private static final long MOST_BYTES = 8 << 20;

  private volatile Map<String, byte[]> names = Map.of();

  Optional<byte[]> get(String encodedName) {
    return Optional.ofNullable(names.get(encodedName));
  }

  /** The regions of a server; fails if they are too many or a name is too long. */
  static List<RegionInfo> bounded(ServerName server, List<RegionInfo> regions) {
    if (regions.size() > MOST_REGIONS) {
      throw refused(server, "sent " + regions.size() + " regions; must be at most " + MOST_REGIONS);
    }
    regions.stream()
        .mapToInt(it -> it.getRegionName().length)
        .filter(it -> it > LONGEST)
        .findFirst()
        .ifPresent(
            it -> {
              throw refused(
                  server, "sent a region's name of " + it + " bytes; must be at most " + LONGEST);
            });
    return regions;
  }

  private static CompletionException refused(ServerName server, String what) {
    return new CompletionException(
        RefusedResponseException.of(server.getHostname() + ":" + server.getPort(), what));
  }

  /**
   * Adds names. Over the limits all old names are dropped; then names are stored up to the limit of
   * bytes.
   */
  void keep(Collection<List<RegionInfo>> seen, boolean isOver) {
    var kept = new HashMap<String, byte[]>();
    if (!isOver && names.size() <= MOST && bytes() <= MOST_BYTES) {
      kept.putAll(names);
    }
    long bytes = kept.values().stream().mapToLong(it -> it.length).sum();
    for (var regions : seen) {
      for (var region : regions) {
        var name = region.getRegionName();
        if (bytes <= MOST_BYTES && kept.put(region.getEncodedName(), name) == null) {
          bytes += name.length;
        }
      }
    }
    names = kept;
  }

  /** Bytes of all names. */
  long bytes() {
    return names.values().stream().mapToLong(it -> it.length).sum();
  }
}
