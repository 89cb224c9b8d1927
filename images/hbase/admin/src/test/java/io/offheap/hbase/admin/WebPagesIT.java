package io.offheap.hbase.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.offheap.hbase.browser.Browser;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipFile;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.master.HMaster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * HBase's own pages, of a real master and a real region server, with the files that the image has
 * for them; by their responses, and in a real Chromium.
 */
class WebPagesIT {
  private static final Path PAGES = Path.of("../pages/hbase-webapps");
  private static final Pattern PATH = Pattern.compile("<url-pattern>(/[^<]+)</url-pattern>");
  private static final Pattern CLASS = Pattern.compile("<servlet-class>([^<]+)</servlet-class>");
  private static final Pattern STATIC = Pattern.compile("(?:href|src)=\"(/static/[^\"]+)\"");

  /** What the web server's page about a failure has, and none of HBase's. */
  private static final Pattern FAILURE =
      Pattern.compile("HTTP ERROR|Caused by:|\\bat org\\.apache\\.|Exception:");

  private static final String SORTED = "#tableBaseStatsTable";

  private static ServedPages pages;
  private static Browser browser;

  private final HttpClient http = HttpClient.newHttpClient();

  @BeforeAll
  static void start(@TempDir Path folder) throws Exception {
    browser = Browser.start();
    pages = ServedPages.start(folder);
  }

  @AfterAll
  static void stop() throws Exception {
    try (var closedLast = browser;
        var closedFirst = pages) {
      assertThat(pages.isAlive()).isTrue();
      assertThat(browser.requests())
          .as("requests of the pages")
          .allMatch(it -> it.startsWith("http://localhost:"));
    }
  }

  /** A version of HBase with another page, or without one, fails here. */
  @ParameterizedTest
  @ValueSource(strings = {"master", "regionserver"})
  void eachCompiledPageHasAPath(String role) throws Exception {
    var jar = HMaster.class.getProtectionDomain().getCodeSource().getLocation();
    Set<String> compiled;
    try (var zip = new ZipFile(Path.of(jar.toURI()).toFile())) {
      compiled =
          zip.stream()
              .map(it -> it.getName())
              .filter(it -> it.matches(".*/generated/" + role + "/[^/]*_jsp\\.class"))
              .map(it -> it.replace('/', '.').replaceFirst("\\.class$", ""))
              .collect(Collectors.toSet());
    }

    assertThat(declared(role, CLASS)).isNotEmpty().containsExactlyInAnyOrderElementsOf(compiled);
    assertThat(declared(role, PATH))
        .containsExactlyInAnyOrderElementsOf(
            compiled.stream()
                .map(it -> "/" + it.replaceFirst(".*\\.", "").replace("_jsp", ".jsp"))
                .toList());
  }

  static List<String> masterPages() throws IOException {
    return Stream.concat(
            Stream.of("/", "/master-status", "/table.jsp?name=t", "/table.jsp?name=hbase%3Ameta"),
            declared("master", PATH).stream()
                .map(
                    it ->
                        switch (it) {
                          case "/table.jsp" -> it + "?name=nosuchtable";
                          case "/snapshot.jsp" -> it + "?name=" + ServedPages.SNAPSHOT;
                          case "/rsgroup.jsp" -> it + "?name=default";
                          default -> it;
                        }))
        .toList();
  }

  @ParameterizedTest
  @MethodSource("masterPages")
  void showsAMastersPage(String page) throws Exception {
    openUnlessPart(pages.master() + page, assertShows(pages.master(), page));
  }

  static List<String> regionServerPages() throws IOException {
    return Stream.concat(Stream.of("/", "/rs-status"), declared("regionserver", PATH).stream())
        .toList();
  }

  @ParameterizedTest
  @MethodSource("regionServerPages")
  void showsARegionServersPage(String page) throws Exception {
    var path =
        switch (page) {
          case "/region.jsp" -> page + "?name=" + pages.region();
          case "/storeFile.jsp" ->
              page
                  + "?name="
                  + URLEncoder.encode(pages.storeFile().toString(), StandardCharsets.UTF_8);
          default -> page;
        };
    openUnlessPart(pages.regionServer() + path, assertShows(pages.regionServer(), path));
  }

  @Test
  void showsWhatThereIs() throws Exception {
    var master = pages.master();
    assertThat(get(master, "/master-status").body()).contains("table.jsp?name=t");
    assertThat(get(master, "/table.jsp?name=t").body()).contains(pages.region());
    assertThat(get(master, "/userSnapshots.jsp").body())
        .contains("snapshot.jsp?name=" + ServedPages.SNAPSHOT);
    assertThat(get(pages.regionServer(), "/rs-status").body()).contains(pages.region());
    assertThat(get(pages.regionServer(), "/region.jsp?name=" + pages.region()).body())
        .contains(pages.storeFile().getFileName().toString());
  }

  @Test
  void showsOneTabByLinkByKeyboardAndByAddress() {
    open(pages.master() + "/master-status");
    assertThat(shownTabs()).containsExactly("tab_baseStats");

    browser.evaluate("document.querySelector('a[href=\"#tab_memoryStats\"]').click()");
    assertThat(shownTabs()).containsExactly("tab_memoryStats");
    assertThat(browser.evaluate("location.hash").asText()).isEqualTo("#tab_memoryStats");

    browser.evaluate("document.querySelector('a[href=\"#tab_requestStats\"]').focus()");
    browser.press("Enter");
    await("the tab is shown")
        .atMost(Duration.ofMinutes(2))
        .until(() -> shownTabs().equals(List.of("tab_requestStats")));

    open(pages.master() + "/master-status?#tab_storeStats");
    assertThat(shownTabs()).containsExactly("tab_storeStats");
  }

  /** Those beside the tab with the requests of region servers. */
  private static List<String> shownTabs() {
    return texts(
        "[...document.getElementById('tab_requestStats').parentNode.children]"
            + ".filter(it => it.checkVisibility()).map(it => it.id)");
  }

  @Test
  void sortsByNumberAndByKey() {
    // The master knows the number of requests some time after they were made.
    await("the master's figures")
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(
            () -> {
              open(pages.master() + "/table.jsp?name=u");
              assertThat(column("WriteRequests")).containsExactlyInAnyOrder("12", "3", "100");
            });

    clickHeading("WriteRequests");
    assertThat(column("WriteRequests")).containsExactly("3", "12", "100");
    clickHeading("WriteRequests");
    assertThat(column("WriteRequests")).containsExactly("100", "12", "3");

    // An empty key is the begin of the first region, and the end of the last one.
    clickHeading("Start Key");
    assertThat(column("Start Key")).containsExactly("", "1", "2");
    clickHeading("End Key");
    assertThat(column("End Key")).containsExactly("1", "2", "");
  }

  @Test
  void sortsByKeyboard() {
    open(pages.master() + "/table.jsp?name=u");
    browser.evaluate(heading("Start Key") + ".querySelector('button').focus()");

    browser.press("Enter");
    browser.press("Enter");

    await("the table is sorted")
        .atMost(Duration.ofMinutes(2))
        .until(() -> column("Start Key").equals(List.of("2", "1", "")));
    assertThat(browser.evaluate(heading("Start Key") + ".ariaSort").asText())
        .isEqualTo("descending");
  }

  private static String heading(String text) {
    return "[...document.querySelectorAll('"
        + SORTED
        + " th')].find(it => it.innerText.startsWith('"
        + text
        + "'))";
  }

  private static void clickHeading(String text) {
    browser.evaluate(heading(text) + ".querySelector('button').click()");
  }

  private static List<String> column(String text) {
    return texts(
        "[...document.querySelectorAll('"
            + SORTED
            + " tr')].filter(it => it.querySelector('td'))"
            + ".map(it => it.cells["
            + heading(text)
            + ".cellIndex].textContent.trim())");
  }

  private static List<String> texts(String script) {
    var texts = new ArrayList<String>();
    browser.evaluate(script).forEach(it -> texts.add(it.asText()));
    return texts;
  }

  /** A part of other pages names no icon, so the browser would request one that is not there. */
  private static void openUnlessPart(String url, String body) {
    if (body.contains("/static/favicon.ico")) {
      open(url);
    }
  }

  /** Opens a page in the browser; it must have no error. */
  private static void open(String url) {
    int before = browser.problems().size();
    browser.open("about:blank");
    browser.open(url);
    await("the page is loaded")
        .atMost(Duration.ofSeconds(30))
        .until(
            () ->
                browser
                    .evaluate("location.protocol + document.readyState")
                    .asText()
                    .equals("http:complete"));
    assertThat(browser.problems()).as("errors of %s", url).hasSize(before);
  }

  /** The pages authenticate no user, and a GET would be enough. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "/table.jsp?name=t&action=split&key=m",
        "/table.jsp?name=t&action=compact",
        "/snapshot.jsp?name=s&action=restore",
        "/snapshot.jsp?name=s&action=clone&cloneName=copy"
      })
  void changesNothing(String page) throws Exception {
    var body = assertShows(pages.master(), page);

    assertThat(body).doesNotContain("request accepted", "request has been");
    assertThat(body).doesNotContainPattern("<form|name=\"action\"");
    try (var admin = pages.admin()) {
      assertThat(admin.getRegions(ServedPages.TABLE)).hasSize(1);
      assertThat(admin.tableExists(TableName.valueOf("copy"))).isFalse();
    }
  }

  private String assertShows(String server, String page) throws Exception {
    var response = get(server, page);

    assertThat(response.statusCode()).as(page).isEqualTo(200);
    assertThat(response.body()).doesNotContainPattern(FAILURE);
    var files =
        STATIC.matcher(response.body()).results().map(it -> it.group(1)).distinct().toList();
    for (var file : files) {
      assertThat(get(server, file).statusCode()).as(file).isEqualTo(200);
    }
    return response.body();
  }

  private HttpResponse<String> get(String server, String page) throws Exception {
    return http.send(
        HttpRequest.newBuilder(URI.create(server + page)).timeout(Duration.ofSeconds(30)).build(),
        BodyHandlers.ofString());
  }

  private static Set<String> declared(String role, Pattern pattern) throws IOException {
    var descriptor = Files.readString(PAGES.resolve(role).resolve("WEB-INF/web.xml"));
    return pattern.matcher(descriptor).results().map(it -> it.group(1)).collect(Collectors.toSet());
  }
}
