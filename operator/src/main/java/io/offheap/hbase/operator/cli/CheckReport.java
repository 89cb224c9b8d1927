package io.offheap.hbase.operator.cli;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;

/**
 * The document of {@code check}.
 *
 * @param folder the configuration
 * @param files that were read
 * @param facts facts about the machine and its tables, given or assumed
 * @param mode where blocks are cached
 * @param heap of the JVM
 * @param offHeap budget of direct memory
 * @param derivedFor off-heap budget of the derived values, where that of the configuration gives no
 *     plan
 * @param memory that the plan takes
 * @param errors number of findings that are errors
 * @param warnings number of findings that are warnings
 * @param unclear number of findings that are neither
 * @param asDerived number of values that equal the plan's
 * @param findings the worst first
 * @param cacheMode which mode of the block cache suits the load; left out where nothing is known of
 *     it
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@RecordBuilder
record CheckReport(
    String folder,
    List<String> files,
    List<Machine.Fact> facts,
    String mode,
    String heap,
    String offHeap,
    String derivedFor,
    String memory,
    long errors,
    long warnings,
    long unclear,
    long asDerived,
    List<Finding> findings,
    AdviceDocument cacheMode) {
  CheckReport {
    files = List.copyOf(files);
    facts = List.copyOf(facts);
    findings = List.copyOf(findings);
  }
}
