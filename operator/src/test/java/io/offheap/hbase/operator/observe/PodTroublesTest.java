package io.offheap.hbase.operator.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.offheap.hbase.operator.rollout.PodTrouble;
import io.offheap.hbase.operator.rollout.PodTrouble.Kind;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is read from the status of a pod that does not serve. */
class PodTroublesTest {
  private static final String ENDED =
      "{terminated: {exitCode: 1, reason: Error, message: \"one\\ntwo\\nUnrecognized option\\n\"}}";

  @Test
  void oneExitMayBeAnAccident() {
    assertThat(of("restartCount: 0, state: " + ENDED)).isEmpty();
    assertThat(of("restartCount: 1, state: {running: {}}, lastState: " + ENDED)).isEmpty();
    assertThat(
            of(
                "restartCount: 0, state: {waiting: {reason: CrashLoopBackOff}}, lastState: "
                    + ENDED))
        .isEmpty();
  }

  @Test
  void theSecondExitIsSeenBeforeItsRestart() {
    assertThat(of("restartCount: 1, lastState: " + ENDED + ", state: " + ENDED))
        .contains(
            new PodTrouble(
                Kind.EXITS,
                "has ended 2 times, last with exit code 1 (Error): one | two | Unrecognized"
                    + " option"));
    var statistic = "[2.697s][info ][gc,metaspace,freelist,oom] num_chunk_splits: 607.\\n";
    var error = "Terminating due to java.lang.OutOfMemoryError: Metaspace";
    var filled = "{terminated: {exitCode: 3, message: \"" + error + "\\n" + statistic + "\"}}";
    assertThat(of("restartCount: 1, lastState: " + ENDED + ", state: " + filled))
        .map(PodTrouble::text)
        .contains("has ended 2 times, last with exit code 3: " + error);
    assertThat(
            of(
                "restartCount: 1, state: {waiting: {reason: CrashLoopBackOff}}, lastState: "
                    + ENDED))
        .map(PodTrouble::kind)
        .contains(Kind.EXITS);
    assertThat(of("restartCount: 2, state: {running: {}}, lastState: " + ENDED))
        .map(PodTrouble::kind)
        .contains(Kind.EXITS);
  }

  @Test
  void whoIsReadyHasNoTrouble() {
    assertThat(of("ready: true, restartCount: 7, state: {running: {}}, lastState: " + ENDED))
        .isEmpty();
  }

  @Test
  void imagesAndContainers() {
    assertThat(of("state: {waiting: {reason: ImagePullBackOff, message: no such tag}}"))
        .contains(
            new PodTrouble(Kind.NO_IMAGE, "cannot pull its image: ImagePullBackOff, no such tag"));
    assertThat(of("state: {waiting: {reason: CreateContainerConfigError, message: no map}}"))
        .contains(
            new PodTrouble(
                Kind.NO_CONTAINER, "has no container: CreateContainerConfigError, no map"));
    assertThat(of("state: {waiting: {reason: ContainerCreating}}")).isEmpty();
  }

  /** The others wait for an init container, and have no trouble of their own. */
  @Test
  void initContainers() {
    var waiting = "{state: {waiting: {reason: PodInitializing}}}";

    assertThat(
            PodTroubles.of(
                pod(
                    "{initContainerStatuses: [{state: {waiting: {reason: ErrImagePull, message:"
                        + " none}}}], containerStatuses: ["
                        + waiting
                        + "]}")))
        .contains(new PodTrouble(Kind.NO_IMAGE, "cannot pull its image: ErrImagePull, none"));
    assertThat(
            PodTroubles.of(
                pod(
                    "{initContainerStatuses: [{ready: true, restartCount: 3, state: "
                        + "{terminated: {exitCode: 0, reason: Completed}}}], containerStatuses: ["
                        + waiting
                        + "]}")))
        .isEmpty();
  }

  @Test
  void schedulersWords() {
    assertThat(
            PodTroubles.of(
                pod(
                    "{conditions: [{type: PodScheduled, status: \"False\","
                        + " message: 0/3 nodes are available}]}")))
        .contains(new PodTrouble(Kind.NO_NODE, "has no node: 0/3 nodes are available"));
    assertThat(PodTroubles.of(pod("{conditions: [{type: PodScheduled, status: \"True\"}]}")))
        .isEmpty();
    assertThat(PodTroubles.of(pod("{conditions: [{type: PodScheduled, status: \"False\"}]}")))
        .isPresent();
  }

  /** What a process logs goes into a condition, which people read on a terminal. */
  @Test
  void lastLinesOfLogAreShort() {
    var words = "x".repeat(5000) + "\\n\\u001b[31m\\u009b\\u2028red\\u0000";

    var text =
        of("restartCount: 2, state: {terminated: {exitCode: 3, message: \"" + words + "\"}}")
            .orElseThrow()
            .text();

    assertThat(text)
        .endsWith("red")
        .hasSizeLessThan(700)
        .doesNotContain("\u001b", "\u009b", "\u2028");
  }

  private static Optional<PodTrouble> of(String container) {
    return PodTroubles.of(pod("{containerStatuses: [{name: it, " + container + "}]}"));
  }

  private static Pod pod(String status) {
    return Serialization.unmarshal(
        "apiVersion: v1\nkind: Pod\nmetadata: {name: it}\nstatus: " + status, Pod.class);
  }
}
