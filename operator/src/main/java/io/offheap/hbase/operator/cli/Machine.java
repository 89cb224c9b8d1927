package io.offheap.hbase.operator.cli;

import io.fabric8.kubernetes.api.model.Quantity;
import io.offheap.hbase.operator.api.RegionServersSpec;
import io.offheap.hbase.operator.declare.Quantities;
import io.offheap.hbase.operator.plan.Bytes;
import io.offheap.hbase.operator.plan.HFileDefaults;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import picocli.CommandLine.Option;

/** Inputs of a plan that a configuration does not have. */
final class Machine {
  private static final int CORES = 4;
  private static final int OPEN_FILES = 1000;

  @Option(
      names = "--cores",
      paramLabel = "N",
      description = "CPUs that a region server may use; 4 where left out.")
  private Integer cores;

  @Option(
      names = "--limit",
      paramLabel = "SIZE",
      description =
          "Memory that the process may take, such as 64Gi: the container's or the machine's. The"
              + " sum is not compared where left out.")
  private String limit;

  @Option(
      names = "--disk",
      paramLabel = "DISK",
      description = "The storage under HDFS: ${COMPLETION-CANDIDATES}; SSD where left out.")
  private RegionServersSpec.Disk disk;

  @Option(
      names = "--load",
      paramLabel = "LOAD",
      description = "The rate of writes: ${COMPLETION-CANDIDATES}; Normal where left out.")
  private RegionServersSpec.Load load;

  @Option(
      names = "--block-size",
      paramLabel = "SIZE",
      description = "Largest BLOCKSIZE among the column families; 64Ki where left out.")
  private String blockSize;

  @Option(
      names = "--cell-size",
      paramLabel = "BYTES",
      description =
          "Largest common cell, with key and tags; " + HFileDefaults.CELL + " where left out.")
  private Integer cellSize;

  @Option(
      names = "--open-files",
      paramLabel = "N",
      description =
          "Open store files of a region server, for HDFS short-circuit reads; 1000 where left out.")
  private Integer openFiles;

  /** Uses the values of a resource for options that are left out. */
  void fillIn(RegionServersSpec spec) {
    cores =
        Objects.requireNonNullElse(
            cores, Quantities.cores(spec.resources().limits().cpu()).orElse(CORES));
    disk = Objects.requireNonNullElse(disk, spec.disk());
    load = Objects.requireNonNullElse(load, spec.load());
    if (limit == null && spec.memory() != null && spec.memory().limit() != null) {
      limit = spec.memory().limit().toString();
    }
    if (blockSize == null && spec.hfile().blockSize() != null) {
      blockSize = spec.hfile().blockSize().toString();
    }
    cellSize = cellSize == null ? spec.hfile().cellSize() : cellSize;
    openFiles = openFiles == null ? spec.hfile().openFiles() : openFiles;
  }

  /**
   * Memory that the process may take; empty where it is left out.
   *
   * @throws RefusedException if it is not a size
   */
  OptionalLong limitBytes() throws RefusedException {
    return limit == null ? OptionalLong.empty() : OptionalLong.of(bytes("--limit", limit, "64Gi"));
  }

  /**
   * The largest block size.
   *
   * @throws RefusedException if it is not a size
   */
  Quantity blockSize() throws RefusedException {
    return new Quantity(
        Long.toString(
            blockSize == null
                ? HFileDefaults.DATA_BLOCK
                : bytes("--block-size", blockSize, "64Ki")));
  }

  int cores() {
    return Objects.requireNonNullElse(cores, CORES);
  }

  RegionServersSpec.Disk disk() {
    return Objects.requireNonNullElse(disk, RegionServersSpec.Disk.SSD);
  }

  RegionServersSpec.Load load() {
    return Objects.requireNonNullElse(load, RegionServersSpec.Load.Normal);
  }

  int cellSize() {
    return Objects.requireNonNullElse(cellSize, (int) HFileDefaults.CELL);
  }

  int openFiles() {
    return Objects.requireNonNullElse(openFiles, OPEN_FILES);
  }

  /**
   * All facts, as options of the command line, with whether each is assumed.
   *
   * @throws RefusedException if one is invalid
   */
  List<Fact> facts(boolean shortCircuit) throws RefusedException {
    var facts = new ArrayList<Fact>();
    facts.add(new Fact("--cores", Integer.toString(cores()), cores == null));
    if (limitBytes().isPresent()) {
      facts.add(new Fact("--limit", Bytes.quantity(limitBytes().getAsLong()), false));
    }
    facts.add(new Fact("--disk", disk().name(), disk == null));
    facts.add(new Fact("--load", load().name(), load == null));
    long block = Quantity.getAmountInBytes(blockSize()).longValueExact();
    facts.add(new Fact("--block-size", Bytes.quantity(block), blockSize == null));
    facts.add(new Fact("--cell-size", Integer.toString(cellSize()), cellSize == null));
    if (shortCircuit) {
      facts.add(new Fact("--open-files", Integer.toString(openFiles()), openFiles == null));
    }
    return facts;
  }

  /**
   * Something about the machine or its tables.
   *
   * @param option its option of the command line
   * @param value its value
   * @param isAssumed whether the option is left out
   */
  record Fact(String option, String value, boolean isAssumed) {}

  private static long bytes(String option, String text, String example) throws RefusedException {
    var bytes = Quantities.bytes(text);
    if (bytes.isEmpty()) {
      throw new RefusedException(
          option, option, "'" + text + "' must be a whole number of bytes, for example " + example);
    }
    return bytes.getAsLong();
  }
}
