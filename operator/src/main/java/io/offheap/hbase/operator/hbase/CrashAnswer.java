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
 * Of the master's procedures those of servers that crashed, with their state and server alone.
 * HBase's client makes JSON of all that a procedure has, messages of any type among it, whose
 * weight their bytes do not tell.
 */
final class CrashAnswer {
  private static final String PROCEDURE = "ServerCrashProcedure";

  private static final int SERVER =
      ServerCrashStateData.SERVER_NAME_FIELD_NUMBER << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED;

  /** With a host of 253 characters it has fewer. */
  private static final int LONGEST = 300;

  private CrashAnswer() {}

  /** An answer of which this is left. */
  static GetProceduresResponse of(GetProceduresResponse all) throws IOException {
    var kept = GetProceduresResponse.newBuilder();
    for (var procedure : all.getProcedureList()) {
      if (procedure.getClassName().endsWith(PROCEDURE)) {
        if (kept.getProcedureCount() == ViewReader.MOST_SERVERS) {
          throw new AnswerProblem(
              "sent procedures of over "
                  + ViewReader.MOST_SERVERS
                  + " crashed servers; at most so many are taken");
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
          throw new AnswerProblem("sent a server's name of " + bytes.size() + " bytes");
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
