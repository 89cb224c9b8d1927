package io.offheap.hbase.admin;

import org.apache.hadoop.hbase.client.BalanceRequest;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** The master's balancer. */
@Command(
    name = "balancer",
    description = {
      "Shows, turns on and off, and runs the balancer.",
      "During a rollout the operator turns it off, and on again afterwards."
    })
final class BalancerCommand {
  @ParentCommand private AdminTool tool;

  @Command(name = "state", description = "Whether it is on.")
  int state() {
    return tool.run(
        session ->
            Output.of(
                Output.facts("balancer", Switches.word(session.admin().isBalancerEnabled()))));
  }

  @Command(name = "on", description = "Turns it on.")
  int on() {
    return set(true);
  }

  @Command(name = "off", description = "Turns it off; a balancing that runs is waited for.")
  int off() {
    return set(false);
  }

  private int set(boolean on) {
    return tool.run(
        session -> Switches.changed("balancer", session.admin().balancerSwitch(on, true), on));
  }

  @Command(name = "run", description = "Balances once.")
  int run(
      @Option(names = "--dry-run", description = "Computes the moves, and moves nothing.")
          boolean dryRun,
      @Option(
              names = "--ignore-rit",
              description = "Although regions are in transition, which HBase otherwise refuses.")
          boolean ignoreInTransition) {
    return tool.run(
        session -> {
          var request =
              BalanceRequest.newBuilder()
                  .setDryRun(dryRun)
                  .setIgnoreRegionsInTransition(ignoreInTransition)
                  .build();
          var response = session.admin().balance(request);
          if (!response.isBalancerRan()) {
            throw new FailedException(
                "the balancer did not run: it is off, runs already, or regions are in transition");
          }
          return Output.of(
              Output.facts(
                  "movesComputed",
                  response.getMovesCalculated(),
                  "movesDone",
                  response.getMovesExecuted()));
        });
  }
}
