package io.offheap.hbase.admin;

import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;

/** The list of the regions of a server or of a table, up to a limit. */
final class RegionListing {
  private final Output.Listing listing =
      Output.listing("region", "table", "server", "startKey", "endKey");
  private final int limit;

  private RegionListing(int limit) {
    this.limit = limit;
  }

  /** Regions that a server holds. */
  static Output ofServer(Session session, String name, int limit) throws Exception {
    var server = session.server(name);
    var regions = session.admin().getRegions(server);
    var list = new RegionListing(limit);
    regions.stream().limit(limit).forEach(region -> list.add(region, server));
    return list.output(regions.size() > limit);
  }

  /**
   * Regions of a table, in the order of their keys: one after the other, so that a table of any
   * size needs little memory.
   *
   * @param start the first region has this key
   */
  static Output ofTable(Session session, TableName table, byte[] start, int limit)
      throws Exception {
    session.existing(table);
    var list = new RegionListing(limit);
    try (var locator = session.connection().getRegionLocator(table)) {
      byte[] key = start;
      do {
        if (list.listing.size() == limit) {
          return list.output(true);
        }
        HRegionLocation location = locator.getRegionLocation(key, false);
        list.add(location.getRegion(), location.getServerName());
        key = location.getRegion().getEndKey();
      } while (key.length > 0);
      return list.output(false);
    }
  }

  private void add(RegionInfo region, ServerName server) {
    listing.add(
        region.getEncodedName(),
        region.getTable().getNameAsString(),
        server == null ? null : server.getServerName(),
        Binary.text(region.getStartKey()),
        Binary.text(region.getEndKey()));
  }

  private Output output(boolean more) {
    var output = listing.output();
    return more
        ? output.withNote(
            "admin: there are more than these " + limit + " regions; --limit and --start show more")
        : output;
  }
}
