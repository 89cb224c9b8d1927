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
 * One answer of a server: it is weighed before it is read, and read within the budget of all
 * answers, until what asked has made of it what it keeps. HBase's client reads an answer by the
 * builder of the type that a call names, so it is given one that does this.
 */
final class BoundedAnswer {
  /** What a client learns from the first servers that it asks is kept while it lives. */
  private static final Set<String> KEPT = Set.of("ClientMetaService", "ConnectionRegistryService");

  private static final long MOST_KEPT = 1 << 20;

  private final String server;
  private final Message type;
  private final long most;
  private final TableNames.OfCluster tables;
  private final AnswerBudget budget;
  private HBaseRpcController caller;
  private RpcCallback<Message> done;
  private Message value;
  private long held;
  private boolean isOver;

  private BoundedAnswer(
      String server, Message type, long most, TableNames.OfCluster tables, AnswerBudget budget) {
    this.server = server;
    this.type = type;
    this.most = Math.min(most, budget.most());
    this.tables = tables;
    this.budget = budget;
  }

  /**
   * A channel whose answers are bounded.
   *
   * @param server {@code host:port}
   * @param tables those that the cluster's servers have named
   */
  static RpcChannel channel(
      RpcChannel to, String server, TableNames.OfCluster tables, AnswerBudget budget) {
    return (method, controller, request, type, done) -> {
      long most = KEPT.contains(method.getService().getName()) ? MOST_KEPT : budget.most();
      var answer = new BoundedAnswer(server, type, most, tables, budget);
      answer.caller = (HBaseRpcController) controller;
      answer.done = done;
      to.callMethod(method, controller, request, answer.prototype(), answer::end);
    };
  }

  /** A call may be over, as its time is, while its answer is read; it ends once. */
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

  /** HBase's client forgets the first call of a connection where its answer cannot be read. */
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

  /** Whoever reads answers may not wait: other connections are read by the same thread. */
  private synchronized void take(long weight) throws IOException {
    if (!budget.take(weight)) {
      throw new IOException("the operator reads too many other answers now");
    }
    held = weight;
    if (isOver) {
      release();
    }
  }

  /** What HBase's client takes for the type of the answer. */
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
   * Reads the message with its length before it, as {@link Message.Builder#mergeDelimitedFrom}.
   *
   * @param in goes back to a mark
   */
  private boolean read(InputStream in) throws IOException {
    int first = in.read();
    if (first < 0) {
      return false;
    }
    try {
      int size = CodedInputStream.readRawVarint32(first, in);
      if (size < 0 || size > in.available()) {
        throw new AnswerProblem("sent an answer that ends before its end");
      }
      long cells = (long) in.available() - size;
      in.mark(Integer.MAX_VALUE);
      long weight = weight(in, size);
      check(weight);
      in.reset();
      in.skipNBytes(size);
      weight += AnswerCells.weight(new DataInputStream(in), cells, tables, most);
      check(weight);
      in.reset();
      take(weight);
      value = parsed(in, size);
      checkCounts(cells);
      return true;
    } catch (AnswerProblem e) {
      var refused = refused(e.getMessage());
      fail(refused);
      throw refused;
    } catch (InvalidProtocolBufferException e) {
      var refused = refused("sent what is no " + name() + ": " + e.getMessage());
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
    return AnswerWeight.of(type.getDescriptorForType(), ByteStreams.limit(in, size), tables, most);
  }

  private Message parsed(InputStream in, int size) throws IOException {
    var builder = type.newBuilderForType().mergeFrom(ByteStreams.limit(in, size));
    // Else the error is a list of all that is missing: a hundred bytes for each two that came.
    if (!builder.isInitialized()) {
      throw new AnswerProblem("sent a " + name() + " without what it must have");
    }
    var message = builder.build();
    return message instanceof GetProceduresResponse all ? CrashAnswer.of(all) : message;
  }

  private void check(long weight) throws AnswerProblem {
    if (weight > most) {
      throw new AnswerProblem(
          "sent a "
              + name()
              + " that takes over "
              + most
              + " bytes of the operator's heap; at most so many are taken");
    }
  }

  /**
   * HBase's client makes an array for as many rows, and a list for as many cells, as it is told.
   */
  private void checkCounts(long bytes) throws AnswerProblem {
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
    if (Math.max(rows, cells) > bytes / AnswerCells.SHORTEST) {
      throw new AnswerProblem("sent rows, or cells of rows, that its answer does not have");
    }
  }

  private String name() {
    return type.getDescriptorForType().getName();
  }

  private RefusedAnswerException refused(String what) {
    return RefusedAnswerException.of(server, what);
  }
}
