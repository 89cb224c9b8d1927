package io.offheap.hbase.report;

import java.io.IOException;
import java.util.List;

/**
 * What the processes of a command are part of, and gets as much of the processors as each other.
 */
interface ProcessorGroup extends AutoCloseable {
  /** Returns a command that joins the group before it becomes the given one. */
  List<String> command(List<String> command);

  @Override
  void close();

  /** Makes groups. */
  interface Maker {
    /**
     * Makes one.
     *
     * @throws IOException if there can be none
     */
    ProcessorGroup make(String name) throws IOException;
  }
}
