package io.offheap.hbase.admin;

import java.util.ArrayList;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParentCommand;

/** Locks that the master's procedures hold. */
@Command(name = "locks", description = "Lists the locks of the master's procedures.")
final class LocksCommand {
  @ParentCommand private AdminTool tool;

  @Command(name = "list", description = "Who holds what, and who waits for it.")
  int list() {
    return tool.run(
        session -> {
          var locks = JsonParser.parseString(session.admin().getLocks());
          var listing = Output.listing("kind", "name", "lock", "owner", "sharedBy", "waiting");
          for (var element : locks.getAsJsonArray()) {
            var lock = new MasterJson(element.getAsJsonObject());
            var waiting = new ArrayList<String>();
            for (var waiter : lock.list("waitingProcedures")) {
              waiting.add(
                  waiter.isJsonObject()
                      ? new MasterJson(waiter.getAsJsonObject()).text("procId")
                      : waiter.getAsString());
            }
            var owner = lock.object("exclusiveLockOwnerProcedure");
            listing.add(
                lock.text("resourceType"),
                lock.text("resourceName"),
                lock.text("lockType"),
                owner == null ? null : owner.text("procId"),
                lock.text("sharedLockCount"),
                waiting);
          }
          return listing.output();
        });
  }
}
