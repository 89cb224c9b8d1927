package io.offheap.hbase.admin;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.util.VersionInfo;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.core.config.Configurator;
import picocli.AutoComplete.GenerateCompletion;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code entrypoint admin}: what people need of hbase-shell and hbck2, one process a command. */
@Command(
    name = "admin",
    description = "Looks at and changes the HBase cluster of this container's configuration.",
    mixinStandardHelpOptions = true,
    versionProvider = AdminTool.Version.class,
    scope = ScopeType.INHERIT,
    synopsisSubcommandLabel = "COMMAND",
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {
      "0:done",
      "1:HBase refused or failed, or did not respond in time",
      "2:the command line is wrong, or --yes is missing; nothing was done"
    },
    subcommands = {
      TablesCommand.class,
      RegionsCommand.class,
      ServersCommand.class,
      BalancerCommand.class,
      NormalizerCommand.class,
      ProceduresCommand.class,
      LocksCommand.class,
      HbckCommand.class,
      HdfsCommand.class,
      SnapshotsCommand.class,
      ScanCommand.class,
      GetCommand.class,
      GenerateCompletion.class
    })
public final class AdminTool {
  static final int DONE = 0;
  static final int FAILED = 1;
  static final int USAGE = 2;

  private static final int DEFAULT_TIMEOUT = 60;

  @Option(
      names = "--timeout",
      scope = ScopeType.INHERIT,
      paramLabel = "SECONDS",
      description =
          "Deadline of the command; 60 where left out, 86400 for snapshots export and import.")
  private Integer timeout;

  @Option(
      names = {"-o", "--output"},
      scope = ScopeType.INHERIT,
      paramLabel = "FORMAT",
      description = "${COMPLETION-CANDIDATES}; table where left out.")
  private Output.Format format = Output.Format.table;

  @Option(
      names = "--verbose",
      scope = ScopeType.INHERIT,
      description = "HBase's log and stack traces on standard error.")
  private boolean verbose;

  @Spec private CommandSpec command;

  private final Configuration configuration;

  AdminTool(Configuration configuration) {
    this.configuration = configuration;
  }

  /** The version of HBase's client, which is the image's. */
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      return new String[] {"HBase client " + VersionInfo.getVersion()};
    }
  }

  /** What a command does with HBase. */
  @FunctionalInterface
  interface Work {
    Output with(Session session) throws Exception;
  }

  /** Runs the command line and ends the process with its exit status. */
  public static void main(String... args) {
    var line = create(HBaseConfiguration.create());
    // The two that print are made with the streams as they are now.
    line.setOut(line.getOut()).setErr(line.getErr());
    if (!List.of(args).contains("--verbose")) {
      // HBase's client prints some exceptions past its log, before it tries again.
      System.setErr(new PrintStream(OutputStream.nullOutputStream(), false, UTF_8));
    }
    int status = line.execute(args);
    System.out.flush();
    // HBase's threads may wait for a server that is silent; nothing they do matters any more.
    Runtime.getRuntime().halt(status);
  }

  static CommandLine create(Configuration configuration) {
    var line = new CommandLine(new AdminTool(configuration));
    line.registerConverter(TableName.class, AdminTool::tableName);
    line.registerConverter(Binary.class, new Binary.Converter());
    line.registerConverter(Integer.class, AdminTool::wholeNumber);
    line.registerConverter(int.class, AdminTool::wholeNumber);
    line.registerConverter(Long.class, AdminTool::longNumber);
    line.registerConverter(long.class, AdminTool::longNumber);
    line.registerConverter(Output.Format.class, AdminTool::outputFormat);
    line.setParameterExceptionHandler(AdminTool::refused);
    return line;
  }

  private static TableName tableName(String text) {
    try {
      return TableName.valueOf(text);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(
          "must be [NAMESPACE:]NAME of letters, digits, '_', '-' and '.', not starting with '-' or"
              + " '.'");
    }
  }

  private static Integer wholeNumber(String text) {
    try {
      return Integer.valueOf(text);
    } catch (NumberFormatException e) {
      throw new TypeConversionException("must be a whole number");
    }
  }

  private static Long longNumber(String text) {
    try {
      return Long.valueOf(text);
    } catch (NumberFormatException e) {
      throw new TypeConversionException("must be a whole number");
    }
  }

  private static Output.Format outputFormat(String text) {
    return Arrays.stream(Output.Format.values())
        .filter(format -> format.name().equals(text))
        .findFirst()
        .orElseThrow(() -> new TypeConversionException("must be table or json"));
  }

  private static int refused(ParameterException e, String[] args) {
    var line = e.getCommandLine();
    var message = e.getMessage();
    if (e.getCause() instanceof TypeConversionException conversion && e.getArgSpec() != null) {
      var argument = e.getArgSpec();
      var name =
          argument instanceof CommandLine.Model.OptionSpec option
              ? option.longestName()
              : argument.paramLabel();
      message = name + ": '" + e.getValue() + "' " + conversion.getMessage();
    }
    var error = line.getErr();
    error.println(line.getCommandSpec().qualifiedName() + ": " + message);
    error.println("see " + line.getCommandSpec().qualifiedName() + " --help");
    error.flush();
    return USAGE;
  }

  /** Does the work within the deadline, prints the result, and returns the exit status. */
  int run(Work work) {
    return run(DEFAULT_TIMEOUT, work);
  }

  int run(int defaultSeconds, Work work) {
    int seconds = timeout == null ? defaultSeconds : timeout;
    if (seconds < 1) {
      return fail(USAGE, "--timeout: '" + seconds + "' must be at least 1 (seconds)");
    }
    if (verbose) {
      Configurator.setRootLevel(Level.INFO);
    }
    var limit = Duration.ofSeconds(seconds);
    var session = new Session(configuration, limit);
    var result = new CompletableFuture<Output>();
    var worker = new Thread(() -> complete(result, session, work), "command");
    worker.setDaemon(true);
    worker.start();
    try {
      return print(result.get(limit.toMillis(), TimeUnit.MILLISECONDS));
    } catch (TimeoutException e) {
      // Read first: an interrupted command may then wait for something else.
      var waitingFor = session.waitingFor();
      worker.interrupt();
      return fail(FAILED, Failures.deadline(limit, waitingFor));
    } catch (InterruptedException e) {
      worker.interrupt();
      Thread.currentThread().interrupt();
      return fail(FAILED, "interrupted");
    } catch (ExecutionException e) {
      return fail(e.getCause());
    }
  }

  private static void complete(CompletableFuture<Output> result, Session session, Work work) {
    // Not after the session is closed: to close it may wait for a server that is silent.
    try (session) {
      result.complete(work.with(session));
    } catch (Throwable e) {
      result.completeExceptionally(e);
    }
  }

  private int print(Output output) {
    PrintWriter out = command.commandLine().getOut();
    out.print(output.in(format));
    out.flush();
    output.note().ifPresent(this::note);
    return DONE;
  }

  private void note(String sentence) {
    var error = command.commandLine().getErr();
    error.println(sentence);
    error.flush();
  }

  private int fail(Throwable failure) {
    if (verbose) {
      failure.printStackTrace(command.commandLine().getErr());
    }
    return failure instanceof UsageException
        ? fail(USAGE, failure.getMessage())
        : fail(FAILED, Failures.describe(failure));
  }

  private int fail(int status, String message) {
    note("admin: " + message);
    return status;
  }
}
