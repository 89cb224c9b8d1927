package io.offheap.hbase.e2e.scale;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.ClusterStatus;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.LiveServerInfo;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.Option;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.RegionLoad;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.ServerLoad;
import org.apache.hadoop.hbase.shaded.protobuf.generated.FSProtos.HBaseVersionFileContent;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier.RegionSpecifierType;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.GetClusterStatusRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.GetClusterStatusResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.GetProceduresResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.GetTableDescriptorsResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.IsNormalizerEnabledResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.ListDecommissionedRegionServersResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.ConnectionHeader;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.ExceptionResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.RequestHeader;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.ResponseHeader;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegistryProtos.GetActiveMasterResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegistryProtos.GetClusterIdResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegistryProtos.GetConnectionRegistryResponse;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.apache.hbase.thirdparty.io.netty.bootstrap.ServerBootstrap;
import org.apache.hbase.thirdparty.io.netty.buffer.ByteBuf;
import org.apache.hbase.thirdparty.io.netty.buffer.ByteBufInputStream;
import org.apache.hbase.thirdparty.io.netty.buffer.ByteBufOutputStream;
import org.apache.hbase.thirdparty.io.netty.channel.Channel;
import org.apache.hbase.thirdparty.io.netty.channel.ChannelHandlerContext;
import org.apache.hbase.thirdparty.io.netty.channel.ChannelInitializer;
import org.apache.hbase.thirdparty.io.netty.channel.ChannelOption;
import org.apache.hbase.thirdparty.io.netty.channel.nio.NioEventLoopGroup;
import org.apache.hbase.thirdparty.io.netty.channel.socket.nio.NioServerSocketChannel;
import org.apache.hbase.thirdparty.io.netty.handler.codec.ByteToMessageDecoder;

/**
 * The part of HBase's RPC that the operator uses at rest: requests to the registry and to the
 * master. All other requests are refused.
 */
final class StandInRpc extends ByteToMessageDecoder {
  /** Regions of each server. */
  static final int REGIONS = 20;

  private static final int SERVERS = 3;
  private static final int PREAMBLE = 6;
  private static final String REGISTRY_PREAMBLE = "Regist";

  private final Map<String, String> hosts;
  private boolean isGreeted;
  private boolean isIntroduced;

  private StandInRpc(Map<String, String> hosts) {
    this.hosts = hosts;
  }

  /** Listens on all addresses. */
  static void listen(Map<String, String> hosts, int... ports) {
    var threads = new NioEventLoopGroup(2);
    for (int port : ports) {
      var unused =
          new ServerBootstrap()
              .group(threads)
              .channel(NioServerSocketChannel.class)
              .option(ChannelOption.SO_BACKLOG, 1024)
              .childHandler(
                  new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                      channel.pipeline().addLast(new StandInRpc(hosts));
                    }
                  })
              .bind(port)
              .syncUninterruptibly();
    }
  }

  /** As HBase names a server. */
  static String server(String host, int port) {
    return host + "," + port + ",1";
  }

  @Override
  protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out)
      throws IOException {
    if (!isGreeted) {
      if (in.readableBytes() >= PREAMBLE) {
        isGreeted = true;
        var preamble = new byte[PREAMBLE];
        in.readBytes(preamble);
        if (new String(preamble, java.nio.charset.StandardCharsets.US_ASCII)
            .equals(REGISTRY_PREAMBLE)) {
          send(context, -1, GetConnectionRegistryResponse.newBuilder().setClusterId("id").build());
        }
      }
      return;
    }
    if (in.readableBytes() < Integer.BYTES
        || in.readableBytes() < Integer.BYTES + in.getInt(in.readerIndex())) {
      return;
    }
    int length = in.readInt();
    var frame = in.readSlice(length);
    if (!isIntroduced) {
      isIntroduced = true;
      ConnectionHeader.parseFrom(new ByteBufInputStream(frame));
      return;
    }
    var request = new ByteBufInputStream(frame);
    var header = RequestHeader.parseDelimitedFrom(request);
    var host =
        hosts.get(
            ((InetSocketAddress) context.channel().localAddress()).getAddress().getHostAddress());
    var response = response(header.getMethodName(), request, host);
    if (response == null) {
      refuse(context, header);
    } else {
      send(context, header.getCallId(), response);
    }
  }

  private static Message response(String method, ByteBufInputStream request, String host)
      throws IOException {
    return switch (method) {
      case "GetClusterId" -> GetClusterIdResponse.newBuilder().setClusterId("id").build();
      case "GetActiveMaster" ->
          GetActiveMasterResponse.newBuilder().setServerName(name(master(host, 0), 16000)).build();
      case "GetClusterStatus" ->
          GetClusterStatusResponse.newBuilder()
              .setClusterStatus(
                  status(
                      host, GetClusterStatusRequest.parseDelimitedFrom(request).getOptionsList()))
              .build();
      case "IsNormalizerEnabled" ->
          IsNormalizerEnabledResponse.newBuilder().setEnabled(true).build();
      case "ListDecommissionedRegionServers" ->
          ListDecommissionedRegionServersResponse.getDefaultInstance();
      case "GetProcedures" -> GetProceduresResponse.getDefaultInstance();
      case "GetTableDescriptors" -> GetTableDescriptorsResponse.getDefaultInstance();
      default -> null;
    };
  }

  /** The requested parts, as a real master responds; all of them where none is named. */
  private static ClusterStatus status(String host, List<Option> requested) {
    var status = ClusterStatus.newBuilder();
    var servers =
        IntStream.range(0, SERVERS).mapToObj(it -> name(regionServer(host, it), 16020)).toList();
    for (var part : requested.isEmpty() ? List.of(Option.values()) : requested) {
      switch (part) {
        case HBASE_VERSION ->
            status.setHbaseVersion(HBaseVersionFileContent.newBuilder().setVersion("stand-in"));
        case MASTER -> status.setMaster(name(master(host, 0), 16000));
        case BACKUP_MASTERS -> status.addBackupMasters(name(master(host, 1), 16000));
        case BALANCER_ON -> status.setBalancerOn(true);
        case SERVERS_NAME -> status.addAllServersName(servers);
        case LIVE_SERVERS ->
            servers.forEach(
                it ->
                    status.addLiveServers(
                        LiveServerInfo.newBuilder().setServer(it).setServerLoad(load(it))));
        default -> {}
      }
    }
    return status.build();
  }

  private static ServerLoad load(HBaseProtos.ServerName server) {
    var load = ServerLoad.newBuilder();
    for (int region = 0; region < REGIONS; region++) {
      load.addRegionLoads(
          RegionLoad.newBuilder()
              .setRegionSpecifier(
                  RegionSpecifier.newBuilder()
                      .setType(RegionSpecifierType.REGION_NAME)
                      .setValue(
                          ByteString.copyFromUtf8(
                              "t,"
                                  + server.getHostName()
                                  + region
                                  + ",1.d41d8cd98f00b204e9800998ecf8427e."))));
    }
    return load.build();
  }

  private static HBaseProtos.ServerName name(String host, int port) {
    return HBaseProtos.ServerName.newBuilder()
        .setHostName(host)
        .setPort(port)
        .setStartCode(1)
        .build();
  }

  private static String master(String host, int ordinal) {
    return host(host, "master", ordinal);
  }

  private static String regionServer(String host, int ordinal) {
    return host(host, "regionserver", ordinal);
  }

  /** A server's name from that of another server of its cluster. */
  private static String host(String of, String role, int ordinal) {
    var cluster = of.replaceFirst("-(master|regionserver)-.*", "");
    var rest = of.substring(of.indexOf('.', of.indexOf('.') + 1));
    var service = cluster + "-" + role;
    return service + "-" + ordinal + "." + service + rest;
  }

  private static void refuse(ChannelHandlerContext context, RequestHeader request)
      throws IOException {
    System.err.println("refused: " + request.getMethodName());
    write(
        context,
        ResponseHeader.newBuilder()
            .setCallId(request.getCallId())
            .setException(
                ExceptionResponse.newBuilder()
                    .setExceptionClassName(DoNotRetryIOException.class.getName())
                    .setDoNotRetry(true)
                    .setStackTrace("the stand-in has no " + request.getMethodName()))
            .build(),
        null);
  }

  private static void send(ChannelHandlerContext context, int call, Message response)
      throws IOException {
    write(context, ResponseHeader.newBuilder().setCallId(call).build(), response);
  }

  private static void write(ChannelHandlerContext context, ResponseHeader header, Message response)
      throws IOException {
    var frame = context.alloc().buffer();
    frame.writeInt(0);
    try (var out = new ByteBufOutputStream(frame)) {
      header.writeDelimitedTo(out);
      if (response != null) {
        response.writeDelimitedTo(out);
      }
    }
    frame.setInt(0, frame.readableBytes() - Integer.BYTES);
    var unused = context.writeAndFlush(frame, context.voidPromise());
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    var unused = context.close();
  }
}
