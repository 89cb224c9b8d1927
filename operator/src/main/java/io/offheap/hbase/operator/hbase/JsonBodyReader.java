package io.offheap.hbase.operator.hbase;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.async.ByteArrayFeeder;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import java.io.IOException;

/**
 * Parses a JSON response while it arrives, and stores only the requested parts: neither the text
 * nor a tree is ever complete in memory. Nesting, numbers, names and texts are limited.
 *
 * @param <T> the parsed value
 */
abstract class JsonBodyReader<T> implements BodyReader<T> {
  /** HBase's own responses have four levels. */
  private static final int DEEPEST = 16;

  private static final int LONGEST_NUMBER = 100;

  /** The longest names are those of attributes, with some dozens of letters. */
  private static final int LONGEST_NAME = 200;

  private final JsonParser parser;
  private final int longestText;
  private int sinceToken;

  /**
   * Creates a parser for one response.
   *
   * @param json of {@link #factory}, with the same limit of texts
   */
  JsonBodyReader(JsonFactory json) throws IOException {
    longestText = json.streamReadConstraints().getMaxStringLength();
    parser = json.createNonBlockingByteArrayParser();
  }

  /**
   * Creates a factory for the responses to one kind of request. It keeps field names for later
   * responses, since they are most of a response's cost: some thousands, which with their limit of
   * length are a few MiB, also where a server makes up new ones.
   *
   * @param longestText most bytes of a text, besides the part of it that arrives in one read
   */
  static JsonFactory factory(int longestText) {
    return JsonFactory.builder()
        .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
        .streamReadConstraints(
            StreamReadConstraints.builder()
                .maxNestingDepth(DEEPEST)
                .maxNumberLength(LONGEST_NUMBER)
                .maxNameLength(LONGEST_NAME)
                .maxStringLength(longestText)
                .build())
        .build();
  }

  /** Handles one token. */
  abstract void token(JsonToken token, JsonParser at) throws IOException;

  /** The value, when all tokens have been handled. */
  abstract T kept();

  @Override
  public final void read(byte[] bytes) throws IOException {
    ((ByteArrayFeeder) parser.getNonBlockingInputFeeder()).feedInput(bytes, 0, bytes.length);
    // The parser limits a text only when the text is read, and space between tokens not at all.
    sinceToken = readTokens() > 0 ? 0 : sinceToken + bytes.length;
    if (sinceToken > longestText) {
      throw new StreamConstraintsException("a text or a space of over " + sinceToken);
    }
  }

  @Override
  public final T end() throws IOException {
    parser.getNonBlockingInputFeeder().endOfInput();
    readTokens();
    return kept();
  }

  private int readTokens() throws IOException {
    int count = 0;
    for (var token = parser.nextToken();
        token != null && token != JsonToken.NOT_AVAILABLE;
        token = parser.nextToken()) {
      token(token, parser);
      count++;
    }
    return count;
  }

  @Override
  public final void close() throws IOException {
    parser.close();
  }

  /** The fault of a response that cannot be parsed. */
  static String problem(JsonProcessingException failure) {
    return "sent no valid JSON within the limits ("
        + DEEPEST
        + " levels): "
        + failure.getOriginalMessage();
  }
}
