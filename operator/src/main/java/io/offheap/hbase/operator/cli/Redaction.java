package io.offheap.hbase.operator.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.regex.Pattern.CASE_INSENSITIVE;
import static java.util.regex.Pattern.MULTILINE;
import static java.util.regex.Pattern.UNIX_LINES;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.io.JsonStringEncoder;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Leaves secrets out of texts about a cluster. A secret is a value whose name contains password,
 * secret, token, credential, or api, access or private key.
 *
 * <ol>
 *   <li>In JSON, and in the JSON that a text of it has, values of such names are left out: of
 *       fields, of variables (name and value), and what follows a name in a list.
 *   <li>The values that the resource has under such names are left out wherever they occur. Those
 *       of fewer than {@value #SHORTEST} characters, truth values, numbers of up to six digits and
 *       words of the names themselves are not: they occur with other meanings.
 *   <li>In other texts, what stands behind such a name is left out: of a variable, a property in
 *       XML, a field, a row of a table, an assignment.
 * </ol>
 *
 * <p>A text that is no JSON has a byte in each character, so that bytes that are no UTF-8 stay as
 * they are.
 */
final class Redaction {
  static final String LEFT_OUT = "left-out";

  private static final int SHORTEST = 4;

  /** Of a value of several lines, such as a private key. */
  private static final int SHORTEST_LINE = 8;

  /** The name of a Secret, which is none. */
  private static final String SECRET_NAME = "secretName";

  private static final String WORD =
      "(?:passw(?:or)?d|secret|token|credential|(?:api|access|private)[-_.]?key)";

  private static final String REST = WORD + "[A-Za-z0-9_.-]*+";
  private static final String NAME = "[A-Za-z0-9_./-]*" + REST;
  private static final Pattern NAMED = Pattern.compile(WORD, CASE_INSENSITIVE);
  private static final Pattern WHOLE_NAME = Pattern.compile(NAME, CASE_INSENSITIVE);

  private static final Pattern COMMON =
      Pattern.compile("true|false|[0-9]{1,6}|" + WORD + "s?", CASE_INSENSITIVE);

  /** An option such as -Dx.password=y. */
  private static final Pattern OPTION =
      Pattern.compile("-.*?" + REST + "=(?<value>.*)", CASE_INSENSITIVE | UNIX_LINES);

  /** The rest of a string in JSON. */
  private static final String STRING = "(?:[^\"\\\\]++|\\\\.)*+";

  private static final Pattern WHITE = Pattern.compile("\\s+");
  private static final ObjectMapper JSON =
      JsonMapper.builder().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS).build();

  /** What stays in front of a value is the only group. */
  private static final List<Pattern> BEHIND_NAMES =
      List.of(
          // A name and its value on two lines: of a variable in YAML and in JSON, in XML.
          behind("((?:name|key): " + NAME + "\\n *value: ).*"),
          behind("((?:name|key)\": \"" + NAME + "\",?\\n *\"value\": \")" + STRING),
          behind("(<name>" + NAME + "</name>\\s*<value>)[^<]*"),
          // On one line, also in JSON within a text, and in a list.
          behind(
              "((?:name|key)\\\\*\": ?\\\\*\""
                  + NAME
                  + "\\\\*\", ?\\\\*\"value\\\\*\": ?\\\\*\")[^\"\\\\]*"),
          behind("(\\\\*\"" + NAME + "\\\\*\", ?\\\\*\")[^\"\\\\]*"),
          behind("^( *(?:- )?" + NAME + ": )[^|>{\\[\\r\\n].*"),
          behind("^( *" + NAME + " {2,})\\S+"),
          // Without the first part of a name, with which the time is the square of a line's length.
          behind("(" + REST + "\": ?\")" + STRING),
          behind("(" + REST + "\\\\*\"?[:=] ?\\\\*\"?)[^\\]\"\\\\<>,;{}\\s\\[]+"));

  private final Optional<Pattern> values;

  /**
   * For the values of a resource.
   *
   * @param resource an HBaseCluster as Kubernetes has it
   */
  Redaction(JsonNode resource) {
    var secrets = new LinkedHashSet<String>();
    redacted(resource, Optional.empty(), secrets::add);
    values =
        secrets.stream()
            .flatMap(Redaction::withLines)
            .filter(it -> it.length() >= SHORTEST && !COMMON.matcher(it).matches())
            .flatMap(it -> forms(it).stream())
            .distinct()
            // A secret may begin as another one does.
            .sorted(Comparator.comparing(String::length).reversed())
            .map(Redaction::pattern)
            .reduce((one, other) -> one + "|" + other)
            .map(Pattern::compile);
  }

  private static Pattern behind(String pattern) {
    return Pattern.compile(pattern, CASE_INSENSITIVE | MULTILINE | UNIX_LINES);
  }

  /** Returns a text without secrets; one that is JSON stays JSON. */
  String of(String text) {
    return parsed(new String(text.getBytes(ISO_8859_1), UTF_8))
        .map(it -> redacted(it, values, secret -> {}).toPrettyString() + "\n")
        .map(it -> new String(it.getBytes(UTF_8), ISO_8859_1))
        .orElseGet(() -> plain(text, values));
  }

  private static String plain(String text, Optional<Pattern> values) {
    var without = values.map(pattern -> pattern.matcher(text).replaceAll(LEFT_OUT)).orElse(text);
    for (var pattern : BEHIND_NAMES) {
      without = pattern.matcher(without).replaceAll("$1" + LEFT_OUT);
    }
    return without;
  }

  /** Returns a tree without secrets, and calls {@code found} with each that stood behind a name. */
  private static JsonNode redacted(
      JsonNode node, Optional<Pattern> values, Consumer<String> found) {
    if (node.isObject()) {
      return object(node, values, found);
    }
    if (node.isArray()) {
      var list = JsonNodeFactory.instance.arrayNode();
      boolean isBehindName = false;
      for (var element : node) {
        list.add(isBehindName ? secret(element, values, found) : redacted(element, values, found));
        isBehindName = element.isTextual() && WHOLE_NAME.matcher(element.textValue()).matches();
      }
      return list;
    }
    return node.isTextual() ? TextNode.valueOf(text(node.textValue(), values, found)) : node;
  }

  private static JsonNode object(JsonNode node, Optional<Pattern> values, Consumer<String> found) {
    boolean isNamed = isNamed(node.path("name")) || isNamed(node.path("key"));
    var object = JsonNodeFactory.instance.objectNode();
    node.properties()
        .forEach(
            field -> {
              var name = field.getKey();
              boolean isSecret =
                  (NAMED.matcher(name).find() && !name.equals(SECRET_NAME))
                      || (isNamed && (name.equals("value") || name.equals("typedValue")));
              object.set(
                  name,
                  isSecret
                      ? secret(field.getValue(), values, found)
                      : redacted(field.getValue(), values, found));
            });
    return object;
  }

  private static boolean isNamed(JsonNode name) {
    return name.isTextual() && NAMED.matcher(name.textValue()).find();
  }

  /** What stands behind a name is a secret where it is a text or a number. */
  private static JsonNode secret(JsonNode node, Optional<Pattern> values, Consumer<String> found) {
    if (!node.isTextual() && !node.isNumber()) {
      return redacted(node, values, found);
    }
    found.accept(node.asText());
    return TextNode.valueOf(LEFT_OUT);
  }

  /** Status and annotations have JSON as text. */
  private static String text(String text, Optional<Pattern> values, Consumer<String> found) {
    var json = parsed(text);
    if (json.isPresent()) {
      return redacted(json.get(), values, found).toString();
    }
    var option = OPTION.matcher(text);
    if (option.matches()) {
      found.accept(option.group("value"));
    }
    // As in a file, a byte in each character.
    var plain = plain(new String(text.getBytes(UTF_8), ISO_8859_1), values);
    return new String(plain.getBytes(ISO_8859_1), UTF_8);
  }

  private static Optional<JsonNode> parsed(String text) {
    if (!text.startsWith("{") && !text.startsWith("[")) {
      return Optional.empty();
    }
    try {
      return Optional.of(JSON.readTree(text));
    } catch (JsonProcessingException e) {
      return Optional.empty();
    }
  }

  private static Stream<String> withLines(String value) {
    return Stream.concat(
        Stream.of(value),
        value.contains("\n")
            ? value.lines().map(String::strip).filter(it -> it.length() >= SHORTEST_LINE)
            : Stream.empty());
  }

  /** How a value is written in a text: as it is, in JSON, in JSON within JSON, in YAML, in XML. */
  private static Set<String> forms(String value) {
    var json = escaped(value);
    var twice = escaped(json);
    var xml = value.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    return Stream.of(
            value,
            json,
            twice,
            asGo(json),
            asGo(twice),
            escaped(asGo(json)),
            value.replace("'", "''"),
            xml,
            xml.replace("\"", "&quot;"))
        .map(it -> new String(it.getBytes(UTF_8), ISO_8859_1))
        .collect(Collectors.toSet());
  }

  private static String escaped(String text) {
    return new String(JsonStringEncoder.getInstance().quoteAsString(text));
  }

  /** As kubectl writes JSON. */
  private static String asGo(String json) {
    return json.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e");
  }

  /** A line may end between two words. */
  private static String pattern(String form) {
    return WHITE
        .splitAsStream(form)
        .map(it -> it.isEmpty() ? "" : Pattern.quote(it))
        .collect(Collectors.joining("\\s+"));
  }
}
