package io.offheap.hbase.operator.boot;

import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;

/** Runs the operator until the process is stopped. */
@Command(
    name = "operator",
    mixinStandardHelpOptions = true,
    description = {
      "Runs the operator.",
      "",
      "WATCH_NAMESPACES  comma-separated namespaces to watch; empty for all",
      "HBASE_IMAGE       image of clusters that declare none",
      "HTTP_PORT         port of /metrics; default 8080",
      "PROBE_PORT        port of /healthz and /readyz; default 8082",
      "PAGE_PORT         port of the page, on 127.0.0.1; no page if it is not set",
      "WEBHOOK_TOKEN_FILE  file with one token a line; enables the webhook",
      "WEBHOOK_TLS_FOLDER  with it: folder of tls.crt and tls.key; without it no TLS",
      "WEBHOOK_PORT        with it: port; default 8443 with TLS, 8081 without",
      "LOG_LEVEL         ERROR, WARN, INFO or DEBUG",
      "LEADER_ELECTION   true if several processes run, of which one acts; default false",
      "LEASE_NAME        with it: name of the lease",
      "POD_NAMESPACE     with it: namespace of the lease",
      "POD_NAME          with it: name of this process in the lease"
    })
final class OperatorCommand implements Callable<Integer> {
  @Override
  public Integer call() throws IOException, InterruptedException {
    try (var process = OperatorProcess.start()) {
      new CountDownLatch(1).await();
    }
    return 0;
  }
}
