package io.offheap.hbase.admin;

import picocli.CommandLine.Command;
import picocli.CommandLine.ParentCommand;

/** The master's normalizer. */
@Command(
    name = "normalizer",
    description = {
      "Shows, turns on and off, and runs the normalizer, which splits and merges regions.",
      "During a rollout the operator turns it off, and on again afterwards."
    })
final class NormalizerCommand {
  @ParentCommand private AdminTool tool;

  @Command(name = "state", description = "Whether it is on.")
  int state() {
    return tool.run(
        session ->
            Output.of(
                Output.facts("normalizer", Switches.word(session.admin().isNormalizerEnabled()))));
  }

  @Command(name = "on", description = "Turns it on.")
  int on() {
    return set(true);
  }

  @Command(name = "off", description = "Turns it off.")
  int off() {
    return set(false);
  }

  private int set(boolean on) {
    return tool.run(
        session -> Switches.changed("normalizer", session.admin().normalizerSwitch(on), on));
  }

  @Command(name = "run", description = "Normalizes once; splits and merges follow in the master.")
  int run() {
    return tool.run(
        session -> {
          if (!session.admin().normalize()) {
            throw new FailedException("the normalizer did not run: it is off, or runs already");
          }
          return Output.done("normalization begun", "normalizer", "begun");
        });
  }
}
