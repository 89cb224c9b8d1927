package io.offheap.hbase.operator.boot;

import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;

/** Runs the operator until the process is told to stop. */
@Command(
    name = "operator",
    mixinStandardHelpOptions = true,
    description = {
      "Runs the operator.",
      "",
      "WATCH_NAMESPACES  comma-separated namespaces to watch; all where empty",
      "HBASE_IMAGE       image of clusters that declare none",
      "HTTP_PORT         port of /metrics; 8080 where left out",
      "PROBE_PORT        port of /healthz and /readyz; 8082 where left out",
      "PAGE_PORT         port of the page for people, on 127.0.0.1; no page where left out",
      "WEBHOOK_TOKEN_FILE  file with a token a line: alerts are taken from who has one of them",
      "WEBHOOK_TLS_FOLDER  with it: folder of tls.crt and tls.key; no TLS without",
      "WEBHOOK_PORT        with it: port; 8443 with TLS, 8081 without",
      "LOG_LEVEL         ERROR, WARN, INFO or DEBUG",
      "LEADER_ELECTION   true where several run, of which one is to act; false otherwise",
      "LEASE_NAME        with it: the lease by which that one is found",
      "POD_NAMESPACE     with it: the lease's namespace",
      "POD_NAME          with it: what this one is called in the lease"
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
