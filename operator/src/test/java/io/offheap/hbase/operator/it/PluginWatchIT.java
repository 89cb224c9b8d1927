package io.offheap.hbase.operator.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;

/** {@link PluginIT}'s status in a terminal, again and again. */
@ExtendWith(ApiServer.class)
class PluginWatchIT {
  private Tool bash;
  private String namespace;

  @BeforeEach
  void make(ApiServer.Running server, TestInfo test) throws IOException {
    namespace = server.createNamespace(test);
    Plugin.makeArchive(server);
    bash = Tool.script(Path.of("/bin/bash"), server);
    server.client().resource(Clusters.smallest(namespace, "hb")).create();
  }

  /** Each screen from the top, and in colours, until it is ended. */
  @Test
  void watchesInATerminal() throws IOException {
    var clear = "\u001b[H\u001b[2J";

    var colored = twoScreens("");
    var plain = twoScreens("NO_COLOR=1 ");

    assertThat(colored.split(Pattern.quote(clear), -1)).hasSize(3);
    assertThat(plain.split(Pattern.quote(clear), -1)).hasSize(3);
    assertThat(colored.replace(clear, "")).contains("\u001b[");
    assertThat(plain.replace(clear, "")).doesNotContain("\u001b[");
  }

  /** What a terminal has when the second screen has come; the watch is ended then. */
  private String twoScreens(String environment) throws IOException {
    return bash.run(
            "-c",
            """
            screens=$(mktemp)
            %sscript -qfec "timeout 60 '%s' -n %s status hb --watch" "$screens" > /dev/null &
            for ((i = 0; i < 300; i++)); do
              (($(grep -c 'not ready' "$screens") < 2)) || break
              sleep 0.2
            done
            kill $!
            cat "$screens"
            rm "$screens"
            """
                .formatted(environment, Plugin.SCRIPT.toAbsolutePath(), namespace))
        .orThrow();
  }
}
