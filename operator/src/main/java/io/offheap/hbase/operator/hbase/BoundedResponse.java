package io.offheap.hbase.operator.hbase;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.ipc.HBaseRpcController;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Result;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.GetProceduresResponse;
import org.apache.hbase.thirdparty.com.google.common.io.ByteStreams;
import org.apache.hbase.thirdparty.com.google.protobuf.CodedInputStream;
import org.apache.hbase.thirdparty.com.google.protobuf.InvalidProtocolBufferException;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.apache.hbase.thirdparty.com.google.protobuf.RpcCallback;
import org.apache.hbase.thirdparty.com.google.protobuf.RpcChannel;

/**
 * One response of a server. Its heap is estimated before it is parsed, and it is parsed within the
 * budget of all responses; the reservation ends when the caller has processed the response. HBase's
 * client parses a response with the builder of the message type that a call names, so the call gets
 * a proxy builder.
 */
final class BoundedResponse {
  /**
   * Services whose responses the client keeps for its lifetime: what it reads from the bootstrap
   * servers.
   */
  private static final Set<String> KEPT = Set.of("ClientMetaService", "ConnectionRegistryService");

  private static final long MOST_KEPT = 1 << 20;

  private final String server;
  private final Message type;
  private final long most;
  private final TableNames.OfCluster tables;
  private final ResponseBudget budget;
  private HBaseRpcController caller;
  private RpcCallback<Message> done;
  private Message value;
  private long held;
  private boolean isOver;

  private BoundedResponse(
      String server, Message type, long most, TableNames.OfCluster tables, ResponseBudget budget) {
    this.server = server;
    this.type = type;
    this.most = Math.min(most, budget.most());
    this.tables = tables;
    this.budget = budget;
  }

  /**
   * Wraps a channel so that its responses are limited.
   *
   * @param server {@code host:port}
   * @param tables the table names that the cluster's servers have sent
   */
  static RpcChannel channel(
      RpcChannel to, String server, TableNames.OfCluster tables, ResponseBudget budget) {
    return (method, controller, request, type, done) -> {
      long most = KEPT.contains(method.getService().getName()) ? MOST_KEPT : budget.most();
      var response = new BoundedResponse(server, type, most, tables, budget);
      response.caller = (HBaseRpcController) controller;
      response.done = done;
      to.callMethod(method, controller, request, response.prototype(), response::end);
    };
  }

  /** A call may time out while its response is parsed; it ends once. */
  private void end(Message message) {
    synchronized (this) {
      if (isOver) {
        return;
      }
      isOver = true;
    }
    try {
      done.run(message);
    } finally {
      release();
    }
  }

  /** HBase's client drops the first call of a connection if its response cannot be parsed. */
  private void fail(IOException failure) {
    release();
    if (caller != null) {
      caller.setFailed(failure);
    }
    end(null);
  }

  private synchronized void release() {
    budget.giveBack(held);
    held = 0;
  }

  /** Never waits: the same thread serves other connections. */
  private synchronized void take(long weight) throws IOException {
    if (!budget.take(weight)) {
      throw new IOException(
          "too many other responses are being parsed; must be within the operator's heap");
    }
    held = weight;
    if (isOver) {
      release();
    }
  }

  /** The message that HBase's client takes for the response type. */
  private Message prototype() {
    return (Message)
        Proxy.newProxyInstance(
            Message.class.getClassLoader(),
            new Class<?>[] {Message.class},
            (proxy, method, arguments) ->
                method.getName().equals("newBuilderForType")
                    ? builder()
                    : call(type, method, arguments));
  }

  private Message.Builder builder() {
    var plain = type.newBuilderForType();
    return (Message.Builder)
        Proxy.newProxyInstance(
            Message.class.getClassLoader(),
            new Class<?>[] {Message.Builder.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "mergeDelimitedFrom" -> read((InputStream) arguments[0]);
                  case "build" -> value;
                  default -> call(plain, method, arguments);
                });
  }

  private static Object call(Object on, Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(on, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  /**
   * Reads the message with its length in front, as {@link Message.Builder#mergeDelimitedFrom}.
   *
   * @param in must support mark and reset
   */
  private boolean read(InputStream in) throws IOException {
    int first = in.read();
    if (first < 0) {
      return false;
    }
    try {
      int size = CodedInputStream.readRawVarint32(first, in);
      if (size < 0 || size > in.available()) {
        throw new InvalidResponseException("sent a response that is cut off");
      }
      long cells = (long) in.available() - size;
      in.mark(Integer.MAX_VALUE);
      long weight = weight(in, size);
      check(weight);
      in.reset();
      in.skipNBytes(size);
      weight += ResponseCells.weight(new DataInputStream(in), cells, tables, most);
      check(weight);
      in.reset();
      take(weight);
      value = parsed(in, size);
      checkCounts(cells);
      return true;
    } catch (InvalidResponseException e) {
      var refused = refused(e.getMessage());
      fail(refused);
      throw refused;
    } catch (InvalidProtocolBufferException e) {
      var refused = refused("sent a malformed " + name() + ": " + e.getMessage());
      fail(refused);
      throw refused;
    } catch (IOException e) {
      fail(e);
      throw e;
    } catch (RuntimeException | Error e) {
      fail(new IOException(e));
      throw e;
    }
  }

  private long weight(InputStream in, int size) throws IOException {
    return ResponseWeight.of(
        type.getDescriptorForType(), ByteStreams.limit(in, size), tables, most);
  }

  private Message parsed(InputStream in, int size) throws IOException {
    var builder = type.newBuilderForType().mergeFrom(ByteStreams.limit(in, size));
    // Otherwise the error lists all missing fields: a hundred bytes for each two that were sent.
    if (!builder.isInitialized()) {
      throw new InvalidResponseException("sent a " + name() + " without a required field");
    }
    var message = builder.build();
    return message instanceof GetProceduresResponse all ? CrashProcedureFilter.of(all) : message;
  }

  private void check(long weight) throws InvalidResponseException {
    if (weight > most) {
      throw new InvalidResponseException(
          "sent a "
              + name()
              + " that takes over "
              + most
              + " bytes of the operator's heap; must be at most so many");
    }
  }

  /**
   * HBase's client allocates an array for the number of rows, and a list for the number of cells,
   * that the response declares.
   */
  private void checkCounts(long bytes) throws InvalidResponseException {
    long rows = 0;
    long cells = 0;
    if (value instanceof ScanResponse scan) {
      rows = scan.getCellsPerResultCount();
      cells =
          Stream.concat(
                  scan.getCellsPerResultList().stream(),
                  scan.getResultsList().stream().map(Result::getAssociatedCellCount))
              .mapToLong(Integer::toUnsignedLong)
              .sum();
    } else if (value instanceof GetResponse get) {
      cells = Integer.toUnsignedLong(get.getResult().getAssociatedCellCount());
    }
    if (Math.max(rows, cells) > bytes / ResponseCells.SHORTEST) {
      throw new InvalidResponseException(
          "sent a count of rows, or of cells, that is larger than its response");
    }
  }

  private String name() {
    return type.getDescriptorForType().getName();
  }

  private RefusedResponseException refused(String what) {
    return RefusedResponseException.of(server, what);
  }
}
