package io.offheap.hbase.operator;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.offheap.hbase.operator.declare.Plans;
import io.offheap.hbase.operator.hbase.ClusterControl;
import io.offheap.hbase.operator.plan.MemoryPlanner;
import io.offheap.hbase.operator.reconcile.HBaseClusterReconciler;
import io.offheap.hbase.operator.reconcile.PlanPreview;
import io.offheap.hbase.operator.rollout.Blocker;
import io.offheap.hbase.operator.rollout.Precondition;
import io.offheap.hbase.operator.rollout.RestartDecision;
import io.offheap.hbase.operator.rollout.Roller;
import io.offheap.hbase.operator.rollout.WaitReason;
import io.offheap.hbase.operator.tune.Reading;
import java.util.List;

/** The walls between the pure core and the shell. */
@AnalyzeClasses(
    packages = "io.offheap.hbase.operator",
    importOptions = ImportOption.DoNotIncludeTests.class)
class WallsTest {
  private static final String OURS = "io.offheap.hbase.operator";

  @ArchTest
  static final ArchRule THE_PURE_CORE_KNOWS_NO_CLUSTER =
      noClasses()
          .that()
          .resideInAnyPackage(
              OURS + ".plan..", OURS + ".tune..", OURS + ".rollout..", OURS + ".render..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.fabric8..", "io.javaoperatorsdk..", "org.apache.hadoop..")
          .allowEmptyShould(true)
          .because("what to set is decided without Kubernetes, HBase, clock or network");

  @ArchTest
  static final ArchRule THE_PURE_CORE_KNOWS_NO_SHELL =
      noClasses()
          .that()
          .resideInAnyPackage(
              OURS + ".plan..", OURS + ".tune..", OURS + ".rollout..", OURS + ".render..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              OURS + ".api..",
              OURS + ".declare..",
              OURS + ".deploy..",
              OURS + ".hbase..",
              OURS + ".observe..",
              OURS + ".reconcile..",
              OURS + ".status..",
              OURS + ".report..",
              OURS + ".webhook..",
              OURS + ".http..",
              OURS + ".page..",
              OURS + ".cli..")
          .allowEmptyShould(true);

  @ArchTest
  static final ArchRule THE_PLAN_KNOWS_ITSELF_ONLY =
      noClasses()
          .that()
          .resideInAPackage(OURS + ".plan..")
          .should()
          .dependOnClassesThat()
          .resideOutsideOfPackages(OURS + ".plan..", "java..");

  @ArchTest
  static final ArchRule THE_PLAN_HAS_NO_CIRCLE =
      slices()
          .assignedFrom(new TopLevelClasses(OURS + ".plan"))
          .should()
          .beFreeOfCycles()
          .because("each class of the plan can be read with those below it alone");

  @ArchTest
  static final ArchRule NO_CIRCLE_BETWEEN_CLASSES =
      slices()
          .assignedFrom(new TopLevelClasses(OURS))
          .should()
          .beFreeOfCycles()
          // A sealed type and those that it permits.
          .ignoreDependency(Blocker.class, Precondition.class)
          .ignoreDependency(Blocker.class, WaitReason.class)
          // A pool, and the connection that returns itself to it.
          .ignoreDependency(OURS + ".hbase.KeptConnections", OURS + ".hbase.HttpConnection")
          .because("each class can be read with those below it alone");

  @ArchTest
  static final ArchRule THE_RESOURCE_IS_DATA_ALONE =
      noClasses()
          .that()
          .resideInAPackage(OURS + ".api..")
          .should()
          .dependOnClassesThat(
              describe(
                  "are ours and outside of api",
                  type ->
                      type.getPackageName().startsWith(OURS)
                          && !type.getPackageName().startsWith(OURS + ".api")));

  @ArchTest
  static final ArchRule THE_COMMAND_LINE_NEEDS_NO_CLUSTER =
      noClasses()
          .that()
          .resideInAPackage(OURS + ".cli..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              OURS + ".deploy..",
              OURS + ".observe..",
              OURS + ".reconcile..",
              OURS + ".status..",
              OURS + ".report..",
              OURS + ".hbase..",
              OURS + ".webhook..",
              OURS + ".http..",
              OURS + ".page..");

  @ArchTest
  static final ArchRule RECONCILING_NEEDS_NO_SERVER =
      noClasses()
          .that()
          .resideInAnyPackage(
              OURS + ".declare..",
              OURS + ".deploy..",
              OURS + ".hbase..",
              OURS + ".observe..",
              OURS + ".reconcile..",
              OURS + ".status..",
              OURS + ".report..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(OURS + ".webhook..", OURS + ".http..", OURS + ".page..");

  @ArchTest
  static final ArchRule STATUS_IS_READ_WITHOUT_A_PASS =
      noClasses()
          .that()
          .resideInAPackage(OURS + ".status..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              OURS + ".deploy..",
              OURS + ".hbase..",
              OURS + ".reconcile..",
              OURS + ".report..",
              OURS + ".cli..",
              "io.javaoperatorsdk..");

  @ArchTest
  static final ArchRule NOTHING_NEEDS_THE_START =
      noClasses()
          .that()
          .resideOutsideOfPackage(OURS + ".boot..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage(OURS + ".boot..");

  @ArchTest
  static final ArchRule REPORTS_DECIDE_NOTHING =
      noClasses()
          .that()
          .resideInAPackage(OURS + ".report..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              OURS + ".deploy..",
              OURS + ".reconcile..",
              OURS + ".hbase..",
              OURS + ".observe..",
              OURS + ".cli..");

  @ArchTest
  static final ArchRule OBSERVATION_DECIDES_NOTHING =
      noClasses()
          .that()
          .resideInAPackage(OURS + ".observe..")
          .should()
          .dependOnClassesThat(
              describe(
                  "decide on a rollout or on tuning",
                  type ->
                      type.isEquivalentTo(Roller.class)
                          || type.isEquivalentTo(RestartDecision.class)
                          || (type.getPackageName().startsWith(OURS + ".tune")
                              && !type.isEquivalentTo(Reading.class))))
          .orShould()
          .dependOnClassesThat()
          .resideInAnyPackage(
              OURS + ".declare..",
              OURS + ".plan..",
              OURS + ".render..",
              OURS + ".status..",
              OURS + ".report..",
              OURS + ".reconcile..",
              OURS + ".cli..");

  @ArchTest
  static final ArchRule OBSERVATION_WRITES_NOTHING =
      noClasses()
          .that()
          .resideInAPackage(OURS + ".observe..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.fabric8.kubernetes.client.dsl..")
          .orShould()
          .callMethod(ClusterControl.class, "send", ResourceID.class, List.class)
          .because("what only reads can be done at any time, and as often as a pass fails");

  @ArchTest
  static final ArchRule A_PASS_OBSERVES =
      noClasses()
          .that()
          .resideOutsideOfPackages(OURS + ".observe..", OURS + ".reconcile..", OURS + ".status..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage(OURS + ".observe..");

  @ArchTest
  static final ArchRule A_PASS_PLANS_ONCE =
      noClasses()
          .that()
          .resideOutsideOfPackage(OURS + ".plan..")
          .and()
          .doNotHaveFullyQualifiedName(Plans.class.getName())
          .should()
          .dependOnClassesThat()
          .areAssignableTo(MemoryPlanner.class)
          .because("Plans plans each distinct input once");

  @ArchTest
  static final ArchRule A_PASS_HAS_ONE_SET_OF_PLANS =
      noClasses()
          .that()
          .resideInAnyPackage(OURS + ".reconcile..", OURS + ".status..")
          .and()
          .doNotHaveFullyQualifiedName(HBaseClusterReconciler.class.getName())
          .and()
          .doNotHaveFullyQualifiedName(PlanPreview.class.getName())
          .should()
          .callConstructor(Plans.class)
          .because("a pass hands on its plans");

  @ArchTest
  static final ArchRule NO_CIRCLE_BETWEEN_PACKAGES =
      slices()
          .matching(OURS + ".(*)..")
          .should()
          .beFreeOfCycles()
          .because("each package can be read and tested with those below it alone");

  @ArchTest
  static final ArchRule NO_STATE_OUTSIDE_THE_CLUSTER =
      fields()
          .that()
          .areStatic()
          .should()
          .beFinal()
          .because("what must survive a pass is in status or in an annotation");

  /** A slice for each class of a package, with the classes in it and with its builder. */
  private record TopLevelClasses(String inPackage) implements SliceAssignment {
    @Override
    public SliceIdentifier getIdentifierOf(JavaClass type) {
      return type.getPackageName().startsWith(inPackage)
          ? SliceIdentifier.of(topLevel(built(topLevel(type))).getName())
          : SliceIdentifier.ignore();
    }

    private static JavaClass topLevel(JavaClass type) {
      return type.getEnclosingClass().map(TopLevelClasses::topLevel).orElse(type);
    }

    /** What a builder builds; any other class itself. */
    private static JavaClass built(JavaClass type) {
      return type.getSimpleName().endsWith("Builder")
          ? type.tryGetMethod("build").map(JavaMethod::getRawReturnType).orElse(type)
          : type;
    }

    @Override
    public String getDescription() {
      return "top-level classes of " + inPackage;
    }
  }
}
