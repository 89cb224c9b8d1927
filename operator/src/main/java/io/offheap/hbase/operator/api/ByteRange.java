package io.offheap.hbase.operator.api;

import static java.lang.annotation.ElementType.METHOD;
import static java.lang.annotation.RetentionPolicy.RUNTIME;

import java.lang.annotation.Retention;
import java.lang.annotation.Target;

/**
 * The range of a field of a region server group that has bytes, as whole numbers have theirs by
 * {@code Min} and {@code Max}. The operator checks it. The API server does so only where the record
 * has a rule, since it limits the cost of all rules.
 */
@Retention(RUNTIME)
@Target(METHOD)
public @interface ByteRange {
  /** The least value, as a quantity. */
  String min();

  /** The largest value, as a quantity. */
  String max();

  /** Whether it must be whole MiB: HotSpot and HBase count in these, and would round a fraction. */
  boolean wholeMib() default false;
}
