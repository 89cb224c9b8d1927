package io.offheap.hbase.operator.plan;

import static io.offheap.hbase.operator.plan.Bytes.KIB;
import static io.offheap.hbase.operator.plan.Bytes.MIB;
import static io.offheap.hbase.operator.plan.Bytes.quantity;

import io.offheap.hbase.operator.plan.Sentence.Input;

/**
 * Parts of the off-heap budget that are declared by name:
 *
 * <ul>
 *   <li>the off-heap memstore: cells are copied into direct MSLAB chunks. Beyond its size memstores
 *       are flushed, so it is a limit;
 *   <li>HDFS short-circuit reads: a direct buffer for each open store file, for as long as the
 *       region server has it open.
 * </ul>
 *
 * @param memstoreBytes off-heap memstore, 0 where there is none
 * @param shortCircuitBytes buffers of short-circuit reads, 0 where they are off
 */
record DirectParts(long memstoreBytes, long shortCircuitBytes) {
  private static final FieldPath MEMSTORE_FIELD = FieldPath.of("memory.offHeapMemstore");
  private static final FieldPath FILES_FIELD = FieldPath.of("hfile.openFiles");
  private static final long CHUNK = HBaseKeys.MSLAB_CHUNK.constantDefault();

  long bytes() {
    return memstoreBytes + shortCircuitBytes;
  }

  static DirectParts derive(Declared declared, Draft draft) {
    return new DirectParts(memstore(declared, draft), shortCircuit(declared, draft));
  }

  private static long memstore(Declared declared, Draft draft) {
    long bytes = declared.memory().offHeapMemstoreBytes();
    if (bytes == 0) {
      draft.unused(
          HBaseKeys.OFF_HEAP_MEMSTORE,
          Sentence.of(
              "it takes direct memory that must be counted; use {} instead",
              Sentence.name(MEMSTORE_FIELD)));
      return 0;
    }
    if (bytes < 16 * CHUNK || bytes % MIB != 0) {
      draft.problem(
          MEMSTORE_FIELD,
          quantity(bytes) + "; must be a whole number of MiB, at least 32Mi (16 chunks of 2 MiB)");
      return bytes;
    }
    draft.fromField(
        HBaseKeys.OFF_HEAP_MEMSTORE,
        bytes / MIB,
        Sentence.of(
            "MiB; {}; it holds the cells, and their index is on the heap",
            Sentence.name(MEMSTORE_FIELD)),
        MEMSTORE_FIELD);
    draft.constant(
        HBaseKeys.MSLAB,
        true,
        "an off-heap memstore consists of MSLAB chunks",
        "HBase 2.6: ChunkCreator");
    return bytes;
  }

  private static long shortCircuit(Declared declared, Draft draft) {
    var files = declared.blocks().openFiles();
    boolean on = draft.declared(HBaseKeys.SHORT_CIRCUIT).orElse(false);
    if (!on) {
      files.ifPresent(
          count ->
              draft.problem(
                  FILES_FIELD,
                  Sentence.of(
                      "{} has no meaning without short-circuit reads; leave it out, or set {}:"
                          + " \"true\"",
                      Sentence.of(String.valueOf(count)),
                      Sentence.name(FieldPath.of(HBaseKeys.SHORT_CIRCUIT)))));
      return 0;
    }
    if (files.isEmpty()) {
      draft.problem(
          FILES_FIELD,
          "must be declared with short-circuit reads: each open store file takes a direct buffer;"
              + " the metric storeFileCount of the region servers is their number, for example"
              + " 1000");
      return 0;
    }
    draft.constant(
        HBaseKeys.SHORT_CIRCUIT,
        true,
        "blocks are read past the data node",
        "HDFS: short-circuit local reads");
    var buffer =
        draft.value(
            HBaseKeys.SHORT_CIRCUIT_BUFFER,
            HBaseKeys.SHORT_CIRCUIT_BUFFER.constantDefault(),
            Sentence.of(
                "HBase's default; one for each of {} open store files",
                Input.number("open store files", files.getAsInt(), Unit.FILES).from(FILES_FIELD)),
            HBaseKeys.SHORT_CIRCUIT_BUFFER.source());
    if (buffer.value() < 4 * KIB || buffer.value() > 16 * MIB) {
      draft.problem(
          buffer.field(), buffer.value() + " is out of range; must be from 4096 to 16777216");
      return 0;
    }
    return files.getAsInt() * buffer.value();
  }
}
