package io.offheap.hbase.operator.observe;

import static io.offheap.hbase.operator.deploy.Role.DATANODE;
import static io.offheap.hbase.operator.deploy.Role.NAMENODE;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ObservedImagesTest {
  private static final String OLD = "hbase:1";
  private static final String NEW = "hbase:2";

  @Test
  void servesOnceAPodOfTheTemplateIsReady() {
    assertThat(nameNode().starting(NAMENODE, 0, NEW).observed().doesServe(NAMENODE, NEW)).isFalse();
    assertThat(nameNode().ready(NAMENODE, 0, OLD).observed().doesServe(NAMENODE, NEW)).isFalse();
    assertThat(nameNode().ready(NAMENODE, 0, NEW).observed().doesServe(NAMENODE, NEW)).isTrue();
    assertThat(nameNode().ready(NAMENODE, 0, NEW).observed().doesServe(NAMENODE, OLD)).isFalse();
    assertThat(nameNode().ready(NAMENODE, 0, NEW).observed().doesServe(DATANODE, NEW)).isFalse();
  }

  /** Another version of the operator has another template of the same declaration. */
  @Test
  void oneOfTheHashesIsEnough() {
    assertThat(nameNode().ready(NAMENODE, 0, NEW, "x").observed().doesServe(NAMENODE, NEW))
        .isTrue();
    assertThat(nameNode().ready(NAMENODE, 0, "x", NEW).observed().doesServe(NAMENODE, NEW))
        .isTrue();
    assertThat(nameNode().ready(NAMENODE, 0, "x", "x").observed().doesServe(NAMENODE, NEW))
        .isFalse();
  }

  @Test
  void allServeIfAsManyAsDeclaredAreReady() {
    var two = new SetsAndPods().set(DATANODE, 2, OLD).ready(DATANODE, 0, OLD);
    assertThat(two.observed().doAllServe(DATANODE)).isFalse();
    assertThat(two.ready(DATANODE, 1, NEW).observed().doAllServe(DATANODE)).isTrue();
    assertThat(ObservedImages.NONE.doAllServe(DATANODE)).isFalse();
  }

  @Test
  void lackOfANodeIsNoTroubleOfTheImage() {
    assertThat(nameNode().withoutImage(NAMENODE, 0, OLD).observed().cannotStart(NAMENODE)).isTrue();
    assertThat(nameNode().withoutImage(NAMENODE, 0, OLD).observed().cannotStart(DATANODE))
        .isFalse();
    assertThat(nameNode().withoutNode(NAMENODE, 0, OLD).observed().cannotStart(NAMENODE)).isFalse();
    assertThat(nameNode().starting(NAMENODE, 0, OLD).observed().cannotStart(NAMENODE)).isFalse();
  }

  @Test
  void maySoonServeUnlessItCannotStartOrHasAnotherImage() {
    assertThat(nameNode().observed().mayServe(NAMENODE, NEW)).as("about to be made").isTrue();
    assertThat(nameNode().starting(NAMENODE, 0, NEW).observed().mayServe(NAMENODE, NEW)).isTrue();
    assertThat(nameNode().ready(NAMENODE, 0, NEW).observed().mayServe(NAMENODE, NEW)).isTrue();
    assertThat(nameNode().withoutImage(NAMENODE, 0, NEW).observed().mayServe(NAMENODE, NEW))
        .isFalse();
    assertThat(nameNode().ready(NAMENODE, 0, OLD).observed().mayServe(NAMENODE, NEW)).isFalse();
    assertThat(nameNode().observed().mayServe(NAMENODE, OLD)).as("no template").isFalse();
  }

  @Test
  void templateHasTheImageOfTheRolesContainer() {
    assertThat(nameNode().observed().isOfTemplate(NAMENODE, NEW)).isTrue();
    assertThat(nameNode().observed().isOfTemplate(NAMENODE, "other:1")).isFalse();
    assertThat(nameNode().observed().isOfTemplate(DATANODE, NEW)).isFalse();
  }

  private static SetsAndPods nameNode() {
    return new SetsAndPods().set(NAMENODE, 1, NEW);
  }
}
