package io.offheap.hbase.operator.declare;

import java.util.regex.Pattern;

/** Names of labels and annotations, by Kubernetes' syntax: {@code app}, {@code example.com/app}. */
final class Labels {
  private static final Pattern NAME =
      Pattern.compile(
          "([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?"
              + "[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?");

  private static final int LONGEST_DOMAIN = 253;

  /** A domain, a slash and a word. */
  private static final int LONGEST = LONGEST_DOMAIN + 1 + 63;

  private Labels() {}

  /** Whether a text is a name. The length is checked first: the pattern recurses for each part. */
  static boolean isName(String text) {
    return text.length() <= LONGEST
        && text.indexOf('/') <= LONGEST_DOMAIN
        && NAME.matcher(text).matches();
  }

  /** The message for a text that is not the name of a label. */
  static String notName(String text) {
    return "'" + text + "' is not a label's name; must be such as app or example.com/app";
  }
}
