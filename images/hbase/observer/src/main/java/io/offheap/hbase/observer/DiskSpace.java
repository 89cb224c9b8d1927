package io.offheap.hbase.observer;

import java.io.IOException;

/** Whether the disk has space for what JFR writes. */
interface DiskSpace {
  /** Whether there is space for the most that JFR may write. */
  boolean hasRoomToStart() throws IOException;

  /** Whether a running stream may continue. */
  boolean hasReserve() throws IOException;
}
