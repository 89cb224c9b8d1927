package io.offheap.hbase.operator.property;

import static org.assertj.core.api.Assertions.assertThat;

import io.offheap.hbase.operator.plan.PlanProblem;
import io.offheap.hbase.operator.plan.PlanResult;
import java.util.List;
import java.util.regex.Pattern;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.domains.Domain;
import net.jqwik.api.domains.DomainContext;
import net.jqwik.api.statistics.Statistics;

/** Every resource gets a plan, or a refusal that names the field and what it must be. */
@Domain(Resources.class)
@Domain(DomainContext.Global.class)
class PlannedOrRefusedPropertyTest {
  private static final Pattern RIGHT =
      Pattern.compile("\\b(must|needs|instead|refused|once|use|set|nearest|for example)\\b");

  private static final Pattern AT_LEAST = Pattern.compile("must be at least (\\w+)");

  @Property
  void isPlannedOrRefusedByField(@ForAll Resource resource) {
    var result = resource.result();

    if (result instanceof PlanResult.Refused refused) {
      assertThat(refused.problems()).isNotEmpty();
      assertThat(refused.problems())
          .allMatch(problem -> problem.field().startsWith("spec."))
          .allMatch(problem -> problem.message().length() > 10)
          .allMatch(problem -> RIGHT.matcher(problem.message()).find());
    }

    Statistics.collect(result instanceof PlanResult.Planned);
    // Else the properties of plans would show little.
    Statistics.coverage(it -> it.check(true).percentage(share -> share > 30 && share < 90));
  }

  @Property
  void valueNamedByRefusalIsAccepted(@ForAll Resource resource) {
    for (var field : List.of(Resource.OFF_HEAP, Resource.LIMIT)) {
      for (var right : suggestions(resource, field)) {
        var changed = resource.with(field, right);
        // A larger budget may need a larger limit, which another message states.
        assertThat(changed.problems())
            .as("with %s %s", field, right)
            .extracting(PlanProblem::field)
            .doesNotContain(Resource.path(field));
      }
    }
  }

  @Property
  void refusalNamesSmallestValidOffHeap(
      @ForAll Resource resource, @ForAll @IntRange(min = 16, max = 160) int offHeap) {
    var small = resource.with(Resource.OFF_HEAP, Resource.mib(offHeap));
    for (var right : suggestions(small, Resource.OFF_HEAP)) {
      long smaller = (Resource.bytes(right) >> 20) - 4;

      assertThat(resource.with(Resource.OFF_HEAP, Resource.mib(smaller)).planned())
          .as("with %d Mi", smaller)
          .isEmpty();
    }
  }

  private static List<String> suggestions(Resource resource, String field) {
    return resource.problems().stream()
        .filter(problem -> problem.field().equals(Resource.path(field)))
        .map(problem -> AT_LEAST.matcher(problem.message()))
        .filter(match -> match.find())
        .map(match -> match.group(1))
        .toList();
  }
}
