package io.offheap.hbase.operator.it;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** {@code kubectl hbc}, the script itself, for one namespace. */
record Plugin(Tool script, String namespace) {
  static final Path SCRIPT = Path.of("src/plugin/kubectl-hbc");

  private static boolean isArchived;

  static Plugin of(ApiServer.Running server, String namespace) throws IOException {
    makeArchive(server);
    return new Plugin(Tool.script(SCRIPT, server), namespace);
  }

  /**
   * Makes the archive of classes that the first call of a new jar makes, in seconds of both cores:
   * several first calls at a time would make one each.
   */
  static synchronized void makeArchive(ApiServer.Running server) throws IOException {
    if (!isArchived) {
      // Without such a resource it fails afterwards.
      var unused = Tool.script(SCRIPT, server).run("plan", "none");
      isArchived = true;
    }
  }

  /** The same, with a further folder on its PATH. */
  Plugin with(Path further) {
    return new Plugin(script.with(further), namespace);
  }

  Tool.Result run(String... arguments) throws IOException {
    var all = new ArrayList<>(List.of("--namespace", namespace));
    all.addAll(List.of(arguments));
    return script.run(all);
  }
}
