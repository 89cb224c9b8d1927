package io.offheap.hbase.patches;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.lang.reflect.Method;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;

/**
 * A test that published HBase fails. The build runs it twice: on the patched classes, where it has
 * to pass, and with {@code -Dpatches=none} on the published jars alone, where it has to fail. One
 * that passes there as well proves nothing, and fails the build.
 */
@Tag("fails-on-stock")
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(FailsOnStock.Extension.class)
public @interface FailsOnStock {

  /** Turns the verdict of a test round where no patch is on the class path. */
  final class Extension implements InvocationInterceptor {

    @Override
    public void interceptTestMethod(
        Invocation<Void> invocation,
        ReflectiveInvocationContext<Method> method,
        ExtensionContext context)
        throws Throwable {
      verdict(invocation, context);
    }

    @Override
    public void interceptTestTemplateMethod(
        Invocation<Void> invocation,
        ReflectiveInvocationContext<Method> method,
        ExtensionContext context)
        throws Throwable {
      verdict(invocation, context);
    }

    private static void verdict(Invocation<Void> invocation, ExtensionContext context)
        throws Throwable {
      if (!"none".equals(System.getProperty("patches"))) {
        invocation.proceed();
        return;
      }
      try {
        invocation.proceed();
      } catch (AssertionError | LinkageError expected) {
        return;
      }
      throw new AssertionError(
          context.getDisplayName() + " passes on published HBase: it proves nothing");
    }
  }
}
