package io.offheap.hbase.operator.page;

import com.fasterxml.jackson.databind.JsonNode;
import io.offheap.hbase.operator.declare.GroupField;
import io.offheap.hbase.operator.http.Runbook;
import io.offheap.hbase.operator.plan.HBaseKeys;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The page's files from the jar; each is read once. */
final class PageFiles {
  private static final String SCRIPT = "text/javascript; charset=utf-8";
  private static final String FOLDER = "/page/";

  /** Types of fields that take more than one value. */
  private static final Set<Class<?>> WHOLE = Set.of(Map.class, List.class, JsonNode.class);

  private final Map<String, Body> byPath = new HashMap<>();

  PageFiles() throws IOException {
    add("/", "index.html", Runbook.TYPE);
    add("/cluster", "cluster.html", Runbook.TYPE);
    add("/page.css", "page.css", "text/css; charset=utf-8");
    add("/icon.svg", "icon.svg", "image/svg+xml");
    for (var script :
        new String[] {
          "index.js",
          "cluster.js",
          "plan.js",
          "rollout.js",
          "tuning.js",
          "history.js",
          "whatif.js",
          "dom.js",
          "format.js",
          "poll.js"
        }) {
      add("/" + script, script, SCRIPT);
    }
    byPath.put("/fields.js", Body.of(SCRIPT, fields()));
    byPath.put("/runbook", Body.of(Runbook.TYPE, Runbook.page("/page.css")));
  }

  /** The fields that the page suggests: those of a region server group that one value sets. */
  private static String fields() {
    return Stream.concat(
            GroupField.all().stream()
                .filter(it -> !WHOLE.contains(it.type()))
                .map(it -> "spec.regionServers." + it.path()),
            Stream.of("spec.regionServers.config[" + HBaseKeys.HANDLERS + "]", "spec.masters.heap"))
        .map(it -> '"' + it + '"')
        .collect(Collectors.joining(",\n  ", "export const FIELDS = [\n  ", ",\n];\n"));
  }

  private void add(String path, String file, String type) throws IOException {
    try (var content = PageFiles.class.getResourceAsStream(FOLDER + file)) {
      if (content == null) {
        throw new FileNotFoundException(FOLDER + file);
      }
      byPath.put(path, Body.of(type, content.readAllBytes()));
    }
  }

  /** The file of a path, if there is one. */
  Optional<Body> file(String path) {
    return Optional.ofNullable(byPath.get(path));
  }
}
