package io.offheap.hbase.operator.reconcile;

import static java.time.ZoneOffset.UTC;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.client.utils.Serialization;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.HBaseClusterStatus;
import io.offheap.hbase.operator.api.HBaseClusterStatus.Images;
import io.offheap.hbase.operator.api.HBaseClusterStatus.LastGood;
import io.offheap.hbase.operator.api.HBaseClusterStatus.LiveStatus;
import io.offheap.hbase.operator.api.HBaseClusterStatus.Table;
import io.offheap.hbase.operator.api.RolloutStatus.Proven;
import io.offheap.hbase.operator.api.RolloutStatus.RolledBack;
import io.offheap.hbase.operator.api.TuningStatus;
import io.offheap.hbase.operator.declare.ClusterPlan;
import io.offheap.hbase.operator.declare.Identity;
import io.offheap.hbase.operator.declare.ObservedInputs;
import io.offheap.hbase.operator.declare.Plans;
import io.offheap.hbase.operator.declare.PodRights;
import io.offheap.hbase.operator.observe.ObservedImages;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What outlives a resource, as a text and back, and what of a text counts. */
class RememberedTest {
  private static final String KEY = "hbase.server.allocator.max.buffer.count";
  private static final Instant NOW = Instant.parse("2025-11-02T02:00:00Z");
  private static final String OWN = "ours/hbase:2";
  private static final Images IMAGES = new Images("ours/hbase:1", "ours/hbase:0");
  private static final LiveStatus LIVE =
      new LiveStatus(3L, List.of(new Table("t:f", 65_536, 0, 0, 0)), 1L << 30, null);
  private static final RolledBack BACK =
      new RolledBack("", "0123456789", "NotServing", List.of(), "2025-11-01T02:00:00Z");

  @Test
  void whatIsWrittenIsRead() {
    var before = status(cluster("2Gi"), tuning(KEY, "100"));

    var written = Remembered.of(applied(cluster("1Gi"), before), Optional.empty());
    var read = read(written.text());

    assertThat(read).isEqualTo(written);
    assertThat(read.images()).isEqualTo(IMAGES);
    assertThat(read.rolledBack()).containsExactly(BACK);
    assertThat(read.lastGood().spec()).isEqualTo(cluster("2Gi").getSpec());
    assertThat(read.tuning().groups().get(0).values().get(0).value()).isEqualTo("100");
    var check = check(cluster("1Gi"), Set.of());
    assertThat(check.check(read).lastGood().spec()).isEqualTo(cluster("2Gi").getSpec());
    assertThat(check.problems()).isEmpty();
  }

  /** A config map that was written where {@code storage.managed} was named managedHdfs. */
  @Test
  void whatTheVersionBeforeWroteIsRead() {
    var spec =
        parse(
                """
                zookeeper: {managed: {heap: 512Mi}}
                storage: {managed: {dataNodes: 3, nameNode: {heap: 1Gi}}}
                regionServers: {memory: {heap: 1Gi, offHeap: 512Mi}}
                """)
            .getSpec();
    var read =
        read(
            """
            {"version": 1,
             "declared": "6c4fb7377dd98d3ef9e6e0a020eedc1b45a17645a9a4dae5646c13072a9d7cbc",
             "lastGood": {"spec": {"json": "{\\"storage\\": {\\"managedHdfs\\": {}}}"}}}
            """);

    assertThat(read.declared()).as("the same spec").isEqualTo(SpecFingerprint.of(spec));
    assertThat(read.lastGood().spec().storage().managed().dataNodes()).isEqualTo(1);
  }

  /** At rest nothing is written: neither what another pass reports anew nor a generation counts. */
  @Test
  void whatIsReportedAnewInEachPassIsNotInIt() {
    var cluster = cluster("1Gi");
    var one = Remembered.of(applied(cluster, status(cluster, tuning(KEY, "1"))), Optional.empty());
    cluster.getMetadata().setGeneration(9L);
    var group = tuning(KEY, "1").groups().get(0);
    var other =
        new TuningStatus(
            List.of(
                new TuningStatus.Group(
                    group.name(),
                    "Gathering",
                    "another message",
                    List.of(new TuningStatus.Suspicion("PoolTooSmall", "a leak")),
                    group.values(),
                    null,
                    new TuningStatus.Recommendation("1", "r", Map.of(), "", List.of(), ""),
                    group.rules(),
                    group.history(),
                    group.restarts(),
                    null,
                    1)));

    assertThat(Remembered.of(applied(cluster, status(cluster, other)), Optional.empty()).text())
        .isEqualTo(one.text());
    assertThat(one.lastGood().spec()).as("it is the declared one").isNull();
  }

  @Test
  void theOrderOfKeysAndTheNumberOfServersAreNoOtherSpec() {
    var spec = cluster("1Gi").getSpec();

    assertThat(SpecFingerprint.of(cluster("1Gi", "replicas: 7").getSpec()))
        .isEqualTo(SpecFingerprint.of(spec))
        .matches("[0-9a-f]{64}");
    assertThat(SpecFingerprint.of(cluster("1Gi", "config: {a: '1', b: '2'}").getSpec()))
        .isEqualTo(SpecFingerprint.of(cluster("1Gi", "config: {b: '2', a: '1'}").getSpec()))
        .isNotEqualTo(SpecFingerprint.of(spec));
    assertThat(SpecFingerprint.of(cluster("2Gi").getSpec())).isNotEqualTo(SpecFingerprint.of(spec));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "yes",
        "null",
        "[]",
        "{}",
        "{\"version\": 2}",
        "{\"version\": \"1\"}",
        "{\"version\": 1, \"unknown\": 1}",
        "{\"version\": 1, \"version\": 1}",
        "{\"version\": 1} {}",
        "{\"version\": 1, \"images\": 3}",
        "{\"version\": 1, \"hbase\": {\"servers\": 3}}",
        "{\"version\": 1, \"lastGood\": {\"spec\": {\"nothing\": 1}}}",
      })
  void aTextThatIsNoneIsRefused(String text) {
    assertThatThrownBy(() -> read(text)).isInstanceOf(IllegalArgumentException.class);
  }

  /** A part that another version wrote is no reason to leave servers drained, nor to lose data. */
  @ParameterizedTest
  @ValueSource(strings = {"'unknown': 1", "'live': 3", "'lastGood': {'spec': {'nothing': 1}}"})
  void partThatCannotBeReadLeavesTheOthers(String part) {
    var problems = new ArrayList<String>();
    var text =
        json(
            part
                + ", 'hbase': {'identity': [OURS], 'balancer': true},"
                + " 'images': {'defaultImage': 'a', 'infrastructure': 'b'},"
                + " 'nodes': {'zookeeper': 3, 'dataNodes': 5}",
            cluster("1Gi"));

    var read = Remembered.read(text, problems::add);

    assertThat(read.hbase().balancer()).isTrue();
    assertThat(read.images().infrastructure()).isEqualTo("b");
    assertThat(read.nodes()).isEqualTo(new KeptNodes.Counts(3, 5));
    assertThat(read.lastGood()).isNull();
    assertThat(problems)
        .singleElement()
        .asString()
        .startsWith(part.substring(1, part.indexOf("':")) + " is left out: ");
  }

  @Test
  void partsThatAreUnknownAreOneProblem() {
    var problems = new ArrayList<String>();

    Remembered.read(json("'a': 1, 'b': 1, 'c': 1", cluster("1Gi")), problems::add);

    assertThat(problems).hasSize(1);
  }

  /** One that is left out must not permit fewer servers of the other kind. */
  @Test
  void numberOfServersIsCheckedByItself() {
    var check = check(cluster("1Gi"), Set.of());
    var read = read(json("'nodes': {'zookeeper': 6, 'dataNodes': 5}", cluster("1Gi")));

    assertThat(check.check(read).nodes()).isEqualTo(new KeptNodes.Counts(null, 5));
    assertThat(check.problems()).containsExactly("nodes.zookeeper is left out: 6 is not 1 to 5");
  }

  @Test
  void aTextThatIsTooLongIsRefused() {
    assertThatThrownBy(() -> read("{" + " ".repeat(Remembered.LONGEST) + "}"))
        .hasMessageContaining("characters");
  }

  @ParameterizedTest
  @CsvSource({
    "hbase.rootdir, 1",
    "OnOutOfMemoryError, 1",
    "hbase.server.allocator.max.buffer.count, -1",
    "hbase.server.allocator.max.buffer.count, NaN",
    "hbase.server.allocator.max.buffer.count, 1 -XX:OnError=x",
    "hbase.server.allocator.max.buffer.count, 9999999999999999999",
  })
  void whatIsNoTunedValueIsLeftOut(String key, String value) {
    var cluster = cluster("1Gi");
    var check = check(cluster, Set.of());
    var good =
        new LastGood(
            null,
            new LiveStatus(
                null,
                null,
                null,
                List.of(
                    new TuningStatus.GroupValues(
                        "", List.of(new TuningStatus.Value(key, value, "x"))))));

    var left = check.check(remembered(IMAGES, tuning(key, value), good, null));

    assertThat(left.tuning()).isNull();
    assertThat(left.lastGood()).isNull();
    assertThat(check.problems()).hasSize(2);
  }

  /** Each of these would end every pass, or stop tuning for good. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "'rolledBack': [BACK, BACK]",
        "'rolledBack': [{'group': '', 'declared': '0', 'reason': '', 'evidence': [], 'at': 'x'}]",
        "'rolledBack': [{'declared': '0', 'reason': '', 'evidence': [], 'at': 'PAST'}]",
        "'rolledBack': [{'group': '', 'declared': '0', 'reason': '', 'evidence': [null],"
            + " 'at': 'PAST'}]",
        "'rolledBack': [{'group': '', 'declared': '0', 'reason': '', 'evidence': [],"
            + " 'at': 'FUTURE'}]",
        "'live': {'tables': [TABLE, TABLE]}",
        "'live': {'tables': [null]}",
        "'tuning': {}",
        "'tuning': {'groups': [null]}",
        "'tuning': {'groups': [{'trials': 0}]}",
        "'tuning': {'groups': [{GROUP}, {GROUP}]}",
        "'tuning': {'groups': [{GROUP, 'restarts': ['LAST']}]}",
        "'tuning': {'groups': [{GROUP, 'restarts': ['FIRST']}]}",
        "'tuning': {'groups': [{GROUP, 'restarts': [], 'lastChange': 'FUTURE'}]}",
        "'tuning': {'groups': [{GROUP, 'restarts': [], 'trial': {'rule': 'PoolTooSmall',"
            + " 'values': {}, 'before': [], 'baseline': {}, 'phase': 'Watching',"
            + " 'since': 'FUTURE'}}]}",
        "'hbase': {'identity': [OURS], 'servers': {'hb-regionserver-0': null}}",
      })
  void whatAPassCannotReadIsLeftOut(String part) {
    var cluster = cluster("1Gi");
    var check = check(cluster, Set.of());

    var read = read(json(part, cluster));
    var left = check.check(read);

    assertThat(check.left(read)).isEmpty();
    assertThat(
            Stream.of(
                left.images(), left.live(), left.tuning(), left.rolledBack(), left.lastGood()))
        .containsOnlyNulls();
    assertThat(check.problems()).hasSize(1);
  }

  /** What is left out above is left out for the reason given there. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "'rolledBack': [BACK]",
        "'live': {'tables': [TABLE]}",
        "'tuning': {'groups': [{GROUP, 'restarts': ['PAST'], 'lastChange': 'SOON', 'trial': {"
            + "'rule': 'PoolTooSmall', 'values': {}, 'before': [], 'baseline': {},"
            + " 'phase': 'Watching', 'since': 'PAST'}}]}",
        "'hbase': {'identity': [OURS]}",
      })
  void whatAPassCanReadCounts(String part) {
    var cluster = cluster("1Gi");
    var check = check(cluster, Set.of());
    var read = read(json(part, cluster));

    var left = check.check(read);

    assertThat(check.problems()).isEmpty();
    assertThat(
            Stream.of(left.live(), left.tuning(), left.rolledBack(), check.left(read).orElse(null)))
        .filteredOn(Objects::nonNull)
        .hasSize(1);
  }

  /** A status without groups, by whatever hand, is no reason to end a pass. */
  @Test
  void aTuningWithoutGroupsIsNotKept() {
    var status =
        HBaseClusterStatus.empty()
            .remembering(null, IMAGES, null, null, null, new TuningStatus(null));

    assertThat(Remembered.of(applied(cluster("1Gi"), status), Optional.empty()).tuning()).isNull();
  }

  private static String json(String part, HBaseCluster cluster) {
    var text =
        "{'version': 1, PART}"
            .replace("PART", part)
            .replace(
                "BACK",
                "{'group': '', 'declared': '0', 'reason': '', 'evidence': [], 'at': 'PAST'}")
            .replace(
                "TABLE",
                "{'name': 't:f', 'blockSize': 65536, 'indexBlockSize': 0, 'bloomBlockSize': 0,"
                    + " 'cellSize': 0}")
            .replace("GROUP", "'name': '', 'values': [], 'rules': [], 'history': [], 'trials': 0")
            .replace("OURS", "'" + Identity.of(cluster).get(0) + "'")
            .replace("PAST", NOW.minusSeconds(60).toString())
            .replace("SOON", NOW.plus(Duration.ofHours(23)).toString())
            .replace("FUTURE", NOW.plus(Duration.ofHours(25)).toString())
            .replace("FIRST", Instant.MIN.toString())
            .replace("LAST", Instant.MAX.toString());
    return text.replace('\'', '"');
  }

  /** A rollback deploys it, so it must not be more than could be declared. */
  @Test
  void aLastGoodSpecOfAnotherHBaseOrImageOrForbiddenTemplateIsLeftOut() {
    var declared = withImage("{repository: theirs/hbase, tag: '1'}");
    for (var other :
        List.of(
            withImage("{repository: evil/hbase, tag: '1'}"),
            parse(
                """
                zookeeper: {managed: {}}
                storage: {managed: {storage: {size: 20Gi}}}
                regionServers: {memory: {heap: 1Gi, offHeap: 512Mi}}
                """),
            parse(
                """
                zookeeper: {external: {quorum: evil}}
                storage: {managed: {}}
                regionServers: {memory: {heap: 1Gi, offHeap: 512Mi}}
                """),
            parse(
                """
                zookeeper: {managed: {}}
                storage: {managed: {}}
                regionServers:
                  memory: {heap: 1Gi, offHeap: 512Mi}
                  podTemplate: {spec: {volumes: [{name: host, hostPath: {path: /}}]}}
                """))) {
      var check = check(declared, Set.of());

      var left =
          check.check(remembered(IMAGES, null, new LastGood(other.getSpec(), null), List.of(BACK)));

      assertThat(left.lastGood()).isNull();
      assertThat(check.problems()).hasSize(1);
    }
  }

  /** A rollback must not be left out for it, nor may it delete data. */
  @Test
  void aLastGoodSpecHasTheDeclaredClaims() {
    var text =
        """
        zookeeper: {managed: {storage: {size: 1Gi, deleteClaim: CLAIM}}}
        storage: {managed: {storage: {size: 10Gi, deleteClaim: CLAIM}}}
        regionServers: {memory: {heap: HEAP, offHeap: 512Mi}}
        """;
    var declared = parse(text.replace("CLAIM", "false").replace("HEAP", "2Gi"));
    var good = parse(text.replace("CLAIM", "true").replace("HEAP", "1Gi"));
    var check = check(declared, Set.of());

    var left = check.check(remembered(IMAGES, null, new LastGood(good.getSpec(), null), null));

    assertThat(check.problems()).isEmpty();
    assertThat(left.lastGood().spec())
        .isEqualTo(parse(text.replace("CLAIM", "false").replace("HEAP", "1Gi")).getSpec());
  }

  @Test
  void whatHBaseIsToHaveBackIsKeptUntilStatusHasARollout() {
    var cluster = cluster("1Gi");
    var left = new RolloutCopy(Identity.of(cluster), true, false, Map.of());

    assertThat(Remembered.of(applied(cluster, null), Optional.of(left)).hbase()).isEqualTo(left);
    assertThat(Remembered.of(applied(cluster, null), Optional.empty()).hbase()).isNull();
  }

  private static Remembered read(String text) {
    return Remembered.read(
        text,
        problem -> {
          throw new IllegalArgumentException(problem);
        });
  }

  private static RememberedCheck check(HBaseCluster cluster, Set<String> allowed) {
    return new RememberedCheck(
        cluster, new PermittedImages(OWN, allowed), PodRights.NONE, Clock.fixed(NOW, UTC));
  }

  private static Remembered remembered(
      Images images, TuningStatus tuning, LastGood good, List<RolledBack> back) {
    return new Remembered(1, "", images, null, tuning, good, back, null, null, null);
  }

  private static TuningStatus tuning(String key, String value) {
    return new TuningStatus(
        List.of(
            new TuningStatus.Group(
                "",
                "Watching",
                "watching",
                null,
                List.of(new TuningStatus.Value(key, value, "PoolTooSmall")),
                null,
                null,
                List.of(),
                List.of(),
                List.of(),
                null,
                1)));
  }

  private static HBaseClusterStatus status(HBaseCluster good, TuningStatus tuning) {
    return HBaseClusterStatus.empty()
        .remembering(
            LIVE,
            IMAGES,
            new LastGood(good.getSpec(), LIVE),
            List.of(BACK),
            List.of(new Proven("", "abc")),
            tuning);
  }

  private static Applied applied(HBaseCluster cluster, HBaseClusterStatus status) {
    cluster.setStatus(status);
    var plans = (ClusterPlan.Planned) new Plans().of(cluster, ObservedInputs.NOTHING);
    return Applied.of(
        new Plans(), cluster, plans.groups(), Optional.of(LIVE), OWN, ObservedImages.NONE);
  }

  private static HBaseCluster cluster(String heap, String... more) {
    return parse(
        """
        zookeeper: {managed: {}}
        storage: {managed: {}}
        regionServers:
          memory: {heap: HEAP, offHeap: 512Mi}
        """
                .replace("HEAP", heap)
            + String.join("\n", more).indent(2));
  }

  private static HBaseCluster withImage(String image) {
    return parse(
        """
        image: IMAGE
        zookeeper: {managed: {}}
        storage: {managed: {}}
        regionServers: {memory: {heap: 1Gi, offHeap: 512Mi}}
        """
            .replace("IMAGE", image));
  }

  private static HBaseCluster parse(String spec) {
    return Serialization.unmarshal(
        "metadata: {name: hb, namespace: ns, generation: 1}\nspec:\n" + spec.indent(2),
        HBaseCluster.class);
  }
}
