package io.offheap.hbase.browser;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A headless Chromium with one tab, driven by the DevTools protocol over the JDK's own WebSocket:
 * selenium-java would need one more package, a driver of the browser's version.
 */
public final class Browser implements AutoCloseable {
  private static final JsonMapper JSON = new JsonMapper();
  private static final String LISTENS = "DevTools listening on ";
  private static final int SECONDS = 60;

  private final Process process;
  private final Path profile;
  private final WebSocket socket;
  private final AtomicInteger ids = new AtomicInteger();
  private final Map<Integer, CompletableFuture<JsonNode>> responses = new ConcurrentHashMap<>();
  private final Queue<String> problems = new ConcurrentLinkedQueue<>();
  private final Queue<String> requests = new ConcurrentLinkedQueue<>();
  private final String session;

  private Browser(Process process, Path profile, URI devTools) {
    this.process = process;
    this.profile = profile;
    socket =
        HttpClient.newHttpClient()
            .newWebSocketBuilder()
            .buildAsync(devTools, new Messages())
            .join();
    var target = send("Target.createTarget", node().put("url", "about:blank"), null);
    session =
        send(
                "Target.attachToTarget",
                node().put("targetId", target.path("targetId").asText()).put("flatten", true),
                null)
            .path("sessionId")
            .asText();
    for (var domain : List.of("Page", "Runtime", "Log", "Network")) {
      call(domain + ".enable", node());
    }
  }

  /** Starts a browser that sends no requests of its own. */
  public static Browser start() throws IOException {
    var profile = Files.createTempDirectory("browser");
    var process =
        new ProcessBuilder(
                "chromium",
                "--headless=new",
                // Root, and a container, have no sandbox.
                "--no-sandbox",
                "--disable-gpu",
                "--disable-quic",
                "--disable-dev-shm-usage",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--no-first-run",
                "--remote-debugging-port=0",
                "--user-data-dir=" + profile,
                "about:blank")
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    var errors = new BufferedReader(new InputStreamReader(process.getErrorStream(), UTF_8));
    for (var line = errors.readLine(); line != null; line = errors.readLine()) {
      if (line.startsWith(LISTENS)) {
        drain(errors);
        return new Browser(process, profile, URI.create(line.substring(LISTENS.length())));
      }
    }
    throw new IOException("chromium ended before it listened");
  }

  /** Otherwise the browser would block when the pipe is full. */
  private static void drain(BufferedReader errors) {
    var thread =
        new Thread(
            () -> {
              try {
                errors.lines().forEach(line -> {});
              } catch (UncheckedIOException closed) {
                // The browser has ended. Uncaught, it would fail the test that waits at that time.
              }
            },
            "browser-errors");
    thread.setDaemon(true);
    thread.start();
  }

  private static ObjectNode node() {
    return JSON.createObjectNode();
  }

  private final class Messages implements WebSocket.Listener {
    private final StringBuilder text = new StringBuilder();

    @Override
    public CompletionStage<?> onText(WebSocket from, CharSequence part, boolean last) {
      text.append(part);
      if (last) {
        try {
          take(JSON.readTree(text.toString()));
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        } finally {
          text.setLength(0);
        }
      }
      from.request(1);
      return null;
    }
  }

  private void take(JsonNode message) {
    if (message.has("id")) {
      var response = responses.remove(message.path("id").asInt());
      if (message.has("error")) {
        response.completeExceptionally(new IllegalStateException(message.path("error").toString()));
      } else {
        response.complete(message.path("result"));
      }
      return;
    }
    var params = message.path("params");
    switch (message.path("method").asText()) {
      case "Runtime.exceptionThrown" -> problems.add(params.path("exceptionDetails").toString());
      case "Runtime.consoleAPICalled" -> {
        if (List.of("error", "warning", "assert").contains(params.path("type").asText())) {
          problems.add(params.path("args").toString());
        }
      }
      case "Log.entryAdded" -> {
        if (!params.path("entry").path("level").asText().equals("verbose")) {
          problems.add(params.path("entry").toString());
        }
      }
      case "Network.requestWillBeSent" -> requests.add(params.path("request").path("url").asText());
      default -> {
        // Other messages are ignored.
      }
    }
  }

  private JsonNode send(String method, ObjectNode params, String toSession) {
    int id = ids.incrementAndGet();
    var response = new CompletableFuture<JsonNode>();
    responses.put(id, response);
    var message = node().put("id", id).put("method", method);
    message.set("params", params);
    if (toSession != null) {
      message.put("sessionId", toSession);
    }
    synchronized (this) {
      socket.sendText(message.toString(), true).join();
    }
    return response.orTimeout(SECONDS, TimeUnit.SECONDS).join();
  }

  private JsonNode call(String method, ObjectNode params) {
    return send(method, params, session);
  }

  /** Runs a script before those of each page that is opened from now on. */
  public void runFirst(String script) {
    call("Page.addScriptToEvaluateOnNewDocument", node().put("source", script));
  }

  /** From now on the browser keeps which parts of scripts have run. */
  public void startCoverage() {
    call("Profiler.enable", node());
    // With counts: without them a function is reported once, whatever of it runs later.
    call("Profiler.startPreciseCoverage", node().put("callCount", true).put("detailed", true));
  }

  /** Scripts with their functions, and how often each part has run since the last call. */
  public JsonNode coverage() {
    return call("Profiler.takePreciseCoverage", node()).path("result");
  }

  /** Opens an address; its content may be shown later. */
  public void open(String url) {
    call("Page.navigate", node().put("url", url));
  }

  /** The value of a script; a promise is awaited. */
  public JsonNode evaluate(String script) {
    var result =
        call(
            "Runtime.evaluate",
            node().put("expression", script).put("returnByValue", true).put("awaitPromise", true));
    if (result.has("exceptionDetails")) {
      throw new IllegalStateException(result.path("exceptionDetails").toString());
    }
    return result.path("result").path("value");
  }

  /** All visible text of the page. */
  public String text() {
    return evaluate("document.body === null ? '' : document.body.innerText").asText();
  }

  /** Presses a key: Tab or Enter. */
  public void press(String key) {
    int code = key.equals("Tab") ? 9 : 13;
    var down =
        node()
            .put("type", key.equals("Enter") ? "keyDown" : "rawKeyDown")
            .put("key", key)
            .put("code", key)
            .put("windowsVirtualKeyCode", code);
    if (key.equals("Enter")) {
      down.put("text", "\r");
    }
    call("Input.dispatchKeyEvent", down);
    call(
        "Input.dispatchKeyEvent",
        node()
            .put("type", "keyUp")
            .put("key", key)
            .put("code", key)
            .put("windowsVirtualKeyCode", code));
  }

  /** Types into the focused element. */
  public void type(String text) {
    call("Input.insertText", node().put("text", text));
  }

  /** Sets the window's width and the colour scheme, light or dark. */
  public void setView(int width, String scheme) {
    call(
        "Emulation.setDeviceMetricsOverride",
        node()
            .put("width", width)
            .put("height", 900)
            .put("deviceScaleFactor", 1)
            .put("mobile", false));
    var media = node();
    media.putArray("features").addObject().put("name", "prefers-color-scheme").put("value", scheme);
    call("Emulation.setEmulatedMedia", media);
  }

  /** The whole page as a PNG. */
  public void screenshot(Path file) throws IOException {
    var image =
        call(
            "Page.captureScreenshot",
            node()
                .put("format", "png")
                .put("captureBeyondViewport", true)
                // A file that is larger, and made in less time.
                .put("optimizeForSpeed", true));
    Files.createDirectories(file.getParent());
    Files.write(file, Base64.getDecoder().decode(image.path("data").asText()));
  }

  /** Errors and warnings of the console, exceptions, and requests that the policy has blocked. */
  public List<String> problems() {
    return List.copyOf(problems);
  }

  /** Addresses that the page has requested. */
  public List<String> requests() {
    return List.copyOf(requests);
  }

  @Override
  public void close() throws IOException {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
    try {
      process.waitFor(SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    try (var files = Files.walk(profile)) {
      for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
