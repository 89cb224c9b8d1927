package io.offheap.hbase.operator.it;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** {@code kubectl hbc}, the script itself, for one namespace. */
record Plugin(Tool script, String namespace) {
  static final Path SCRIPT = Path.of("src/plugin/kubectl-hbc");

  static Plugin of(ApiServer.Running server, String namespace) throws IOException {
    return new Plugin(Tool.script(SCRIPT, server), namespace);
  }

  /** The same, with a further folder on its PATH. */
  Plugin with(Path further) {
    return new Plugin(script.with(further), namespace);
  }

  Tool.Result run(String... arguments) throws IOException {
    var all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--namespace", namespace));
    return script.run(all);
  }
}
