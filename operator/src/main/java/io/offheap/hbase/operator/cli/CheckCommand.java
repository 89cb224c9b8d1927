package io.offheap.hbase.operator.cli;

import io.offheap.hbase.operator.cli.ConfigurationChecker.Derived;
import io.offheap.hbase.operator.cli.Finding.Severity;
import io.offheap.hbase.operator.declare.GroupPlan;
import io.offheap.hbase.operator.plan.Bytes;
import io.offheap.hbase.operator.plan.JvmKeys;
import io.offheap.hbase.operator.plan.Kind;
import io.offheap.hbase.operator.plan.MemoryPlan;
import io.offheap.hbase.operator.plan.Target;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Checks the configuration of a region server by the rules of the planner. */
@Command(
    name = "check",
    mixinStandardHelpOptions = true,
    description = {
      "Reads DIR, a configuration folder of HBase without Kubernetes, and prints what the planner"
          + " refuses in it and would derive differently. A value that no file sets is checked"
          + " as the default of HBase 2.6 or a JDK 17. No script is run. With a working set or a"
          + " hit ratio it names the mode of the block cache that suits the load."
    },
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {
      "0:every value is as derived",
      "1:there are findings",
      "2:the configuration cannot be read or has no heap size, FILE is refused, or the"
          + " command line is wrong"
    })
final class CheckCommand extends GroupTool {
  private static final String DIRECT_MEMORY = "-XX:" + JvmKeys.DIRECT_MEMORY + "=";

  @Parameters(
      paramLabel = "DIR",
      description = {
        "A folder with hbase-site.xml; jvm.options or else hbase-env.sh, and core-site.xml and"
            + " hdfs-site.xml, where they are there."
      })
  private Path folder;

  @Option(
      names = "--against",
      paramLabel = "FILE",
      description = {
        "An HBaseCluster as YAML or JSON: compare with its plan, and use its values for options"
            + " of the machine that are left out."
      })
  private String file;

  @Mixin private Machine machine = new Machine();

  @Mixin private LoadOptions load = new LoadOptions();

  @Override
  Output run() throws RefusedException {
    if (file == null && group().isPresent()) {
      throw new RefusedException(
          "--group",
          "--group",
          "has no meaning without --against FILE, the resource with the group");
    }
    Optional<GroupPlan> against =
        file == null ? Optional.empty() : Optional.of(planOfOne(ClusterFile.read(file)));
    against.ifPresent(plan -> machine.fillIn(plan.group().spec()));
    load.parse();
    var conf = ConfFolder.read(folder);
    var line = new JvmLine(conf.options());
    var reader = new RunningConfigurationReader(conf, line, machine);
    var running = reader.read();
    var checker = new ConfigurationChecker(conf, line, running);
    var derived = checker.derive();
    var findings = new ArrayList<Finding>(reader.findings());
    findings.addAll(checker.refused(derived.map(Derived::plan)));
    var plan = against.map(GroupPlan::plan).or(() -> derived.map(Derived::plan));
    plan.ifPresent(it -> addDifferences(checker.different(it, against.isPresent()), findings));
    findings.addAll(conf.unclear());
    findings.addAll(unknown(line, plan));
    var group = derived.map(Derived::group);
    var advice =
        group.isPresent()
            ? load.advice(group.get(), checker.cachedData())
            : Optional.<AdviceDocument>empty();
    var report = report(conf, running, derived, plan, findings, advice);
    return new Output(findings.isEmpty() ? DONE : DIFFERENT, CheckTable.of(report), report);
  }

  /** A refused value is not reported as different too. */
  private static void addDifferences(List<Finding> differences, List<Finding> findings) {
    var refused = findings.stream().map(Finding::key).toList();
    differences.stream().filter(it -> !refused.contains(it.key())).forEach(findings::add);
  }

  /** Options with unknown values that may be options of the plan, or any option. */
  private static List<Finding> unknown(JvmLine line, Optional<MemoryPlan> plan) {
    return line.unknown().entrySet().stream()
        .filter(
            it ->
                it.getKey().startsWith("$")
                    || it.getKey().startsWith("`")
                    || plan.isEmpty()
                    || plan.get().setting(Target.JVM, it.getKey()).isPresent())
        .map(
            it ->
                Finding.unclear(
                    it.getValue().place(),
                    it.getKey(),
                    "has a value that only a shell can evaluate: " + it.getValue().value()))
        .toList();
  }

  private CheckReport report(
      ConfFolder conf,
      RunningConfiguration running,
      Optional<Derived> derived,
      Optional<MemoryPlan> plan,
      List<Finding> findings,
      Optional<AdviceDocument> advice)
      throws RefusedException {
    var sorted =
        findings.stream().sorted(Comparator.comparingInt(it -> it.severity().rank())).toList();
    var keys = findings.stream().map(Finding::key).toList();
    long asDerived =
        plan.stream()
            .flatMap(it -> it.settings().stream())
            .filter(it -> it.target() != Target.CONTAINER && !keys.contains(it.name()))
            .count();
    var derivedFor =
        derived
            .map(Derived::offHeapBytes)
            .filter(bytes -> file == null && bytes != running.offHeapBytes())
            .map(bytes -> "for " + DIRECT_MEMORY + Kind.JVM_SIZE.write(bytes))
            .orElse(file == null && derived.isEmpty() ? "nothing: the errors leave no plan" : null);
    return CheckReportBuilder.builder()
        .folder(folder.toString())
        .files(conf.files())
        .facts(machine.facts(running.shortCircuit()))
        .mode(running.cache().mode().name())
        .heap("-" + JvmKeys.HEAP + Kind.JVM_SIZE.write(running.heapBytes()))
        .offHeap(DIRECT_MEMORY + Kind.JVM_SIZE.write(running.offHeapBytes()))
        .derivedFor(derivedFor)
        .memory(derived.map(it -> Bytes.quantity(it.plan().containerMemoryBytes())).orElse(null))
        .errors(count(sorted, Severity.error))
        .warnings(count(sorted, Severity.warning))
        .unclear(count(sorted, Severity.unclear))
        .asDerived(asDerived)
        .findings(sorted)
        .cacheMode(advice.orElse(null))
        .build();
  }

  private static long count(List<Finding> findings, Severity severity) {
    return findings.stream().filter(it -> it.severity() == severity).count();
  }
}
