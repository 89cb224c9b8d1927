package io.offheap.hbase.operator.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.utils.Serialization;
import io.offheap.hbase.operator.api.HBaseCluster;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MoveLimitsTest {
  @Test
  void areHBasesDefaultWhereNothingIsDeclared() {
    assertThat(limits("")).isEqualTo(new MoveLimits(8, 3));
    assertThat(limits("  rollout: {parallelMoves: 100}")).isEqualTo(new MoveLimits(100, 3));
  }

  @ParameterizedTest
  @CsvSource({"20, 20", "1, 1", "0, 3", "-1, 3", "many, 3", "' 5 ', 5"})
  void haveWhatAServerOpensAtOnce(String declared, int toOneServer) {
    assertThat(limits("  regionServers: {config: {%s}}".formatted(threads(declared))))
        .isEqualTo(new MoveLimits(8, toOneServer));
  }

  @Test
  void haveTheLeastOfTheGroups() {
    assertThat(
            limits(
                """
                  regionServers: {config: {%s}}
                  regionServerGroups:
                    - {name: large, config: {%s}}
                    - {name: other}
                """
                    .formatted(threads("20"), threads("5"))))
        .isEqualTo(new MoveLimits(8, 5));
  }

  /** The default group's servers open three. */
  @Test
  void haveTheDefaultWhereAnotherGroupAloneDeclaresMore() {
    assertThat(
            limits(
                """
                  regionServerGroups:
                    - {name: large, config: {%s}}
                """
                    .formatted(threads("20"))))
        .isEqualTo(new MoveLimits(8, 3));
  }

  private static String threads(String declared) {
    return "hbase.regionserver.executor.openregion.threads: \"%s\"".formatted(declared);
  }

  private static MoveLimits limits(String spec) {
    return MoveLimits.of(
        Serialization.unmarshal(
            """
            apiVersion: hbase.offheap.io/v1alpha1
            kind: HBaseCluster
            metadata: {name: demo}
            spec:
              storage: {external: {rootDir: "hdfs://nn:8020/hbase"}}
            """
                + spec,
            HBaseCluster.class));
  }
}
