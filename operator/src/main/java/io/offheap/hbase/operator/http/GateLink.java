package io.offheap.hbase.operator.http;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;

/** A client's connection to a {@link ConnectionGate}, and its connection to the server. */
final class GateLink {
  private static final int BUFFER = 8 << 10;

  /** The connection of a peer that has sent nothing takes no buffer. */
  private static final ByteBuffer NONE = ByteBuffer.allocate(0);

  /** Bytes that a client may send after the server has closed the connection. */
  private static final int MOST_DROPPED = 1 << 20;

  private final InetAddress peer;
  private final InetSocketAddress address;
  private final Selector selector;
  private final SocketChannel client;
  private final SelectionKey clientKey;
  private final Direction up = new Direction();
  private final Direction down = new Direction();
  private SocketChannel server;
  private SelectionKey serverKey;
  private long active;
  private int dropped;

  /** One direction. */
  private static final class Direction {
    private ByteBuffer bytes = NONE;
    private boolean hasEnded;
    private boolean isShut;

    /** Whether any byte was read. */
    boolean read(SocketChannel from) throws IOException {
      if (hasEnded || isFull()) {
        return false;
      }
      if (bytes.capacity() == 0) {
        bytes = ByteBuffer.allocate(BUFFER);
      }
      int count = from.read(bytes);
      hasEnded = count < 0;
      return count > 0;
    }

    /** Whether any byte was written. */
    boolean write(SocketChannel to) throws IOException {
      bytes.flip();
      int count = bytes.hasRemaining() ? to.write(bytes) : 0;
      bytes.compact();
      if (hasEnded && !isPending() && !isShut) {
        isShut = true;
        to.shutdownOutput();
      }
      return count > 0;
    }

    private boolean isFull() {
      return bytes.capacity() > 0 && !bytes.hasRemaining();
    }

    boolean isPending() {
      return bytes.position() > 0;
    }

    int reads() {
      return !hasEnded && !isFull() ? SelectionKey.OP_READ : 0;
    }

    int writes() {
      return isPending() ? SelectionKey.OP_WRITE : 0;
    }
  }

  GateLink(SocketChannel client, InetSocketAddress server, Selector selector, long now)
      throws IOException {
    this.client = client;
    this.address = server;
    this.selector = selector;
    this.active = now;
    try {
      peer = client.socket().getInetAddress();
      client.configureBlocking(false);
      clientKey = client.register(selector, SelectionKey.OP_READ, this);
    } catch (IOException e) {
      client.close();
      throw e;
    }
  }

  InetAddress peer() {
    return peer;
  }

  /** Whether the client has not sent a byte. */
  boolean isSilent() {
    return server == null;
  }

  /** Whether the server has closed the connection, and the client has the whole response. */
  boolean isComplete() {
    return down.isShut;
  }

  /** When it began or last moved a byte; by {@link System#nanoTime}. */
  long active() {
    return active;
  }

  /**
   * Forwards the available bytes.
   *
   * @return whether more may be available
   */
  boolean pass(long now) throws IOException {
    boolean hasMoved = up.read(client);
    if (isSilent()) {
      if (up.hasEnded) {
        return false;
      }
      if (hasMoved) {
        connect();
      }
    }
    if (!isSilent() && (server.isConnected() || server.finishConnect())) {
      hasMoved |= passUp();
      hasMoved |= readDown();
      hasMoved |= down.write(client);
    }
    if (hasMoved) {
      active = now;
    }
    if ((up.hasEnded && down.isShut) || dropped > MOST_DROPPED) {
      return false;
    }
    clientKey.interestOps(up.reads() | down.writes());
    if (!isSilent()) {
      serverKey.interestOps(
          server.isConnected() ? down.reads() | up.writes() : SelectionKey.OP_CONNECT);
    }
    return true;
  }

  /** After the server has closed the connection, no more is sent to it; its output is forwarded. */
  private boolean passUp() {
    int pending = up.bytes.position();
    try {
      return up.write(server);
    } catch (IOException e) {
      up.bytes.clear();
      dropped += pending;
      return false;
    }
  }

  /** A server that has reset its connection has ended it: the client gets what came before. */
  private boolean readDown() {
    try {
      return down.read(server);
    } catch (IOException e) {
      down.hasEnded = true;
      return false;
    }
  }

  private void connect() throws IOException {
    server = SocketChannel.open();
    server.configureBlocking(false);
    serverKey = server.register(selector, 0, this);
    server.connect(address);
  }

  /** Both connections. */
  void close() {
    try (client;
        var behind = server) {
      clientKey.cancel();
    } catch (IOException e) {
      // The connection is closed nevertheless.
    }
  }
}
