package io.offheap.hbase.patches;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.lang.reflect.Method;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;

/**
 * A test that published HBase fails. The build runs it twice: on the patched classes, where it has
 * to pass, and with {@code -Dpatches=none} on the published jars alone, where an assertion has to
 * fail. One that passes there as well proves nothing, and neither does one that ends in another
 * way: a method or class that only the patched jars have fails whatever it does. Both fail the
 * build.
 */
@Tag("fails-on-stock")
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(FailsOnStock.Extension.class)
public @interface FailsOnStock {

  /** Turns the verdict of a test round where no patch is on the class path. */
  final class Extension implements InvocationInterceptor {
    /** Classes, methods and fields that are not there, by whatever way it was found. */
    private static final Pattern MISSING =
        Pattern.compile(
            "java\\.lang\\.(NoSuch|NoClassDef|ClassNotFound|IncompatibleClass|AbstractMethod"
                + "|IllegalAccess|ExceptionInInitializer|Verify|Linkage|BootstrapMethod"
                + "|UnsatisfiedLink)\\w*(Error|Exception)[^\n]*");

    @Override
    public void interceptTestMethod(
        Invocation<Void> invocation,
        ReflectiveInvocationContext<Method> method,
        ExtensionContext context)
        throws Throwable {
      verdict(invocation, context.getDisplayName());
    }

    @Override
    public void interceptTestTemplateMethod(
        Invocation<Void> invocation,
        ReflectiveInvocationContext<Method> method,
        ExtensionContext context)
        throws Throwable {
      verdict(invocation, context.getDisplayName());
    }

    private static void verdict(Invocation<Void> invocation, String test) throws Throwable {
      if ("none".equals(System.getProperty("patches"))) {
        failing(invocation, test);
      } else {
        invocation.proceed();
      }
    }

    /** Passes where an assertion of the test fails, and for no other reason. */
    static void failing(Invocation<Void> invocation, String test) {
      try {
        invocation.proceed();
      } catch (Throwable thrown) {
        var other = otherThanAssertion(thrown);
        if (other == null) {
          return;
        }
        throw new AssertionError(
            test + " ends on published HBase with " + other + ": only a failed assertion proves",
            thrown);
      }
      throw new AssertionError(test + " passes on published HBase: it proves nothing");
    }

    /**
     * What makes this no failed assertion; null where it is one. An assertion about an exception
     * fails with that one as its cause, or as a part of its text.
     */
    private static String otherThanAssertion(Throwable thrown) {
      if (!(thrown instanceof AssertionError)) {
        return thrown.toString();
      }
      for (var cause = thrown; cause != null; cause = cause.getCause()) {
        var missing = MISSING.matcher(cause.toString());
        if (missing.find()) {
          return missing.group();
        }
      }
      return null;
    }
  }
}
