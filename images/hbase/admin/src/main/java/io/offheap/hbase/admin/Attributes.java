package io.offheap.hbase.admin;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.MemoryCompactionPolicy;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Attributes of tables and column families, with HBase's own names. HBase stores whatever name and
 * value it gets, so a misspelt one would be kept without effect; here it is refused. Names with a
 * dot are properties of HBase's configuration, which are not checked.
 */
final class Attributes {
  private static final String TTL_FOREVER = "FOREVER";

  private static final Kind NUMBER = Kind.matching("must be a whole number", "[0-9]{1,18}");
  private static final Kind SIGNED = Kind.matching("must be a whole number", "-?[0-9]{1,18}");
  private static final Kind FLAG = Kind.matching("must be true or false", "(?i)true|false");
  private static final Kind TEXT = Kind.matching("must not be empty", "(?s).+");
  private static final Kind TTL =
      Kind.matching("must be a number of seconds, or FOREVER", "[0-9]{1,10}|" + TTL_FOREVER);
  private static final Kind ALGORITHM = Kind.oneOf(Compression.Algorithm.values());

  private static final Map<String, Kind> OF_FAMILY =
      new TreeMap<>(
          Map.ofEntries(
              Map.entry(ColumnFamilyDescriptorBuilder.BLOCKCACHE, FLAG),
              Map.entry(ColumnFamilyDescriptorBuilder.BLOCKSIZE, NUMBER),
              Map.entry(
                  ColumnFamilyDescriptorBuilder.BLOOMFILTER,
                  Kind.oneOf(BloomType.NONE, BloomType.ROW, BloomType.ROWCOL)),
              Map.entry(ColumnFamilyDescriptorBuilder.CACHE_BLOOMS_ON_WRITE, FLAG),
              Map.entry(ColumnFamilyDescriptorBuilder.CACHE_DATA_ON_WRITE, FLAG),
              Map.entry(ColumnFamilyDescriptorBuilder.CACHE_INDEX_ON_WRITE, FLAG),
              Map.entry(ColumnFamilyDescriptorBuilder.COMPRESSION, ALGORITHM),
              Map.entry(ColumnFamilyDescriptorBuilder.COMPRESSION_COMPACT, ALGORITHM),
              Map.entry(ColumnFamilyDescriptorBuilder.COMPRESSION_COMPACT_MAJOR, ALGORITHM),
              Map.entry(ColumnFamilyDescriptorBuilder.COMPRESSION_COMPACT_MINOR, ALGORITHM),
              Map.entry(
                  ColumnFamilyDescriptorBuilder.DATA_BLOCK_ENCODING,
                  Kind.oneOf(DataBlockEncoding.values())),
              Map.entry(ColumnFamilyDescriptorBuilder.DFS_REPLICATION, NUMBER),
              Map.entry(ColumnFamilyDescriptorBuilder.EVICT_BLOCKS_ON_CLOSE, FLAG),
              Map.entry(ColumnFamilyDescriptorBuilder.IN_MEMORY, FLAG),
              Map.entry(
                  ColumnFamilyDescriptorBuilder.IN_MEMORY_COMPACTION,
                  Kind.oneOf(MemoryCompactionPolicy.values())),
              Map.entry(ColumnFamilyDescriptorBuilder.IS_MOB, FLAG),
              Map.entry(
                  ColumnFamilyDescriptorBuilder.KEEP_DELETED_CELLS,
                  Kind.oneOf(KeepDeletedCells.values())),
              Map.entry(ColumnFamilyDescriptorBuilder.MIN_VERSIONS, NUMBER),
              Map.entry(ColumnFamilyDescriptorBuilder.MOB_THRESHOLD, NUMBER),
              Map.entry(ColumnFamilyDescriptorBuilder.NEW_VERSION_BEHAVIOR, FLAG),
              Map.entry(ColumnFamilyDescriptorBuilder.PREFETCH_BLOCKS_ON_OPEN, FLAG),
              Map.entry(ColumnFamilyDescriptorBuilder.REPLICATION_SCOPE, NUMBER),
              Map.entry(ColumnFamilyDescriptorBuilder.STORAGE_POLICY, TEXT),
              Map.entry(ColumnFamilyDescriptorBuilder.TTL, TTL),
              Map.entry(ColumnFamilyDescriptorBuilder.MAX_VERSIONS, NUMBER)));

  private static final Map<String, Kind> OF_TABLE =
      new TreeMap<>(
          Map.ofEntries(
              Map.entry(TableDescriptorBuilder.COMPACTION_ENABLED, FLAG),
              Map.entry(TableDescriptorBuilder.DURABILITY, Kind.oneOf(Durability.values())),
              Map.entry(TableDescriptorBuilder.FLUSH_POLICY, TEXT),
              Map.entry(TableDescriptorBuilder.MAX_FILESIZE, NUMBER),
              Map.entry(TableDescriptorBuilder.MEMSTORE_FLUSHSIZE, NUMBER),
              Map.entry(TableDescriptorBuilder.MERGE_ENABLED, FLAG),
              Map.entry(TableDescriptorBuilder.NORMALIZATION_ENABLED, FLAG),
              Map.entry(TableDescriptorBuilder.NORMALIZER_TARGET_REGION_COUNT, NUMBER),
              Map.entry(TableDescriptorBuilder.NORMALIZER_TARGET_REGION_SIZE_MB, NUMBER),
              Map.entry(TableDescriptorBuilder.PRIORITY, SIGNED),
              Map.entry(TableDescriptorBuilder.READONLY, FLAG),
              Map.entry(TableDescriptorBuilder.REGION_MEMSTORE_REPLICATION, FLAG),
              Map.entry(TableDescriptorBuilder.REGION_REPLICATION, NUMBER),
              Map.entry(TableDescriptorBuilder.SPLIT_ENABLED, FLAG),
              Map.entry(TableDescriptorBuilder.SPLIT_POLICY, TEXT)));

  private Attributes() {}

  /** The values that an attribute takes. */
  private record Kind(Pattern pattern, String must) {
    static Kind matching(String must, String pattern) {
      return new Kind(Pattern.compile(pattern), must);
    }

    static Kind oneOf(Enum<?>... constants) {
      var names = Arrays.stream(constants).map(Enum::name).toList();
      return matching("must be one of " + String.join(", ", names), String.join("|", names));
    }
  }

  /**
   * A family as the command line has it: {@code NAME[:ATTRIBUTE=VALUE[,ATTRIBUTE=VALUE...]]}.
   *
   * @param name of the family
   * @param values by attribute, in the order given
   */
  record Family(String name, Map<String, String> values) {
    static Family parse(String text) {
      int colon = text.indexOf(':');
      var name = colon < 0 ? text : text.substring(0, colon);
      try {
        ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes(name));
      } catch (IllegalArgumentException e) {
        throw UsageException.mustBe(
            "--family", text, "must begin with a family's name; " + e.getMessage());
      }
      var values = new LinkedHashMap<String, String>();
      if (colon >= 0) {
        for (var item : text.substring(colon + 1).split(",", -1)) {
          var entry = attribute("--family", item, OF_FAMILY);
          values.put(entry.getKey(), entry.getValue());
        }
      }
      return new Family(name, values);
    }

    /** The family as it is, or a new one where null, with the values given. */
    ColumnFamilyDescriptor over(ColumnFamilyDescriptor present) {
      var builder =
          present == null
              ? ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes(name))
              : ColumnFamilyDescriptorBuilder.newBuilder(present);
      values.forEach(
          (attribute, value) -> {
            if (attribute.indexOf('.') >= 0) {
              builder.setConfiguration(attribute, value);
            } else {
              builder.setValue(attribute, value);
            }
          });
      return builder.build();
    }
  }

  /** {@code ATTRIBUTE=VALUE} of a table. */
  static Map.Entry<String, String> ofTable(String text) {
    return attribute("--set", text, OF_TABLE);
  }

  /** The name of a table's attribute, as {@code --unset} has it. */
  static String nameOfTable(String name) {
    return known("--unset", name, name, OF_TABLE);
  }

  static List<String> familyNames() {
    return List.copyOf(OF_FAMILY.keySet());
  }

  private static Map.Entry<String, String> attribute(
      String option, String text, Map<String, Kind> kinds) {
    int equals = text.indexOf('=');
    if (equals < 1) {
      throw UsageException.mustBe(option, text, "must be ATTRIBUTE=VALUE");
    }
    var value = text.substring(equals + 1);
    var name = known(option, text, text.substring(0, equals), kinds);
    var kind = kinds.getOrDefault(name, TEXT);
    // Names of constants in upper case, as HBase reads them.
    var written = kind.must().startsWith("must be one of") ? value.toUpperCase(Locale.ROOT) : value;
    if (!kind.pattern().matcher(written).matches()) {
      throw UsageException.mustBe(option + " " + name, value, kind.must());
    }
    return Map.entry(name, written.equals(TTL_FOREVER) ? "" + Integer.MAX_VALUE : written);
  }

  private static String known(String option, String text, String given, Map<String, Kind> kinds) {
    if (given.indexOf('.') >= 0) {
      return given;
    }
    var name = given.toUpperCase(Locale.ROOT);
    if (!kinds.containsKey(name)) {
      throw UsageException.mustBe(
          option,
          text,
          "must name one of " + String.join(", ", kinds.keySet()) + ", or a property with a dot");
    }
    return name;
  }

  /** The values of a family that are stored, with the family's name first. */
  static Map<String, Object> of(ColumnFamilyDescriptor family) {
    var facts = Output.facts("family", family.getNameAsString());
    var values = new TreeMap<String, Object>();
    family
        .getValues()
        .forEach(
            (name, value) -> values.put(Bytes.toString(name.get()), Bytes.toString(value.get())));
    values.putAll(family.getConfiguration());
    facts.put("attributes", values);
    return facts;
  }

  /** The values of a table that are stored. */
  static Map<String, Object> of(TableDescriptor table) {
    var values = new TreeMap<String, Object>();
    table
        .getValues()
        .forEach(
            (name, value) -> values.put(Bytes.toString(name.get()), Bytes.toString(value.get())));
    values.remove(TableDescriptorBuilder.IS_META);
    return values;
  }
}
