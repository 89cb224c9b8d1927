package io.offheap.hbase.patches;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import io.offheap.hbase.patches.FailsOnStock.Extension;
import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.InvocationInterceptor.Invocation;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What counts as a failure on the published jars. */
class FailsOnStockTest {

  private static Invocation<Void> that(Throwable thrown) {
    return () -> {
      throw thrown;
    };
  }

  @Test
  void aFailedAssertionCounts() {
    assertThatCode(() -> Extension.failing(() -> fail("says the test"), "test"))
        .doesNotThrowAnyException();
    assertThatCode(
            () ->
                Extension.failing(
                    that(new AssertionError("says the test", new IOException())), "test"))
        .doesNotThrowAnyException();
  }

  @Test
  void aTestThatPassesProvesNothing() {
    assertThatThrownBy(() -> Extension.failing(() -> null, "test"))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("test passes on published HBase");
  }

  static Stream<Throwable> others() {
    return Stream.of(
        new NoSuchMethodError("getLeakCount"),
        new NoSuchFieldError("KEY"),
        new NoClassDefFoundError("RAMBuffer"),
        new ExceptionInInitializerError(new IllegalStateException()),
        new NoSuchMethodException("getLeakCount"),
        new TimeoutException(),
        new ConditionTimeoutException("never"),
        new ExecutionException(new AssertionError()),
        new NullPointerException(),
        new IOException(),
        new OutOfMemoryError());
  }

  @ParameterizedTest
  @MethodSource("others")
  void nothingElseCounts(Throwable other) {
    assertThatThrownBy(() -> Extension.failing(that(other), "test"))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining(other.toString())
        .hasCause(other);
  }

  /** As {@code assertThatThrownBy} makes it of what it did not expect. */
  @Test
  void anAssertionAboutAMissingMethodDoesNotCount() {
    assertThatThrownBy(
            () ->
                Extension.failing(
                    that(new AssertionError("unexpected", new NoSuchMethodError("name"))), "test"))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("NoSuchMethodError: name");
    assertThatThrownBy(
            () ->
                Extension.failing(
                    () -> {
                      assertThatThrownBy(
                              () -> {
                                throw new NoSuchMethodError("name");
                              })
                          .isInstanceOf(IOException.class);
                      return null;
                    },
                    "test"))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("NoSuchMethodError");
  }
}
