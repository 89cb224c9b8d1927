package io.offheap.hbase.admin;

/**
 * A command line that nothing can be done with; the message names the argument, value and remedy.
 */
final class UsageException extends RuntimeException {
  private static final long serialVersionUID = 1;

  UsageException(String message) {
    super(message);
  }

  /** The usual form. */
  static UsageException mustBe(String argument, String value, String must) {
    return new UsageException(argument + ": '" + value + "' " + must);
  }

  /** For what destroys or takes out of service. */
  static void unlessConfirmed(boolean yes, String consequence) {
    if (!yes) {
      throw new UsageException("--yes is missing: this " + consequence);
    }
  }
}
