package io.offheap.hbase.operator.cli;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.offheap.hbase.operator.plan.CacheModeRule.Advice;
import io.offheap.hbase.operator.plan.CacheModeRule.Option;
import java.util.List;

/**
 * The document of an advice.
 *
 * @param declared the mode that is declared
 * @param advised the mode that is advised; left out where none can be
 * @param reason for people
 * @param options each mode that is possible in this container
 * @param file a cache in a file that holds the whole working set, where it would cost less
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record AdviceDocument(
    String declared, String advised, String reason, List<Option> options, Option file) {
  AdviceDocument {
    options = List.copyOf(options);
  }

  static AdviceDocument of(Advice advice) {
    return new AdviceDocument(
        advice.declared().mode(),
        advice.advised().mode(),
        advice.text(),
        advice.options(),
        advice.file().orElse(null));
  }

  /** No advice is possible. */
  static AdviceDocument none(String declared, String reason) {
    return new AdviceDocument(declared, null, reason, List.of(), null);
  }
}
