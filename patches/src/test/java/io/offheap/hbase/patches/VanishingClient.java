package io.offheap.hbase.patches;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Random;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.codec.KeyValueCodec;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.RequestConverter;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Action;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionAction;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier.RegionSpecifierType;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.ConnectionHeader;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.RequestHeader;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.UserInformation;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/**
 * A client of HBase's RPC protocol that resets its connection with requests under way, as a process
 * that is killed does. HBase's own client reads its responses to the end.
 */
final class VanishingClient {
  private VanishingClient() {}

  /** Requests some MiB of a region, reads less than 100 KB of the responses and resets. */
  static void vanish(HRegionLocation location, Random random)
      throws IOException, InterruptedException {
    byte[] region = location.getRegion().getRegionName();
    byte[] start = location.getRegion().getStartKey();
    int first = start.length == 0 ? 0 : Integer.parseInt(Bytes.toString(start));
    var gets =
        RegionAction.newBuilder()
            .setRegion(
                RequestConverter.buildRegionSpecifier(RegionSpecifierType.REGION_NAME, region));
    for (int get = 0; get < 1500; get++) {
      int row = first + random.nextInt(ExactCluster.ROWS / ExactCluster.REGIONS);
      gets.addAction(
          Action.newBuilder()
              .setIndex(get)
              .setGet(ProtobufUtil.toGet(new Get(ExactCluster.row(row)))));
    }
    var multi = MultiRequest.newBuilder().addRegionAction(gets).build();
    var scan = RequestConverter.buildScanRequest(region, new Scan().setCaching(1500), 1500, false);
    var address = location.getServerName().getAddress();
    try (var socket = new Socket()) {
      socket.setReceiveBufferSize(8192);
      socket.setSoLinger(true, 0);
      socket.connect(new InetSocketAddress(address.getHostName(), address.getPort()));
      var out = new DataOutputStream(socket.getOutputStream());
      out.writeBytes("HBas");
      out.write(new byte[] {0, 80});
      byte[] header =
          ConnectionHeader.newBuilder()
              .setUserInfo(UserInformation.newBuilder().setEffectiveUser("vanishing"))
              .setServiceName("ClientService")
              .setCellBlockCodecClass(KeyValueCodec.class.getName())
              .build()
              .toByteArray();
      out.writeInt(header.length);
      out.write(header);
      for (int call = 0; call < 4; call++) {
        send(out, call, "Multi", multi);
        send(out, call + 10, "Scan", scan);
      }
      out.flush();
      assertThat(socket.getInputStream().readNBytes(1 + random.nextInt(100_000))).isNotEmpty();
      // The reset meets the server at another step each time.
      Thread.sleep(random.nextInt(20));
    }
  }

  private static void send(DataOutputStream out, int id, String method, Message request)
      throws IOException {
    var bytes = new ByteArrayOutputStream();
    RequestHeader.newBuilder()
        .setCallId(id)
        .setMethodName(method)
        .setRequestParam(true)
        .build()
        .writeDelimitedTo(bytes);
    request.writeDelimitedTo(bytes);
    out.writeInt(bytes.size());
    bytes.writeTo(out);
  }
}
