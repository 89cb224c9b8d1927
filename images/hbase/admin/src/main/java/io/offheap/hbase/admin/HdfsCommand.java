package io.offheap.hbase.admin;

import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.util.Time;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** The HDFS below HBase: safe mode, data nodes, blocks that are lost. */
@Command(
    name = "hdfs",
    description = {
      "Looks at the HDFS of HBase's root directory, and ends the safe mode of its name node.",
      "It connects to the name node alone, so that it needs neither HBase nor ZooKeeper."
    },
    subcommands = HdfsCommand.SafeModeCommand.class)
final class HdfsCommand {
  private static final int MOST_FILES = 10_000;
  private static final String[] DATA_NODE = {
    "dataNode", "state", "capacity", "used", "remaining", "blocks", "lastContactSeconds"
  };

  @ParentCommand private AdminTool tool;

  /** What is done with the name node. */
  @FunctionalInterface
  private interface Work {
    Output with(Hdfs hdfs) throws Exception;
  }

  private static int run(AdminTool tool, Work work) {
    return tool.run(session -> connected(session, work));
  }

  private static Output connected(Session session, Work work) throws Exception {
    try (var hdfs = new Hdfs(session)) {
      return work.with(hdfs);
    } catch (ConnectException | SocketTimeoutException e) {
      throw Failures.notResponding(session.waitingFor(), e);
    }
  }

  /** The name node's safe mode, in which it changes nothing. */
  @Command(
      name = "safe-mode",
      description = "The state in which the name node permits reads, and no change of a file.")
  static final class SafeModeCommand {
    @ParentCommand private HdfsCommand parent;

    @Command(name = "get", description = "Whether it is on, and how many data nodes report.")
    int get() {
      return run(
          parent.tool,
          hdfs ->
              Output.of(
                  Output.facts(
                      "nameNode",
                      hdfs.nameNode(),
                      "safeMode",
                      Switches.word(hdfs.isInSafeMode()),
                      "liveDataNodes",
                      hdfs.dataNodes(DatanodeReportType.LIVE).size(),
                      "deadDataNodes",
                      hdfs.dataNodes(DatanodeReportType.DEAD).size())));
    }

    @Command(
        name = "leave",
        description = {
          "Ends it by hand; needs --yes.",
          "The name node leaves it without help when its data nodes have reported 99.9 % of the"
              + " blocks, and where its volume was full, when the volume has room again. So first"
              + " start the data nodes with their volumes, or expand the volume.",
          "The risk of leaving it earlier: HBase starts without the blocks that no data node has"
              + " reported. Regions whose files are missing do not open, and edits whose log is"
              + " missing can be lost. Where the volume is still full, safe mode is on again within"
              + " seconds."
        })
    int leave(
        @Option(names = "--yes", description = "Confirms it; without it nothing is done.")
            boolean yes) {
      return parent.tool.run(
          session -> {
            UsageException.unlessConfirmed(
                yes,
                "lets HBase continue without the blocks that no data node has reported: their"
                    + " regions do not open, and edits in missing logs can be lost; 'hdfs report'"
                    + " has the data nodes");
            return connected(session, SafeModeCommand::left);
          });
    }

    private static Output left(Hdfs hdfs) throws Exception {
      boolean was = hdfs.isInSafeMode();
      if (was && hdfs.leaveSafeMode()) {
        throw new FailedException(
            "the name node stays in safe mode: its log has the reason; blocks that are newer than"
                + " its image, after an older volume was restored, are one");
      }
      return Output.done(
          was
              ? "safe mode off (was on); 'hdfs corrupt-files' lists files with missing blocks"
              : "safe mode off (was off)",
          "safeMode",
          Switches.word(false),
          "before",
          Switches.word(was));
    }
  }

  @Command(name = "report", description = "Capacity, missing blocks, and each data node.")
  int report() {
    return run(
        tool,
        hdfs -> {
          var files = hdfs.files();
          var status = files.getStatus();
          var sizes =
              List.of(status.getCapacity(), status.getUsed(), status.getRemaining()).iterator();
          var facts =
              Output.facts(
                  "nameNode",
                  hdfs.nameNode(),
                  "safeMode",
                  Switches.word(hdfs.isInSafeMode()),
                  "capacity",
                  status.getCapacity(),
                  "used",
                  status.getUsed(),
                  "remaining",
                  status.getRemaining(),
                  "missingBlocks",
                  files.getMissingBlocksCount(),
                  "corruptBlocks",
                  files.getCorruptBlocksCount(),
                  "lowRedundancyBlocks",
                  files.getLowRedundancyBlocksCount());
          var forPeople = Output.facts();
          forPeople.putAll(facts);
          for (var name : List.of("capacity", "used", "remaining")) {
            forPeople.put(name, size(sizes.next()));
          }
          var numbers = Output.listing(DATA_NODE);
          var table = Output.listing(DATA_NODE);
          for (var row : dataNodes(hdfs)) {
            numbers.add(row);
            var shown = Arrays.copyOf(row, row.length);
            for (int i = 2; i < 5; i++) {
              shown[i] = size((Long) row[i]);
            }
            table.add(shown);
          }
          facts.put("dataNodes", numbers.output().json());
          return new Output(
              Output.of(forPeople).text() + "\n" + table.output().text(), facts, Optional.empty());
        });
  }

  private static List<Object[]> dataNodes(Hdfs hdfs) throws Exception {
    var rows = new ArrayList<Object[]>();
    for (var node : hdfs.dataNodes(DatanodeReportType.LIVE)) {
      rows.add(row(node, node.isInService() ? "live" : word(node)));
    }
    for (var node : hdfs.dataNodes(DatanodeReportType.DEAD)) {
      rows.add(row(node, "dead"));
    }
    return rows;
  }

  private static String word(DatanodeInfo node) {
    return node.getAdminState().name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static Object[] row(DatanodeInfo node, String state) {
    // Zero for one that has not reported since the name node was started.
    long last = node.getLastUpdate();
    return new Object[] {
      node.getHostName() + ":" + node.getXferPort(),
      state,
      node.getCapacity(),
      node.getDfsUsed(),
      node.getRemaining(),
      node.getNumBlocks(),
      last == 0 ? null : Math.max(0, (Time.now() - last) / 1000)
    };
  }

  /** {@code 1.5Gi}; without a blank, which would shift the columns. */
  static String size(long bytes) {
    var units = List.of("", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei");
    double value = bytes;
    int unit = 0;
    while (value >= 1024 && unit < units.size() - 1) {
      value /= 1024;
      unit++;
    }
    return unit == 0
        ? Long.toString(bytes)
        : String.format(Locale.ROOT, "%.1f%s", value, units.get(unit));
  }

  @Command(
      name = "corrupt-files",
      description = {
        "Files with blocks of which no data node has an intact replica, a line each block.",
        "missing: no data node has reported the block; corrupt: all replicas are damaged."
      })
  int corruptFiles(
      @Option(
              names = "--path",
              paramLabel = "FOLDER",
              defaultValue = "/",
              description = "Below this folder; ${DEFAULT-VALUE} where left out.")
          String path,
      @Option(
              names = "--limit",
              paramLabel = "FILES",
              defaultValue = "100",
              description = "At most so many files; ${DEFAULT-VALUE} where left out.")
          int limit) {
    return tool.run(
        session -> {
          if (limit < 1 || limit > MOST_FILES) {
            throw UsageException.mustBe(
                "--limit", Integer.toString(limit), "must be from 1 to " + MOST_FILES);
          }
          if (!path.startsWith("/")) {
            throw UsageException.mustBe("--path", path, "must begin with /");
          }
          return connected(session, hdfs -> corruptFiles(hdfs, path, limit));
        });
  }

  private static Output corruptFiles(Hdfs hdfs, String path, int limit) throws Exception {
    var files = hdfs.corruptFiles(path, limit + 1);
    // A name node that waits for reports returns no file, as if none were missing.
    if (files.isEmpty() && hdfs.isInSafeMode()) {
      throw new FailedException(
          "the name node is in safe mode and does not know yet which blocks are missing; 'hdfs"
              + " report' has the data nodes that it waits for");
    }
    var listing = Output.listing("file", "block", "length", "state");
    for (var file : files.stream().limit(limit).toList()) {
      for (var block : hdfs.corruptBlocks(file)) {
        listing.add(
            file,
            block.getBlock().getBlockName(),
            block.getBlockSize(),
            block.isCorrupt() && block.getLocations().length > 0 ? "corrupt" : "missing");
      }
    }
    var output = listing.output();
    return files.size() > limit
        ? output.withNote("admin: there are more files than " + limit + " (--limit)")
        : output;
  }
}
