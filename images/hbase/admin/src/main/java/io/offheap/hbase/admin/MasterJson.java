package io.offheap.hbase.admin;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;
import org.apache.hbase.thirdparty.com.google.gson.JsonElement;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;

/**
 * A procedure or a lock as {@code Admin.getProcedures} and {@code Admin.getLocks} describe it, in
 * JSON that protobuf made: fields without a value are missing, and long numbers are texts.
 */
record MasterJson(JsonObject object) {
  private static final Set<String> ENDED = Set.of("SUCCESS", "ROLLEDBACK", "FAILED");

  /** Null where there is none. */
  String text(String name) {
    var value = object.get(name);
    return value == null || value.isJsonNull() ? null : value.getAsString();
  }

  /** A time in ms since 1970 as ISO 8601. */
  String time(String name) {
    var millis = text(name);
    return millis == null
        ? null
        : Instant.ofEpochMilli(Long.parseLong(millis)).truncatedTo(ChronoUnit.SECONDS).toString();
  }

  /** Null where there is none. */
  MasterJson object(String name) {
    var value = object.get(name);
    return value == null || !value.isJsonObject() ? null : new MasterJson(value.getAsJsonObject());
  }

  List<JsonElement> list(String name) {
    var value = object.get(name);
    return value == null || !value.isJsonArray() ? List.of() : value.getAsJsonArray().asList();
  }

  boolean hasEnded() {
    return ENDED.contains(text("state"));
  }
}
