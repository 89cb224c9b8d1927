package io.offheap.hbase.operator.hbase;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.io.IOUtils;
import org.apache.hbase.thirdparty.io.netty.buffer.ByteBufUtil;
import org.apache.hbase.thirdparty.io.netty.handler.codec.http.DefaultFullHttpRequest;
import org.apache.hbase.thirdparty.io.netty.handler.codec.http.HttpContent;
import org.apache.hbase.thirdparty.io.netty.handler.codec.http.HttpHeaderNames;
import org.apache.hbase.thirdparty.io.netty.handler.codec.http.HttpHeaderValues;
import org.apache.hbase.thirdparty.io.netty.handler.codec.http.HttpMethod;
import org.apache.hbase.thirdparty.io.netty.handler.codec.http.HttpObject;
import org.apache.hbase.thirdparty.io.netty.handler.codec.http.HttpResponse;
import org.apache.hbase.thirdparty.io.netty.handler.codec.http.HttpResponseStatus;
import org.apache.hbase.thirdparty.io.netty.handler.codec.http.HttpUtil;
import org.apache.hbase.thirdparty.io.netty.handler.codec.http.HttpVersion;
import org.apache.hbase.thirdparty.io.netty.handler.codec.http.LastHttpContent;

/**
 * One GET and its response, within the limits. Used on its connection's thread alone, but for the
 * result, which completes there as the last step.
 *
 * @param <T> the parsed value
 */
final class HttpExchange<T> {
  /** Most bytes of a response's head. */
  static final int MAX_HEAD = 16_384;

  private final URI uri;
  private final BodyReader.Factory<T> factory;
  private final Duration deadline;
  private final int maxBytes;
  private final boolean mayKeep;
  private final CompletableFuture<T> result = new CompletableFuture<>();
  private BodyReader<T> reader;
  private int bytes;

  /** Bytes received, including the head and the lengths of chunks. */
  private long received;

  private T value;
  private Throwable failure;
  private boolean isOver;
  private boolean isKeepAlive;

  /**
   * Creates an exchange that is not begun.
   *
   * @param deadline from the begin to the last byte
   * @param maxBytes most bytes of the body
   * @param mayKeep whether the connection may be kept after the response
   */
  HttpExchange(
      URI uri, BodyReader.Factory<T> factory, Duration deadline, int maxBytes, boolean mayKeep) {
    this.uri = uri;
    this.factory = factory;
    this.deadline = deadline;
    this.maxBytes = maxBytes;
    this.mayKeep = mayKeep;
  }

  CompletableFuture<T> result() {
    return result;
  }

  /** {@code host:port} of the server. */
  String authority() {
    return uri.getAuthority();
  }

  Duration deadline() {
    return deadline;
  }

  boolean isOver() {
    return isOver;
  }

  /** Whether the server has sent anything. */
  boolean hasBegunResponse() {
    return received > 0;
  }

  /** Whether the response is complete, and both sides permit another one on its connection. */
  boolean keepsConnection() {
    return isOver && failure == null && mayKeep && isKeepAlive;
  }

  /** The request; creates the parser of the response. */
  DefaultFullHttpRequest begin() throws IOException {
    reader = factory.begin();
    var path = uri.getRawPath() + (uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery());
    var request = new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, path);
    request.headers().set(HttpHeaderNames.HOST, uri.getAuthority());
    if (!mayKeep) {
      request.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
    }
    return request;
  }

  /** Counts received bytes: chunks of one byte are ten times as long on the wire. */
  void count(int readable) {
    long most = 2L * maxBytes + MAX_HEAD;
    received += readable;
    if (received > most) {
      refuse("sent over " + most + " bytes, heads of chunks among them");
    }
  }

  void take(HttpObject part) {
    if (part.decoderResult().isFailure()) {
      refuse("sent no valid HTTP within the limits: " + part.decoderResult().cause().getMessage());
      return;
    }
    if (part instanceof HttpResponse head) {
      take(head);
    }
    if (part instanceof HttpContent body && !isOver) {
      take(body);
    }
  }

  private void take(HttpResponse head) {
    var encoding = head.headers().get(HttpHeaderNames.CONTENT_ENCODING, "identity");
    long length = length(head);
    isKeepAlive = HttpUtil.isKeepAlive(head);
    if (!head.status().equals(HttpResponseStatus.OK)) {
      // A server that starts or stops sends such a status; redirects are not followed.
      fail(new IOException("HTTP status " + head.status().code()));
    } else if (!encoding.equalsIgnoreCase("identity")) {
      refuse("sent the encoding " + encoding + "; must be none");
    } else if (length > maxBytes) {
      refuse("sent a response of " + length + " bytes; must be at most " + maxBytes);
    }
  }

  /** 0 if the header is absent or invalid. */
  private static long length(HttpResponse head) {
    try {
      return HttpUtil.getContentLength(head, 0L);
    } catch (NumberFormatException e) {
      return Long.MAX_VALUE;
    }
  }

  private void take(HttpContent body) {
    bytes += body.content().readableBytes();
    if (bytes > maxBytes) {
      refuse("sent a response of over " + maxBytes + " bytes; must be at most so many");
      return;
    }
    try {
      reader.read(ByteBufUtil.getBytes(body.content()));
      if (body instanceof LastHttpContent) {
        value = reader.end();
        isOver = true;
      }
    } catch (JsonProcessingException e) {
      refuse(JsonBodyReader.problem(e));
    } catch (IOException e) {
      fail(e);
    }
  }

  /** The deadline has passed. */
  void timeOut() {
    if (hasBegunResponse()) {
      refuse(
          "sent "
              + received
              + " bytes, an incomplete response, in "
              + deadline.toSeconds()
              + " s; a response must be complete in this time");
    } else {
      fail(new TimeoutException("no response in " + deadline.toSeconds() + " s"));
    }
  }

  private void refuse(String what) {
    fail(RefusedResponseException.of(uri.getAuthority(), what));
  }

  /** Ends the exchange without a value, unless it is over. */
  void fail(Throwable cause) {
    if (!isOver) {
      failure = cause;
      isOver = true;
    }
  }

  /** Frees the parser and completes the result. */
  void complete() {
    if (reader != null) {
      IOUtils.closeStream(reader::close);
    }
    if (failure == null) {
      result.complete(value);
    } else {
      result.completeExceptionally(failure);
    }
  }
}
