package io.offheap.hbase.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

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
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipFile;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.master.HMaster;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * HBase's own pages, of a real master and a real region server, with the files that the image has
 * for them.
 */
class WebPagesIT {
  private static final Path PAGES = Path.of("../pages/hbase-webapps");
  private static final TableName TABLE = TableName.valueOf("t");
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final String SNAPSHOT = "s";
  private static final Pattern PATH = Pattern.compile("<url-pattern>(/[^<]+)</url-pattern>");
  private static final Pattern CLASS = Pattern.compile("<servlet-class>([^<]+)</servlet-class>");
  private static final Pattern STATIC = Pattern.compile("(?:href|src)=\"(/static/[^\"]+)\"");

  /** What the web server's page about a failure has, and none of HBase's. */
  private static final Pattern FAILURE =
      Pattern.compile("HTTP ERROR|Caused by:|\\bat org\\.apache\\.|Exception:");

  private static HBaseProcess hbase;
  private static Connection connection;
  private static String master;
  private static String regionServer;
  private static String region;
  private static Path storeFile;

  private final HttpClient http = HttpClient.newHttpClient();

  @BeforeAll
  static void start(@TempDir Path folder) throws Exception {
    hbase = HBaseProcess.start(folder);
    try {
      connection = ConnectionFactory.createConnection(hbase.clientConfiguration());
      await("HBase serves")
          .atMost(Duration.ofMinutes(3))
          .ignoreExceptions()
          .until(WebPagesIT::hasServers);
      fillTable();
      find();
    } catch (Throwable e) {
      Files.readAllLines(folder.resolve("hbase.log")).forEach(System.err::println);
      throw e;
    }
  }

  private static boolean hasServers() throws IOException {
    assertThat(hbase.isAlive()).isTrue();
    try (var admin = connection.getAdmin()) {
      return admin.getRegionServers().size() == 2 && admin.tableExists(TableName.META_TABLE_NAME);
    }
  }

  private static void fillTable() throws IOException {
    try (var admin = connection.getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(TABLE)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
              .build());
      try (var table = connection.getTable(TABLE)) {
        table.put(
            new Put(Bytes.toBytes("row")).addColumn(FAMILY, FAMILY, Bytes.toBytes("a value")));
      }
      admin.flush(TABLE);
      admin.snapshot(SNAPSHOT, TABLE);
    }
  }

  private static void find() throws IOException {
    try (var admin = connection.getAdmin();
        var locator = connection.getRegionLocator(TABLE)) {
      var location = locator.getAllRegionLocations().get(0);
      region = location.getRegion().getEncodedName();
      var metrics = admin.getClusterMetrics();
      master = "http://localhost:" + metrics.getMasterInfoPort();
      regionServer =
          "http://localhost:"
              + metrics.getLiveServerMetrics().get(location.getServerName()).getInfoServerPort();
    }
    var family = hbase.folder().resolve("root/data/default/t").resolve(region).resolve("f");
    try (var files = Files.list(family)) {
      storeFile = files.filter(it -> !it.getFileName().toString().startsWith(".")).findAny().get();
    }
  }

  @AfterAll
  static void stop() throws Exception {
    try (var closedLast = hbase;
        var closedFirst = connection) {
      assertThat(hbase.isAlive()).isTrue();
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
                          case "/snapshot.jsp" -> it + "?name=" + SNAPSHOT;
                          case "/rsgroup.jsp" -> it + "?name=default";
                          default -> it;
                        }))
        .toList();
  }

  @ParameterizedTest
  @MethodSource("masterPages")
  void showsAMastersPage(String page) throws Exception {
    assertShows(master, page);
  }

  static List<String> regionServerPages() throws IOException {
    return Stream.concat(Stream.of("/", "/rs-status"), declared("regionserver", PATH).stream())
        .toList();
  }

  @ParameterizedTest
  @MethodSource("regionServerPages")
  void showsARegionServersPage(String page) throws Exception {
    assertShows(
        regionServer,
        switch (page) {
          case "/region.jsp" -> page + "?name=" + region;
          case "/storeFile.jsp" ->
              page + "?name=" + URLEncoder.encode(storeFile.toString(), StandardCharsets.UTF_8);
          default -> page;
        });
  }

  @Test
  void showsWhatThereIs() throws Exception {
    assertThat(get(master, "/master-status").body()).contains("table.jsp?name=t");
    assertThat(get(master, "/table.jsp?name=t").body()).contains(region);
    assertThat(get(master, "/userSnapshots.jsp").body()).contains("snapshot.jsp?name=" + SNAPSHOT);
    assertThat(get(regionServer, "/rs-status").body()).contains(region);
    assertThat(get(regionServer, "/region.jsp?name=" + region).body())
        .contains(storeFile.getFileName().toString());
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
    var body = assertShows(master, page);

    assertThat(body).doesNotContain("request accepted", "request has been");
    assertThat(body).doesNotContainPattern("<form|name=\"action\"");
    try (var admin = connection.getAdmin()) {
      assertThat(admin.getRegions(TABLE)).hasSize(1);
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
