package io.offheap.hbase.observer;

import java.io.IOException;

/** Whether there is space on disk for what JFR writes. */
interface DiskSpace {
  /** Whether there is space for all that it may come to. */
  boolean hasRoomToStart() throws IOException;

  /** Whether what was started can go on. */
  boolean hasReserve() throws IOException;
}
