package io.offheap.hbase.operator.it;

import static org.assertj.core.api.Assertions.assertThat;

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

/** The completion of {@code kubectl hbc}, by the real kubectl and by bash. */
@ExtendWith(ApiServer.class)
class PluginCompletionIT {
  private String namespace;

  @TempDir private Path folder;

  @BeforeEach
  void make(ApiServer.Running server, TestInfo test) throws IOException {
    namespace = server.createNamespace(test);
    server.client().resource(Clusters.smallest(namespace, "hb")).create();
  }

  /** The real kubectl finds the plugin's completion on the PATH by its name. */
  @Test
  void kubectlCompletesCommandsAndNames(ApiServer.Running server) throws IOException {
    Files.createSymbolicLink(folder.resolve("kubectl-hbc"), Plugin.SCRIPT.toAbsolutePath());
    Files.createSymbolicLink(
        folder.resolve("kubectl_complete-hbc"), Plugin.SCRIPT.toAbsolutePath());
    var kubectl = Tool.kubectl(server).with(folder);

    assertThat(complete(kubectl, "re")).containsExactly("restart", "resume", "report");
    assertThat(complete(kubectl, "-n", namespace, "status", "")).containsExactly("hb");
    assertThat(complete(kubectl, "-n", namespace, "explain", "Xmx", "h")).containsExactly("hb");
    assertThat(complete(kubectl, "tuning", "hb", "")).containsExactly("show", "approve", "dismiss");
    assertThat(complete(kubectl, "status", "hb", "--w")).containsExactly("--watch");
    assertThat(complete(kubectl, "-n", "none", "status", "")).isEmpty();
  }

  private static List<String> complete(Tool kubectl, String... words) throws IOException {
    var all = new ArrayList<>(List.of("__complete", "hbc"));
    all.addAll(List.of(words));
    return kubectl.run(all).orThrow().lines().filter(it -> !it.startsWith(":")).toList();
  }

  @Test
  void bashCompletesTheScript(ApiServer.Running server) throws IOException {
    var plugin = Plugin.of(server, namespace);
    var bash = Tool.script(Path.of("/bin/bash"), server);
    var text = plugin.run("completion", "bash").orThrow();
    var session =
        """
        kubectl-hbc() { '%s' "$@"; }
        %s
        COMP_WORDS=(kubectl-hbc -n %s status '')
        COMP_CWORD=4
        _kubectl_hbc
        printf '%%s\\n' "${COMPREPLY[@]}"
        COMP_WORDS=(kubectl-hbc pa)
        COMP_CWORD=1
        _kubectl_hbc
        printf '%%s\\n' "${COMPREPLY[@]}"
        complete -p kubectl-hbc
        """
            .formatted(Plugin.SCRIPT.toAbsolutePath(), text, namespace);

    assertThat(bash.run("-c", session).orThrow().lines())
        .containsExactly("hb", "pause", "page", "complete -o default -F _kubectl_hbc kubectl-hbc");
    assertThat(plugin.run("completion", "zsh").orThrow()).startsWith("#compdef kubectl-hbc\n");
  }
}
