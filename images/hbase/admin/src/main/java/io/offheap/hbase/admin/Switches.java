package io.offheap.hbase.admin;

/** What switches of the master have in common. */
final class Switches {
  private Switches() {}

  static String word(boolean on) {
    return on ? "on" : "off";
  }

  static Output changed(String what, boolean before, boolean now) {
    return Output.done(
        what + " " + word(now) + " (was " + word(before) + ")",
        what,
        word(now),
        "before",
        word(before));
  }
}
