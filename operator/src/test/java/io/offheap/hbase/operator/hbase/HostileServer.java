package io.offheap.hbase.operator.hbase;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPOutputStream;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.ClusterStatus;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.LiveServerInfo;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.RegionLoad;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.ServerLoad;
import org.apache.hadoop.hbase.shaded.protobuf.generated.FSProtos.HBaseVersionFileContent;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier.RegionSpecifierType;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.ServerName;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.GetClusterStatusResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.GetProceduresResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.GetTableDescriptorsResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.IsNormalizerEnabledResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.ListDecommissionedRegionServersResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.CellBlockMeta;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.RequestHeader;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.ResponseHeader;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegistryProtos.GetActiveMasterResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegistryProtos.GetClusterIdResponse;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.CodedOutputStream;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/**
 * A hostile server on one port, over HTTP or over HBase's RPC, or one of its neighbours. It
 * responds in its one way until it is closed.
 */
public final class HostileServer implements AutoCloseable {
  /** The beginning of a connection: a name, a version and the authentication method. */
  private static final int PREAMBLE = 6;

  private static final int MILLION = 1_000_000;

  private final ServerSocket server;
  private final InetAddress address;
  private final Way way;
  private final CountDownLatch closed = new CountDownLatch(1);

  /** Responds on a connection; the connection is closed when the method returns. */
  private interface Way {
    void response(HostileServer server, Socket client) throws IOException;
  }

  /** The response to a GET. */
  public enum Http implements Way {
    ENDLESS {
      @Override
      void write(HostileServer server, OutputStream out) throws IOException {
        out.write("\r\n{\"beans\": [".getBytes(US_ASCII));
        server.endless(out, "1,");
      }
    },
    ONE_BYTE_A_SECOND {
      @Override
      void write(HostileServer server, OutputStream out) throws IOException {
        out.write("\r\n".getBytes(US_ASCII));
        server.slowly(out);
      }
    },
    MILLION_REGIONS {
      @Override
      void write(HostileServer server, OutputStream out) throws IOException {
        out.write("\r\n{\"beans\": [{\"regionCount\": 1000000".getBytes(US_ASCII));
        for (int i = 0; i < MILLION; i++) {
          out.write((", \"region-" + i + "\": 1").getBytes(US_ASCII));
        }
        out.write("}]}".getBytes(US_ASCII));
      }
    },
    MALFORMED {
      @Override
      void write(HostileServer server, OutputStream out) throws IOException {
        whole(out, "{\"beans\": [{\"regionCount\": oops".getBytes(US_ASCII));
      }
    },
    NESTED {
      @Override
      void write(HostileServer server, OutputStream out) throws IOException {
        whole(out, "[".repeat(10_000).getBytes(US_ASCII));
      }
    },
    PACKED {
      @Override
      void write(HostileServer server, OutputStream out) throws IOException {
        out.write("Content-Encoding: gzip\r\n".getBytes(US_ASCII));
        var bytes = new ByteArrayOutputStream();
        try (var packed = new GZIPOutputStream(bytes)) {
          packed.write(new byte[10 * MILLION]);
        }
        whole(out, bytes.toByteArray());
      }
    },
    SILENT {
      @Override
      public void response(HostileServer server, Socket client) {
        server.awaitClose();
      }

      @Override
      void write(HostileServer server, OutputStream out) {
        throw new IllegalStateException("silent");
      }
    };

    /** The rest of the head, and the body. */
    abstract void write(HostileServer server, OutputStream out) throws IOException;

    private static void whole(OutputStream out, byte[] body) throws IOException {
      out.write(("Content-Length: " + body.length + "\r\n\r\n").getBytes(US_ASCII));
      out.write(body);
    }

    @Override
    public void response(HostileServer server, Socket client) throws IOException {
      var in = client.getInputStream();
      for (int last = 0, now = in.read(); now >= 0 && !(last == '\n' && now == '\r'); ) {
        last = now;
        now = in.read();
      }
      var out = client.getOutputStream();
      out.write("HTTP/1.1 200 OK\r\nConnection: close\r\n".getBytes(US_ASCII));
      write(server, out);
      out.flush();
    }
  }

  /** The response to a request over HBase's RPC. */
  public enum Rpc implements Way {
    SILENT {
      @Override
      void response(HostileServer server, DataOutputStream out, int call, String method) {
        server.awaitClose();
      }
    },
    /** One response after the other, without requests. */
    ENDLESS {
      @Override
      void response(HostileServer server, DataOutputStream out, int call, String method)
          throws IOException {
        while (server.closed.getCount() > 0) {
          send(out, header(MILLION), new byte[0]);
        }
      }
    },
    LARGE_FRAME {
      @Override
      void response(HostileServer server, DataOutputStream out, int call, String method)
          throws IOException {
        out.writeInt(Integer.MAX_VALUE);
        server.endless(out, "x");
      }
    },
    ONE_BYTE_A_SECOND {
      @Override
      void response(HostileServer server, DataOutputStream out, int call, String method)
          throws IOException {
        out.writeInt(8 * MILLION);
        header(call).writeDelimitedTo(out);
        out.write(new byte[7 * MILLION]);
        server.slowly(out);
      }
    },
    CELLS_OF_TWO_GIGABYTES {
      @Override
      void response(HostileServer server, DataOutputStream out, int call, String method)
          throws IOException {
        var cells = CellBlockMeta.newBuilder().setLength(Integer.MAX_VALUE);
        send(out, header(call).toBuilder().setCellBlockMeta(cells).build(), new byte[1]);
      }
    },
    MALFORMED {
      @Override
      void response(HostileServer server, DataOutputStream out, int call, String method)
          throws IOException {
        send(out, header(call), new byte[] {2, 0x0b, 0x0c});
      }
    },
    OTHER_HOSTS {
      @Override
      void response(HostileServer server, DataOutputStream out, int call, String method)
          throws IOException {
        server.nameMaster(out, call, method, "rs-0.others.svc");
      }
    },
    /** As an HBase at rest, which names no region server. */
    HONEST {
      @Override
      void response(HostileServer server, DataOutputStream out, int call, String method)
          throws IOException {
        if (!server.nameMaster(out, call, method, server.address.getHostName())) {
          send(out, call, atRest(server, method));
        }
      }

      private Message atRest(HostileServer server, String method) throws IOException {
        return switch (method) {
          case "GetClusterStatus" ->
              GetClusterStatusResponse.newBuilder().setClusterStatus(server.status()).build();
          case "IsNormalizerEnabled" ->
              IsNormalizerEnabledResponse.newBuilder().setEnabled(true).build();
          case "ListDecommissionedRegionServers" ->
              ListDecommissionedRegionServersResponse.getDefaultInstance();
          case "GetProcedures" -> GetProceduresResponse.getDefaultInstance();
          case "GetTableDescriptors" -> GetTableDescriptorsResponse.getDefaultInstance();
          default -> throw new IOException("no " + method);
        };
      }
    },
    /** The loads of a million regions of one server, which the operator has not requested. */
    MILLION_REGIONS {
      @Override
      void response(HostileServer server, DataOutputStream out, int call, String method)
          throws IOException {
        if (!server.nameMaster(out, call, method, server.address.getHostName())) {
          var body = new ByteArrayOutputStream();
          body.write(server.status().toByteArray());
          body.write(field(ClusterStatus.LIVE_SERVERS_FIELD_NUMBER, server.liveServer()));
          var message =
              field(GetClusterStatusResponse.CLUSTER_STATUS_FIELD_NUMBER, body.toByteArray());
          var sent = new ByteArrayOutputStream();
          var coded = CodedOutputStream.newInstance(sent);
          coded.writeUInt32NoTag(message.length);
          coded.flush();
          sent.write(message);
          send(out, header(call), sent.toByteArray());
        }
      }
    },
    /** Each server of a list is two bytes on the wire, and an object in memory. */
    LARGE_PROTOBUF {
      @Override
      void response(HostileServer server, DataOutputStream out, int call, String method)
          throws IOException {
        if (!server.nameMaster(out, call, method, server.address.getHostName())) {
          var servers = emptyServers(4 * MILLION);
          var body = new ByteArrayOutputStream();
          var coded = CodedOutputStream.newInstance(body);
          coded.writeUInt32NoTag(CodedOutputStream.computeByteArraySize(1, servers));
          coded.writeByteArray(1, servers);
          coded.flush();
          send(out, header(call), body.toByteArray());
        }
      }
    };

    abstract void response(HostileServer server, DataOutputStream out, int call, String method)
        throws IOException;

    private static byte[] emptyServers(int count) {
      var servers = new byte[2 * count];
      for (int i = 0; i < count; i++) {
        servers[2 * i] = 2 << 3 | 2;
      }
      return servers;
    }

    private static ResponseHeader header(int call) {
      return ResponseHeader.newBuilder().setCallId(call).build();
    }

    private static void send(DataOutputStream out, ResponseHeader header, byte[] body)
        throws IOException {
      var bytes = new ByteArrayOutputStream();
      header.writeDelimitedTo(bytes);
      bytes.write(body);
      out.writeInt(bytes.size());
      bytes.writeTo(out);
      out.flush();
    }

    private static void send(DataOutputStream out, int call, Message message) throws IOException {
      var body = new ByteArrayOutputStream();
      message.writeDelimitedTo(body);
      send(out, header(call), body.toByteArray());
    }

    @Override
    public void response(HostileServer server, Socket client) throws IOException {
      var in = new DataInputStream(client.getInputStream());
      var out = new DataOutputStream(client.getOutputStream());
      in.skipNBytes(PREAMBLE);
      in.skipNBytes(in.readInt());
      while (server.closed.getCount() > 0) {
        var request = in.readNBytes(in.readInt());
        var header = RequestHeader.parseDelimitedFrom(new ByteArrayInputStream(request));
        response(server, out, header.getCallId(), header.getMethodName());
      }
    }
  }

  private HostileServer(ServerSocket server, InetAddress address, Way way) {
    this.server = server;
    this.address = address;
    this.way = way;
  }

  /** Over HTTP. */
  public static HostileServer start(InetAddress address, int port, Http way) {
    return begin(address, port, way);
  }

  /** Over HBase's RPC. */
  public static HostileServer start(InetAddress address, int port, Rpc way) {
    return begin(address, port, way);
  }

  private static HostileServer begin(InetAddress address, int port, Way way) {
    try {
      var server = new HostileServer(new ServerSocket(port, 50, address), address, way);
      server.inBackground(server::accept);
      return server;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  int port() {
    return server.getLocalPort();
  }

  private void inBackground(Runnable task) {
    var thread = new Thread(task, "hostile-" + way);
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        var client = server.accept();
        inBackground(() -> response(client));
      } catch (IOException over) {
        return;
      }
    }
  }

  private void response(Socket client) {
    try (client) {
      way.response(this, client);
    } catch (IOException hungUpOn) {
      // Expected.
    }
  }

  private ServerName name() {
    return ServerName.newBuilder()
        .setHostName(address.getHostName())
        .setPort(server.getLocalPort())
        .setStartCode(1)
        .build();
  }

  private ClusterStatus status() {
    return ClusterStatus.newBuilder()
        .setHbaseVersion(HBaseVersionFileContent.newBuilder().setVersion("stand-in"))
        .setMaster(name())
        .setBalancerOn(true)
        .build();
  }

  /** With a million loads, as bytes: as objects they would fill this process too. */
  private byte[] liveServer() throws IOException {
    var region =
        RegionSpecifier.newBuilder()
            .setType(RegionSpecifierType.ENCODED_REGION_NAME)
            .setValue(ByteString.copyFromUtf8("r"));
    var load =
        field(
            ServerLoad.REGION_LOADS_FIELD_NUMBER,
            RegionLoad.newBuilder().setRegionSpecifier(region).build().toByteArray());
    var loads = new ByteArrayOutputStream();
    for (int i = 0; i < MILLION; i++) {
      loads.write(load);
    }
    var live = new ByteArrayOutputStream();
    live.write(field(LiveServerInfo.SERVER_FIELD_NUMBER, name().toByteArray()));
    live.write(field(LiveServerInfo.SERVER_LOAD_FIELD_NUMBER, loads.toByteArray()));
    return live.toByteArray();
  }

  /** A field of a message that has these bytes. */
  private static byte[] field(int number, byte[] message) throws IOException {
    var bytes = new ByteArrayOutputStream();
    var coded = CodedOutputStream.newInstance(bytes);
    coded.writeByteArray(number, message);
    coded.flush();
    return bytes.toByteArray();
  }

  private void endless(OutputStream out, String again) throws IOException {
    var bytes = again.repeat(65_536).getBytes(US_ASCII);
    while (closed.getCount() > 0) {
      out.write(bytes);
    }
  }

  private void slowly(OutputStream out) throws IOException {
    try {
      do {
        out.write(' ');
        out.flush();
      } while (!closed.await(1, TimeUnit.SECONDS));
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  private void awaitClose() {
    try {
      closed.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Responds to a client's first request as HBase does; false if it is another request. */
  private boolean nameMaster(DataOutputStream out, int call, String method, String host)
      throws IOException {
    if (method.equals("GetClusterId")) {
      Rpc.send(out, call, GetClusterIdResponse.newBuilder().setClusterId("id").build());
      return true;
    }
    if (method.equals("GetActiveMaster")) {
      var master =
          ServerName.newBuilder().setHostName(host).setPort(server.getLocalPort()).setStartCode(1);
      Rpc.send(out, call, GetActiveMasterResponse.newBuilder().setServerName(master).build());
      return true;
    }
    return false;
  }

  @Override
  public void close() {
    closed.countDown();
    try {
      server.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
