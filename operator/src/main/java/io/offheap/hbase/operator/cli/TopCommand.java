package io.offheap.hbase.operator.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Shows what the region servers of a cluster do now, from the page's last hour. */
@Command(
    name = "top",
    mixinStandardHelpOptions = true,
    description = {
      "Shows heap share, pool, hit ratio, pauses and regions of each region server.",
      "",
      "FILE has the last hour as the operator's page has it, at"
          + " /api/clusters/NAMESPACE/NAME/history. `kubectl hbc top` requests it."
    },
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {"0:it is shown", "2:the file or the command line is wrong"})
final class TopCommand extends OfflineTool {
  /** An hour of 64 servers has 200 kB. */
  private static final int LARGEST = 16 << 20;

  private static final ObjectMapper JSON = new JsonMapper();

  @Parameters(paramLabel = "FILE", description = "The page's last hour, as JSON; - for stdin.")
  private String file;

  @Override
  Output run() throws RefusedException {
    var servers = new ArrayList<TopServer>();
    for (JsonNode server : hour().path("servers")) {
      servers.add(TopServer.read(server));
    }
    return new Output(DONE, TopServer.table(servers), servers);
  }

  private JsonNode hour() throws RefusedException {
    try (var content = file.equals("-") ? System.in : Files.newInputStream(Path.of(file))) {
      var hour = JSON.readTree(content.readNBytes(LARGEST));
      if (!hour.path("servers").isArray()) {
        throw new RefusedException(file, "servers", "is missing; must be the page's last hour");
      }
      return hour;
    } catch (NoSuchFileException | InvalidPathException e) {
      throw new RefusedException(file, file, "there is no such file");
    } catch (JsonProcessingException e) {
      throw new RefusedException(file, file, "cannot be read: " + e.getOriginalMessage());
    } catch (IOException e) {
      throw new RefusedException(file, file, "cannot be read: " + e.getMessage());
    }
  }
}
