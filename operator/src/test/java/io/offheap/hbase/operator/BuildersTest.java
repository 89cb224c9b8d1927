package io.offheap.hbase.operator;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;

/**
 * Records of more than {@link #MOST} components are made by builders: of so many arguments, two of
 * one type change places unseen.
 */
@AnalyzeClasses(
    packages = "io.offheap.hbase.operator",
    importOptions = ImportOption.DoNotIncludeTests.class)
class BuildersTest {
  private static final int MOST = 8;

  private static final DescribedPredicate<JavaClass> LARGE_RECORDS =
      DescribedPredicate.describe(
          "are records of more than " + MOST + " components", BuildersTest::isLargeRecord);

  @ArchTest
  static final ArchRule A_LARGE_RECORD_HAS_A_BUILDER =
      classes()
          .that(LARGE_RECORDS)
          .should(
              new ArchCondition<>("have a builder in their package") {
                @Override
                public void check(JavaClass record, ConditionEvents events) {
                  var name = builder(record);
                  boolean has =
                      record.getPackage().getClasses().stream()
                          .anyMatch(it -> it.getName().equals(name));
                  events.add(
                      new SimpleConditionEvent(
                          record, has, record.getName() + (has ? " has " : " lacks ") + name));
                }
              })
          .because("@RecordBuilder makes one");

  @ArchTest
  static final ArchRule A_LARGE_RECORD_IS_MADE_BY_ITS_BUILDER =
      noClasses()
          .should()
          .callConstructorWhere(
              DescribedPredicate.describe(
                  "is the canonical one of a large record, outside of its builder",
                  BuildersTest::isPositional))
          .because("arguments have no names");

  private static boolean isPositional(JavaCall<?> call) {
    var record = call.getTargetOwner();
    var caller = call.getOriginOwner().getName();
    return isLargeRecord(record)
        && call.getTarget().getRawParameterTypes().size() > MOST
        && !caller.equals(builder(record))
        && !caller.startsWith(builder(record) + "$");
  }

  private static boolean isLargeRecord(JavaClass type) {
    return type.isRecord()
        && type.getFields().stream()
                .filter(it -> !it.getModifiers().contains(JavaModifier.STATIC))
                .count()
            > MOST;
  }

  /** The builder's name: those of the enclosing classes and of the record, without dots. */
  private static String builder(JavaClass record) {
    var name = record.getName().substring(record.getPackageName().length() + 1);
    return record.getPackageName() + "." + name.replace("$", "") + "Builder";
  }
}
