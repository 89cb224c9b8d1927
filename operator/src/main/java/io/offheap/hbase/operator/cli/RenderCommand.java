package io.offheap.hbase.operator.cli;

import io.offheap.hbase.operator.plan.PlanProblem;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Writes a plan as the configuration files of a region server. */
@Command(
    name = "render",
    mixinStandardHelpOptions = true,
    description = {
      "Writes the plan of FILE as hbase-site.xml, jvm.options and hbase-env.sh, for region servers"
          + " without Kubernetes. The files hold the plan alone; your own properties, such as"
          + " hbase.rootdir, go beside it. The plan is that of the default group of region servers,"
          + " unless another is named."
    },
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {
      "0:the files are written",
      "2:the resource is refused, a file exists or cannot be written, or the command line"
          + " is wrong"
    })
final class RenderCommand extends GroupTool {
  @Parameters(paramLabel = "FILE", description = "An HBaseCluster as YAML or JSON; - for stdin.")
  private String file;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "The folder to write to, created if missing; standard output where left out.")
  private Path folder;

  @Option(names = "--force", description = "Overwrite existing files.")
  private boolean force;

  /**
   * The document of {@code render}.
   *
   * @param files name to content
   */
  record Printed(Map<String, String> files) {}

  /**
   * The document of {@code render --out DIR}.
   *
   * @param written paths of the files
   */
  record Written(List<String> written) {}

  @Override
  Output run() throws RefusedException {
    var files = BareMetalFiles.of(planOfOne(ClusterFile.read(file)).plan());
    if (folder == null) {
      var text =
          files.entrySet().stream()
              .map(entry -> "==> " + entry.getKey() + " <==\n" + entry.getValue())
              .collect(Collectors.joining("\n"));
      return new Output(DONE, text, new Printed(files));
    }
    write(files);
    var written = files.keySet().stream().map(name -> folder.resolve(name).toString()).toList();
    var text = written.stream().map(path -> "wrote " + path + "\n").collect(Collectors.joining());
    return new Output(DONE, text, new Written(written));
  }

  private void write(Map<String, String> files) throws RefusedException {
    if (Files.exists(folder) && !Files.isDirectory(folder)) {
      throw refused(List.of(new PlanProblem(folder.toString(), "is not a folder")));
    }
    var present =
        files.keySet().stream()
            .map(folder::resolve)
            .filter(Files::exists)
            .map(
                path ->
                    new PlanProblem(
                        path.toString(), "exists; must not exist, or --force must be given"))
            .toList();
    if (!present.isEmpty() && !force) {
      throw refused(present);
    }
    try {
      Files.createDirectories(folder);
      for (var file : files.entrySet()) {
        Files.writeString(folder.resolve(file.getKey()), file.getValue());
      }
    } catch (IOException e) {
      throw refused(List.of(new PlanProblem(folder.toString(), "cannot be written: " + why(e))));
    }
  }

  /** Java's message is often only the path; then the kind of the failure is added. */
  private static String why(IOException e) {
    return e instanceof FileSystemException failure && failure.getReason() == null
        ? e.getClass().getSimpleName()
        : e.getMessage();
  }

  private static RefusedException refused(List<PlanProblem> problems) {
    return new RefusedException("--out", problems);
  }
}
