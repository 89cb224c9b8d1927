package io.offheap.hbase.operator.plan;

/**
 * The blocks of a column family of the running cluster, in bytes.
 *
 * @param name table and column family, for people
 * @param dataBlockBytes its {@code BLOCKSIZE}
 * @param indexBlockBytes its {@code hfile.index.block.max.size}, 0 where the server's applies
 * @param bloomBlockBytes its {@code io.storefile.bloom.block.size}, 0 where the server's applies
 * @param cellBytes largest common cell that was sampled, 0 where none was
 */
public record TableBlocks(
    String name, long dataBlockBytes, long indexBlockBytes, long bloomBlockBytes, long cellBytes) {}
