package io.offheap.hbase.operator.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** {@code kubectl hbc admin}, which runs a command in a pod. */
@ExtendWith(ApiServer.class)
class PluginPodsIT {
  private static final Path SCRIPT = Path.of("src/plugin/kubectl-hbc");

  private KubernetesClient client;
  private Tool plugin;
  private Tool bash;
  private String namespace;
  private Path calls;

  @TempDir private Path folder;

  @BeforeEach
  void make(ApiServer.Running server, TestInfo test) throws IOException {
    client = server.client();
    namespace = server.createNamespace(test);
    plugin = Tool.script(SCRIPT, server).with(folder);
    bash = Tool.script(Path.of("/bin/bash"), server).with(folder);
    calls = folder.resolve("calls");
    client.resource(Clusters.smallest(namespace, "hb")).create();
  }

  private Tool.Result hbc(String... arguments) throws IOException {
    var all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--namespace", namespace));
    return plugin.run(all);
  }

  @Test
  void adminRunsInTheMasterThatIsGiven() throws IOException {
    PodsKubectl.write(folder, 1, calls);

    var first = hbc("admin", "hb", "servers", "list");
    hbc("admin", "hb", "--pod", "hb-master-1", "servers", "list");
    hbc("admin", "hb", "--pod", "hb-namenode-0", "hdfs", "report");

    assertThat(first.status()).isEqualTo(1);
    assertThat(first.errors())
        .contains("admin: pod hb-master-0 is not ready; --pod POD selects another one");
    var exec = "--namespace " + namespace + " exec ";
    assertThat(Files.readAllLines(calls))
        .containsExactly(
            exec + "hb-master-0 -c master -- entrypoint admin servers list",
            exec + "hb-master-1 -c master -- entrypoint admin servers list",
            exec + "hb-namenode-0 -c namenode -- entrypoint admin hdfs report");
    for (var other : List.of("hb-regionserver-0", "hb-b-master-0", "other")) {
      assertThat(hbc("admin", "hb", "--pod", other, "servers", "list").errors())
          .contains("--pod '" + other + "' must be a master or the name node of hb");
    }
  }

  /** Else Ctrl-C would end kubectl and leave the tool running in the pod. */
  @Test
  void adminGetsATerminalFromATerminal() throws IOException {
    PodsKubectl.write(folder, 1, calls);

    bash.run(
        "-c",
        "script -qec \"'%s' -n %s admin hb scan t\" /dev/null"
            .formatted(SCRIPT.toAbsolutePath(), namespace));

    assertThat(Files.readString(calls))
        .endsWith(" exec -it hb-master-0 -c master -- entrypoint admin scan t\n");
  }
}
