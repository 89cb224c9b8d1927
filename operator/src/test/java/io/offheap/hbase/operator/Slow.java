package io.offheap.hbase.operator;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/**
 * A test that takes over a second: it simulates much, or waits for a deadline that is as long as in
 * production. {@code make unit MODULE=operator} leaves it to {@code make unit}.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Tag("slow")
@net.jqwik.api.Tag("slow")
public @interface Slow {}
