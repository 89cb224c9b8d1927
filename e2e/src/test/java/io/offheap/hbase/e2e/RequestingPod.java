package io.offheap.hbase.e2e;

import java.util.HashMap;
import java.util.Map;

/** A pod whose shell sends HTTP requests, to its own server or to another one. */
record RequestingPod(Kubectl kubectl, String name) {
  /**
   * Any image with Bash can do this. HBase reads the format from the path, Hadoop from the header.
   */
  private static final String SCRIPT =
      """
      exec 3<> "/dev/tcp/$1/$2"
      printf 'GET %s HTTP/1.0\\r\\nHost: localhost\\r\\n' "$3" >&3
      printf 'Accept: %s\\r\\n\\r\\n' "$4" >&3
      cat <&3
      """;

  private static final String JSON = "application/json";
  private static final String LOOPBACK = "127.0.0.1";

  /**
   * A whole response: status line, headers and body.
   *
   * @throws IllegalStateException if none comes within 20 s
   */
  String get(String host, int port, String path) {
    return get(host, port, path, "*/*");
  }

  private String get(String host, int port, String path, String accept) {
    return kubectl.output(
        "exec",
        name,
        "--",
        "timeout",
        "20",
        "bash",
        "-euc",
        SCRIPT,
        "get",
        host,
        Integer.toString(port),
        path,
        accept);
  }

  /** The configuration in force, from the HTTP endpoint of the pod's own server. */
  Map<String, String> configuration(int port) {
    var response = get(LOOPBACK, port, "/conf?format=json", JSON);
    var body = response.substring(response.indexOf("\r\n\r\n") + 4);
    var properties = new HashMap<String, String>();
    RolloutCluster.parse(body)
        .path("properties")
        .forEach(it -> properties.put(it.path("key").asText(), it.path("value").asText()));
    return properties;
  }
}
