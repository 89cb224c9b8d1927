package io.offheap.hbase.operator.hbase;

import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.ServerName;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProcedureProtos.ServerCrashStateData;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.GetProceduresResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ProcedureProtos.Procedure;
import org.apache.hbase.thirdparty.com.google.protobuf.Any;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.CodedInputStream;
import org.apache.hbase.thirdparty.com.google.protobuf.InvalidProtocolBufferException;
import org.apache.hbase.thirdparty.com.google.protobuf.WireFormat;

/**
 * Reduces the master's procedures to those of crashed servers, with state and server only. HBase's
 * client converts all data of a procedure to JSON, including messages of any type, whose heap
 * cannot be estimated from their bytes.
 */
final class CrashProcedureFilter {
  private static final String PROCEDURE = "ServerCrashProcedure";

  private static final int SERVER =
      ServerCrashStateData.SERVER_NAME_FIELD_NUMBER << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED;

  /** A server name with a host of 253 characters is shorter. */
  private static final int LONGEST = 300;

  private CrashProcedureFilter() {}

  /** Returns a copy of the response with only crash procedures. */
  static GetProceduresResponse of(GetProceduresResponse all) throws IOException {
    var kept = GetProceduresResponse.newBuilder();
    for (var procedure : all.getProcedureList()) {
      if (procedure.getClassName().endsWith(PROCEDURE)) {
        if (kept.getProcedureCount() == ServerBounds.MOST_SERVERS) {
          throw new InvalidResponseException(
              "sent procedures of over "
                  + ServerBounds.MOST_SERVERS
                  + " crashed servers; must be at most so many");
        }
        kept.addProcedure(state(procedure));
      }
    }
    return kept.build();
  }

  private static Procedure state(Procedure procedure) throws IOException {
    var kept =
        Procedure.newBuilder()
            .setClassName(PROCEDURE)
            .setProcId(procedure.getProcId())
            .setSubmittedTime(procedure.getSubmittedTime())
            .setLastUpdate(procedure.getLastUpdate())
            .setState(procedure.getState());
    for (var message : procedure.getStateMessageList()) {
      if (message.is(ServerCrashStateData.class)) {
        server(message.getValue())
            .ifPresent(
                it ->
                    kept.addStateMessage(
                        Any.pack(ServerCrashStateData.newBuilder().setServerName(it).build())));
        break;
      }
    }
    return kept.build();
  }

  private static Optional<ServerName> server(ByteString crash) throws IOException {
    CodedInputStream in = crash.newCodedInput();
    Optional<ServerName> server = Optional.empty();
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (tag == SERVER) {
        var bytes = in.readBytes();
        if (bytes.size() > LONGEST) {
          throw new InvalidResponseException("sent a server's name of " + bytes.size() + " bytes");
        }
        server = Optional.of(ServerName.parseFrom(bytes));
      } else if (WireFormat.getTagWireType(tag) == WireFormat.WIRETYPE_START_GROUP
          || !in.skipField(tag)) {
        throw new InvalidProtocolBufferException("a group; HBase sends none");
      }
    }
    return server;
  }
}
