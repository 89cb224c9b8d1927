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
 * Reads an answer in JSON while it comes, and keeps what is wanted of it alone: neither its text
 * nor a tree is ever whole in memory. Nesting, numbers and texts are bounded. Each answer has a
 * factory of its own, since a factory keeps the names of fields for later answers.
 *
 * @param <T> what is kept
 */
abstract class JsonAnswer<T> implements LimitedHttp.Answer<T> {
  /** HBase's own answers have four levels. */
  private static final int DEEPEST = 16;

  private static final int LONGEST_NUMBER = 100;

  private final JsonParser parser;
  private final int longestText;
  private int sinceToken;

  /**
   * For one answer.
   *
   * @param longestText bytes of a text, but for the part of it that comes at a time
   */
  JsonAnswer(int longestText) throws IOException {
    this.longestText = longestText;
    parser = factory(longestText).createNonBlockingByteArrayParser();
  }

  private static JsonFactory factory(int longestText) {
    return JsonFactory.builder()
        .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
        .streamReadConstraints(
            StreamReadConstraints.builder()
                .maxNestingDepth(DEEPEST)
                .maxNumberLength(LONGEST_NUMBER)
                .maxStringLength(longestText)
                .build())
        .build();
  }

  /** One token of it. */
  abstract void token(JsonToken token, JsonParser at) throws IOException;

  /** What was wanted, once all of it has come. */
  abstract T kept();

  @Override
  public final void read(byte[] bytes) throws IOException {
    ((ByteArrayFeeder) parser.getNonBlockingInputFeeder()).feedInput(bytes, 0, bytes.length);
    // The parser bounds a text when it is asked for it, and a name not at all.
    sinceToken = readTokens() > 0 ? 0 : sinceToken + bytes.length;
    if (sinceToken > longestText) {
      throw new StreamConstraintsException("a text, a name or a space of over " + sinceToken);
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

  /** What is wrong with it, where it cannot be read. */
  static String problem(JsonProcessingException failure) {
    return "sent what is no JSON within the bounds ("
        + DEEPEST
        + " levels): "
        + failure.getOriginalMessage();
  }
}
