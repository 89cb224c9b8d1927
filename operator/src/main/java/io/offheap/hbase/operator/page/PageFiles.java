package io.offheap.hbase.operator.page;

import io.offheap.hbase.operator.http.Runbook;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The page's files from the jar; each is read once. */
final class PageFiles {
  private static final String SCRIPT = "text/javascript; charset=utf-8";
  private static final String FOLDER = "/page/";

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
    byPath.put("/runbook", Body.of(Runbook.TYPE, Runbook.page("/page.css")));
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
