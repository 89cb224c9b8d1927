package io.offheap.hbase.observer;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;

/**
 * The options of this JVM that G1's metrics depend on, as they are in effect.
 *
 * @param g1 whether G1 is the collector; without it the other values have no meaning
 * @param regionBytes G1HeapRegionSize
 * @param survivorRatio SurvivorRatio
 * @param targetSurvivorPercent TargetSurvivorRatio
 * @param pauseTargetMicros MaxGCPauseMillis, in microseconds
 */
record Vm(
    boolean g1,
    long regionBytes,
    long survivorRatio,
    long targetSurvivorPercent,
    long pauseTargetMicros) {

  static Vm ofThisProcess() {
    var options = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
    return new Vm(
        Boolean.parseBoolean(options.getVMOption("UseG1GC").getValue()),
        number(options, "G1HeapRegionSize"),
        number(options, "SurvivorRatio"),
        number(options, "TargetSurvivorRatio"),
        number(options, "MaxGCPauseMillis") * 1000);
  }

  private static long number(HotSpotDiagnosticMXBean options, String name) {
    return Long.parseLong(options.getVMOption(name).getValue());
  }
}
