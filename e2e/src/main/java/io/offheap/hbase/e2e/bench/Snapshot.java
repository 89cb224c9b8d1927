package io.offheap.hbase.e2e.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.management.ThreadMXBean;
import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.Map;
import javax.management.Attribute;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/**
 * A region server's counters at one moment, or between two.
 *
 * @param gets completed Gets
 * @param allocated bytes allocated by its threads
 * @param l1Hits blocks found in the cache on the heap: index and bloom blocks, unless it is the
 *     only one
 * @param l1Misses blocks not found there
 * @param l2Hits blocks found in the bucket cache: data blocks
 * @param l2Misses blocks not found there
 * @param allocatorHeapBytes bytes that the buffer allocator handed out on the heap
 * @param allocatorPoolBytes bytes that it handed out of its pool
 */
record Snapshot(
    long gets,
    AllocatedBytes allocated,
    long l1Hits,
    long l1Misses,
    long l2Hits,
    long l2Misses,
    long allocatorHeapBytes,
    long allocatorPoolBytes) {
  static final String SERVER = "Hadoop:service=HBase,name=RegionServer,sub=Server";
  private static final String GETS = "Get_num_ops";
  private static final String L1_HITS = "l1CacheHitCount";
  private static final String L1_MISSES = "l1CacheMissCount";
  private static final String L2_HITS = "l2CacheHitCount";
  private static final String L2_MISSES = "l2CacheMissCount";
  private static final String HEAP = "ByteBuffAllocatorHeapAllocationBytes";
  private static final String POOL = "ByteBuffAllocatorPoolAllocationBytes";
  private static final String[] COUNTERS = {
    GETS, L1_HITS, L1_MISSES, L2_HITS, L2_MISSES, HEAP, POOL
  };
  private static final int TRIES = 40;
  private static final long WAIT_MILLIS = 500;

  /** Prints that of a process as JSON. Argument: the process. */
  public static void main(String[] args)
      throws IOException, JMException, AttachNotSupportedException, InterruptedException {
    try (var connector = connect(args[0])) {
      System.out.println(
          new ObjectMapper().writeValueAsString(of(connector.getMBeanServerConnection())));
    }
  }

  /** Connects to a JVM on this machine, which starts its management agent for that. */
  @SuppressWarnings("BanJNDI") // The address is that of a process that we started.
  static JMXConnector connect(String process) throws IOException, AttachNotSupportedException {
    var machine = VirtualMachine.attach(process);
    String address;
    try {
      address = machine.startLocalManagementAgent();
    } finally {
      machine.detach();
    }
    return JMXConnectorFactory.connect(new JMXServiceURL(address));
  }

  static Snapshot of(MBeanServerConnection connection)
      throws IOException, JMException, InterruptedException {
    var threads =
        ManagementFactory.newPlatformMXBeanProxy(
            connection, ManagementFactory.THREAD_MXBEAN_NAME, ThreadMXBean.class);
    return of(counters(connection), AllocatedBytes.of(threads));
  }

  /** HBase takes the bean away for a moment when a region comes or goes. */
  private static Map<String, Long> counters(MBeanServerConnection connection)
      throws IOException, JMException, InterruptedException {
    for (int i = 0; i < TRIES; i++) {
      try {
        var counters = new HashMap<String, Long>();
        for (Attribute counter :
            connection.getAttributes(new ObjectName(SERVER), COUNTERS).asList()) {
          counters.put(counter.getName(), ((Number) counter.getValue()).longValue());
        }
        if (counters.size() == COUNTERS.length) {
          return counters;
        }
      } catch (InstanceNotFoundException e) {
        // It comes back.
      }
      Thread.sleep(WAIT_MILLIS);
    }
    throw new IOException("no " + SERVER + " with " + String.join(", ", COUNTERS));
  }

  private static Snapshot of(Map<String, Long> counters, AllocatedBytes allocated) {
    return new Snapshot(
        counters.get(GETS),
        allocated,
        counters.get(L1_HITS),
        counters.get(L1_MISSES),
        counters.get(L2_HITS),
        counters.get(L2_MISSES),
        counters.get(HEAP),
        counters.get(POOL));
  }

  Snapshot minus(Snapshot earlier) {
    return new Snapshot(
        gets - earlier.gets,
        allocated.minus(earlier.allocated),
        l1Hits - earlier.l1Hits,
        l1Misses - earlier.l1Misses,
        l2Hits - earlier.l2Hits,
        l2Misses - earlier.l2Misses,
        allocatorHeapBytes - earlier.allocatorHeapBytes,
        allocatorPoolBytes - earlier.allocatorPoolBytes);
  }
}
