package io.offheap.hbase.report;

import java.io.IOException;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A part of what is measured, so that several runs measure all of it. Parts are of neighbours in
 * the list: they read the same tables.
 *
 * @param number which part, from 1 on
 * @param of number of parts
 */
record Share(int number, int of) {
  private static final Pattern TEXT = Pattern.compile("([1-9][0-9]?)/([1-9][0-9]?)");

  /**
   * Reads {@code K/N}.
   *
   * @throws IOException if it is another text, or K is over N
   */
  static Share parse(String text) throws IOException {
    var match = TEXT.matcher(text);
    if (match.matches()) {
      var share = new Share(Integer.parseInt(match.group(1)), Integer.parseInt(match.group(2)));
      if (share.number() <= share.of()) {
        return share;
      }
    }
    throw new IOException("--share %s: must be K/N, K from 1 to N, N at most 99".formatted(text));
  }

  /** Returns this part of a list. The parts of a list have all of it, and nothing twice. */
  <T> List<T> of(List<T> all) {
    return all.subList((number - 1) * all.size() / of, number * all.size() / of);
  }
}
