package io.offheap.hbase.operator.it;

import io.fabric8.kubernetes.api.model.Quantity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** The operator's Helm chart, with the real helm. */
final class Chart {
  static final Path FOLDER = Path.of("..", "charts", "hbase-offheap-operator");

  private Chart() {}

  /** The limit of the operator's memory by default. */
  static long memoryLimitBytes() throws IOException {
    var limit =
        Pattern.compile("limits:\\s+memory: (\\S+)")
            .matcher(Files.readString(FOLDER.resolve("values.yaml")));
    if (!limit.find()) {
      throw new IOException("values.yaml has no limit of memory");
    }
    return Quantity.getAmountInBytes(new Quantity(limit.group(1))).longValueExact();
  }

  /** The image's JVM options. */
  static List<String> jvmOptions() throws IOException {
    return Pattern.compile("\"(-[XD][^\"]+)\"")
        .matcher(Files.readString(Path.of("..", "Dockerfile")))
        .results()
        .map(it -> it.group(1))
        .toList();
  }

  /** The objects of a release with this service account, as YAML. */
  static String render(ApiServer.Running server, ServiceAccount account, String... more)
      throws IOException {
    return Tool.helm(server).run(arguments("template", server, account, more)).orThrow();
  }

  /** Installs a release, with a service account of its name. */
  static void install(ApiServer.Running server, ServiceAccount account, String... more)
      throws IOException {
    Tool.helm(server).run(arguments("install", server, account, more)).orThrow();
  }

  /** What helm prints after an installation; nothing is installed. */
  static String notes(ApiServer.Running server, ServiceAccount account, String... more)
      throws IOException {
    var arguments = arguments("install", server, account, more);
    arguments.add("--dry-run=client");
    var output = Tool.helm(server).run(arguments).orThrow();
    return output.substring(output.indexOf("\nNOTES:"));
  }

  static void uninstall(ApiServer.Running server, ServiceAccount account) throws IOException {
    Tool.helm(server)
        .run("uninstall", account.name(), "--namespace", account.namespace())
        .orThrow();
  }

  private static List<String> arguments(
      String command, ApiServer.Running server, ServiceAccount account, String... more) {
    var arguments =
        new ArrayList<>(
            List.of(
                command,
                account.name(),
                FOLDER.toString(),
                "--namespace",
                account.namespace(),
                "--set",
                "fullnameOverride=" + account.name()));
    if (command.equals("template")) {
      // Offline, helm assumes the version that it was built for, or the oldest one.
      arguments.addAll(
          List.of("--kube-version", server.client().getKubernetesVersion().getGitVersion()));
    }
    arguments.addAll(List.of(more));
    return arguments;
  }
}
