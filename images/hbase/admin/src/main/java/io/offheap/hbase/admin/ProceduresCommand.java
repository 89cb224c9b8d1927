package io.offheap.hbase.admin;

import org.apache.hbase.thirdparty.com.google.gson.JsonParser;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** The master's procedures. */
@Command(name = "procedures", description = "Lists the master's procedures.")
final class ProceduresCommand {
  @ParentCommand private AdminTool tool;

  @Command(name = "list", description = "Procedures that have not ended; with --all, all known.")
  int list(@Option(names = "--all", description = "Those that ended too.") boolean all) {
    return tool.run(
        session -> {
          var procedures = JsonParser.parseString(session.admin().getProcedures());
          var listing =
              Output.listing("id", "parent", "state", "procedure", "submitted", "updated");
          for (var element : procedures.getAsJsonArray()) {
            var procedure = new MasterJson(element.getAsJsonObject());
            if (all || !procedure.hasEnded()) {
              listing.add(
                  procedure.text("procId"),
                  procedure.text("parentId"),
                  procedure.text("state"),
                  procedure.text("className").replaceFirst(".*\\.", ""),
                  procedure.time("submittedTime"),
                  procedure.time("lastUpdate"));
            }
          }
          return listing.output();
        });
  }
}
