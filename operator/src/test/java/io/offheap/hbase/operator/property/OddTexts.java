package io.offheap.hbase.operator.property;

import java.util.List;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Tuple;

/** Invalid and unusual texts. */
public final class OddTexts {
  /** Numbers and texts like numbers, names, and texts that no file can hold. */
  public static final List<String> TEXTS =
      List.of(
          "",
          " ",
          "\t5\n",
          "-1",
          "+7",
          "- 7",
          "007",
          "0x1f",
          "-0X1F",
          "0x",
          "0x-5",
          "-0x-5",
          "0xfffffffff",
          "1_000",
          "1e3",
          "1e999999999",
          "-1e-999999999",
          "1e-40",
          "1f",
          "1d",
          "0x1p3",
          "NaN",
          "Infinity",
          "-Infinity",
          "10240.5",
          "0.45",
          "0.4500000001",
          "-0.0",
          ".5",
          "5.",
          "1k",
          "32m",
          "8M",
          "1kk",
          "0x1k",
          "16777216t",
          "16777217",
          "2147483648",
          "9223372036854775807",
          "9223372036854775808",
          "-9223372036854775808",
          "99999999999999999999",
          "\u0663\u0664",
          "\uff11\uff12",
          "\u00bd",
          "true",
          "TRUE",
          " False ",
          "fal\u017fe",
          "yes",
          "null",
          "${user.home}",
          "${x",
          "$5`\\",
          "5120,66816",
          "5120,,66816",
          ",",
          "\u0000",
          "a\u0001b",
          "\u007f",
          "\u0085",
          "5\u00a0",
          "\u2028",
          "\ud800",
          "\udc00x",
          "\ud83d\ude00",
          "\ufffe",
          "<&>]]>",
          "'\"",
          "@file",
          "a=b",
          "a b",
          "-XX:Flags=x",
          "\r\n",
          "#",
          "!",
          "[",
          "{a: 1}",
          "*",
          "1Gi",
          "1.5Gi",
          "1e-3",
          "20Ei",
          "1e30",
          "1Zi",
          "9999999999h",
          "1h30m",
          "/cache",
          "/a\u0000b",
          "offheap",
          "LRU",
          "lru",
          "0".repeat(9000),
          "gc,".repeat(2000) + "gc");

  private OddTexts() {}

  /** Any of them, or any characters at all. */
  public static Arbitrary<String> any() {
    return Arbitraries.frequencyOf(
        Tuple.of(4, Arbitraries.of(TEXTS)),
        Tuple.of(1, Arbitraries.strings().all().ofMaxLength(20)),
        Tuple.of(
            1, Arbitraries.strings().withChars("0123456789.-+xXeEfFkmgtKMGT ").ofMaxLength(12)));
  }

  /** Names of properties that a plan does not know. */
  static List<String> unknownKeys() {
    return IntStream.range(0, 50).mapToObj(i -> "hbase.regionserver.unknown." + i).toList();
  }
}
