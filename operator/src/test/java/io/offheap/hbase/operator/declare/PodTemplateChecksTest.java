package io.offheap.hbase.operator.declare;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.utils.Serialization;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.PodTemplate;
import io.offheap.hbase.operator.plan.PlanProblem;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Permitted and refused pod templates, with messages. */
class PodTemplateChecksTest {
  private static final String SERVERS = "spec.regionServers.podTemplate";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{metadata: {labels: {team: a, app.kubernetes.io/part-of: shop}, annotations:"
            + " {example.com/a: b}}}",
        "{spec: {nodeSelector: {disk: ssd}, priorityClassName: high, runtimeClassName: runc,"
            + " schedulerName: s}}",
        "{spec: {tolerations: [{key: hbase, operator: Exists, effect: NoSchedule,"
            + " tolerationSeconds: 9}]}}",
        "{spec: {topologySpreadConstraints: [{maxSkew: 1, topologyKey: topology.kubernetes.io/zone,"
            + " whenUnsatisfiable: DoNotSchedule}]}}",
        "{spec: {affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution:"
            + " {nodeSelectorTerms: [{matchExpressions: [{key: a, operator: In, values:"
            + " [b]}]}]}}}}}",
        "{spec: {hostAliases: [{ip: 10.0.0.1, hostnames: [a]}], dnsPolicy: None, dnsConfig:"
            + " {nameservers: [10.0.0.2], options: [{name: ndots, value: '2'}]}}}",
        "{spec: {securityContext: {runAsNonRoot: true, fsGroup: 1, seccompProfile: {type:"
            + " RuntimeDefault}}, serviceAccountName: default}}",
        "{spec: {volumes: [{name: a, emptyDir: {}}, {name: b, configMap: {name: c}}, {name: d,"
            + " projected: {sources: [{configMap: {name: e}}]}}, {name: f, ephemeral:"
            + " {volumeClaimTemplate: {spec: {accessModes: [ReadWriteOnce], resources: {requests:"
            + " {storage: 1Gi}}}}}}]}}",
        "{spec: {containers: [{name: regionserver, env: [{name: TZ, value: UTC}, {name:"
            + " HADOOP_USER_NAME, value: hbase}], volumeMounts: [{name: a, mountPath:"
            + " /etc/krb5.conf, subPath: krb5.conf}]}]}}",
        "{spec: {containers: [{name: regionserver, securityContext: {readOnlyRootFilesystem: false,"
            + " capabilities: {drop: [ALL], add: [NET_BIND_SERVICE]}}}]}}",
        "{spec: {containers: [{name: logs, image: 'logs:1', envFrom: [{configMapRef: {name: a}}],"
            + " ports: [{containerPort: 2020}], livenessProbe: {httpGet: {port: 2020}}, resources:"
            + " {limits: {memory: 64Mi}}}]}}",
        "{spec: {initContainers: [{name: proxy, image: p, restartPolicy: Always}], volumes: [{name:"
            + " m, emptyDir: {medium: Memory}}]}}",
      })
  void permits(String template) {
    assertThat(problems("regionServers: {podTemplate: " + template + "}", PodRights.NONE))
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // Parsed with Kubernetes' types.
        "{spec: {contaners: []}} | .spec.contaners | 'contaners' is not a field of a pod template;"
            + " the nearest is containers",
        "{spec: {containers: [{name: a, imag: b}]}} | .spec.containers[0].imag | the nearest is"
            + " image",
        "{spec: {additionalProperties: {a: b}}} | .spec.additionalProperties | is not a field of a"
            + " pod template",
        "{spec: {containers: {name: a}}} | .spec.containers | has the wrong type; must be a list",
        "{spec: {nodeSelector: [a]}} | .spec.nodeSelector | has the wrong type; must be an object",
        "{spec: {containers: [{name: a, image: b, env: [{name: C, value: 5}]}]}} |"
            + " .spec.containers[0].env[0].value | 5 has the wrong type; must be a text",
        "{spec: {tolerations: [{tolerationSeconds: soon}]}} |"
            + " .spec.tolerations[0].tolerationSeconds | \"soon\" has the wrong type; must be a"
            + " whole number",
        "{spec: {automountServiceAccountToken: 'no'}} | .spec.automountServiceAccountToken | must"
            + " be true or false",
        "[a] | '' | must be an object with metadata and spec",
        // Reserved for the operator.
        "{kind: Pod} | .kind | is not a field of a pod template",
        "{metadata: {name: a}} | .metadata.name | is not permitted",
        "{metadata: {finalizers: [a]}} | .metadata.finalizers | is not permitted",
        "{metadata: {labels: {app.kubernetes.io/instance: a}}} |"
            + " .metadata.labels[app.kubernetes.io/instance] | select pods by it",
        "{metadata: {labels: {hbase.offheap.io/group: a}}} |"
            + " .metadata.labels[hbase.offheap.io/group] | select pods by it",
        "{metadata: {labels: {'a b': c}}} | .metadata.labels[a b] | is not a label's name",
        "{metadata: {labels: {a: 'b c'}}} | .metadata.labels[a] | is not a label's value",
        "{metadata: {annotations: {hbase.offheap.io/restart: 'true'}}} |"
            + " .metadata.annotations[hbase.offheap.io/restart] | to decide whether a pod restarts",
        "{metadata: {annotations: {'a b': c}}} | .metadata.annotations[a b] | is not an"
            + " annotation's name",
        "{spec: {hostNetwork: true}} | .spec.hostNetwork | would need the same port",
        "{spec: {hostPID: true}} | .spec.hostPID | access to the node's processes",
        "{spec: {hostIPC: true}} | .spec.hostIPC | access to the node's shared memory",
        "{spec: {hostUsers: false}} | .spec.hostUsers | is not permitted; must be left out",
        "{spec: {shareProcessNamespace: true}} | .spec.shareProcessNamespace | the server must be"
            + " process 1",
        "{spec: {terminationGracePeriodSeconds: 5}} | .spec.terminationGracePeriodSeconds |"
            + " spec.rollout.drainTimeout",
        "{spec: {restartPolicy: Never}} | .spec.restartPolicy | restart always",
        "{spec: {nodeName: a}} | .spec.nodeName | use nodeSelector or affinity",
        "{spec: {subdomain: a}} | .spec.subdomain | names of the StatefulSet",
        "{spec: {imagePullSecrets: [{name: a}]}} | .spec.imagePullSecrets | spec.image.pullSecrets",
        "{spec: {dnsPolicy: Default}} | .spec.dnsPolicy | must be ClusterFirst",
        "{spec: {volumes: [{name: config, emptyDir: {}}]}} | .spec.volumes[config] | is the name of"
            + " a volume of the operator",
        "{spec: {volumes: [{name: a}, {name: a}]}} | .spec.volumes[a] | is declared twice",
        "{spec: {volumes: [{emptyDir: {}}]}} | .spec.volumes[0].name | is missing",
        // The planned container.
        "{spec: {containers: [{name: regionserver, image: a}]}} |"
            + " .spec.containers[regionserver].image | spec.image decides it",
        "{spec: {containers: [{name: regionserver, args: [a]}]}} |"
            + " .spec.containers[regionserver].args | the operator starts the server",
        "{spec: {containers: [{name: regionserver, resources: {limits: {memory: 1Gi}}}]}} |"
            + " .spec.containers[regionserver].resources | the plan derives memory",
        "{spec: {containers: [{name: regionserver, livenessProbe: {exec: {command: [a]}}}]}} |"
            + " .spec.containers[regionserver].livenessProbe | only slow",
        "{spec: {containers: [{name: regionserver, lifecycle: {}}]}} |"
            + " .spec.containers[regionserver].lifecycle | until the regions are moved",
        "{spec: {containers: [{name: regionserver, envFrom: [{configMapRef: {name: a}}]}]}} |"
            + " .spec.containers[regionserver].envFrom | can set protected variables",
        "{spec: {containers: [{name: regionserver, env: [{name: JAVA_TOOL_OPTIONS, value:"
            + " -Xmx1g}]}]}} | .spec.containers[regionserver].env[JAVA_TOOL_OPTIONS] | must be left"
            + " out",
        "{spec: {containers: [{name: regionserver, env: [{name: LD_PRELOAD, value: a}]}]}} |"
            + " .spec.containers[regionserver].env[LD_PRELOAD] | must be left out",
        "{spec: {containers: [{name: regionserver, volumeMounts: [{name: a, mountPath: /etc}]}]}} |"
            + " .spec.containers[regionserver].volumeMounts[/etc] | would hide or change /etc/",
        "{spec: {containers: [{name: regionserver, volumeMounts: [{name: a, mountPath:"
            + " /opt/hbase/lib/../conf}]}]}} |"
            + " .spec.containers[regionserver].volumeMounts[/opt/hbase/lib/../conf] | would hide or"
            + " change /opt/hbase",
        "{spec: {containers: [{name: regionserver, volumeMounts: [{name: a, mountPath: extra}]}]}}"
            + " | .spec.containers[regionserver].volumeMounts[extra] | must be another folder",
        "{spec: {volumes: [{name: a, emptyDir: {medium: Memory}}], containers: [{name:"
            + " regionserver, volumeMounts: [{name: a, mountPath: /extra}]}]}} |"
            + " .spec.containers[regionserver].volumeMounts[/extra] | counts as the container's"
            + " memory",
        "{spec: {containers: [{name: regionserver, env: [{name: SECONDS, value: '9999'}]}]}} |"
            + " .spec.containers[regionserver].env[SECONDS] | must be left out",
        "{spec: {containers: [{name: regionserver, env: [{name: POSIXLY_CORRECT, value: ''}]}]}} |"
            + " .spec.containers[regionserver].env[POSIXLY_CORRECT] | must be left out",
        "{spec: {containers: [{name: regionserver, volumeMounts: [{name: a, mountPath:"
            + " /etc/ld.so.preload, subPath: b}]}]}} |"
            + " .spec.containers[regionserver].volumeMounts[/etc/ld.so.preload] | would hide or"
            + " change /etc/ld.so.preload",
        "{spec: {initContainers: [{name: regionserver, image: a}]}} |"
            + " .spec.initContainers[regionserver] | is the name of a container of the operator",
        // Sidecars.
        "{spec: {containers: [{name: a}]}} | .spec.containers[a].image | is missing; must name an"
            + " image, or the container must be called regionserver",
        "{spec: {containers: [{name: a, image: b, ports: [{containerPort: 16020}]}]}} |"
            + " .spec.containers[a].ports | 16020 is a port of the server",
        "{spec: {containers: [{name: a, image: b, ports: [{containerPort: 8080, name: http}]}]}} |"
            + " .spec.containers[a].ports | is the name of a port of the server",
        "{spec: {containers: [{name: a, image: b, ports: [{containerPort: 1, hostPort: 1}]}]}} |"
            + " .spec.containers[a].ports | is a port of the node",
      })
  void refuses(String template, String field, String words) {
    assertThat(problems("regionServers: {podTemplate: " + template + "}", PodRights.ALL))
        .singleElement()
        .satisfies(
            it -> {
              assertThat(it.field()).isEqualTo(SERVERS + (field == null ? "" : field));
              assertThat(it.message()).contains(words).contains("must");
            });
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{spec: {volumes: [{name: a, hostPath: {path: /}}]}} | OtherVolumes |"
            + " .spec.volumes[a].hostPath",
        "{spec: {volumes: [{name: a, nfs: {server: b, path: /}}]}} | OtherVolumes |"
            + " .spec.volumes[a].nfs",
        "{spec: {volumes: [{name: a, csi: {driver: b}}]}} | OtherVolumes | .spec.volumes[a].csi",
        "{spec: {volumes: [{name: a, secret: {secretName: b}}]}} | Secrets |"
            + " .spec.volumes[a].secret",
        "{spec: {volumes: [{name: a, projected: {sources: [{configMap: {name: b}}, {secret: {name:"
            + " b}}]}}]}} | Secrets | .spec.volumes[a].projected.sources[1].secret",
        "{spec: {volumes: [{name: a, projected: {sources: [{serviceAccountToken: {path: b}}]}}]}} |"
            + " ServiceAccounts | .spec.volumes[a].projected.sources[0].serviceAccountToken",
        "{spec: {volumes: [{name: a, persistentVolumeClaim: {claimName: b}}]}} | VolumeClaims |"
            + " .spec.volumes[a].persistentVolumeClaim",
        "{spec: {volumes: [{name: a, ephemeral: {volumeClaimTemplate: {spec: {dataSource: {kind:"
            + " PersistentVolumeClaim, name: b}}}}}]}} | VolumeClaims | .spec.volumes[a].ephemeral",
        "{spec: {volumes: [{name: a, ephemeral: {volumeClaimTemplate: {spec: {volumeName: b}}}}]}}"
            + " | VolumeClaims | .spec.volumes[a].ephemeral",
        "{spec: {volumes: [{name: a, ephemeral: {volumeClaimTemplate: {spec: {selector:"
            + " {matchLabels: {b: c}}}}}}]}} | VolumeClaims | .spec.volumes[a].ephemeral",
        "{spec: {serviceAccountName: b}} | ServiceAccounts | .spec.serviceAccountName",
        "{spec: {automountServiceAccountToken: true}} | ServiceAccounts |"
            + " .spec.automountServiceAccountToken",
        "{spec: {containers: [{name: regionserver, env: [{name: A, valueFrom: {secretKeyRef: {name:"
            + " b, key: c}}}]}]}} | Secrets | .spec.containers[regionserver].env[A]",
        "{spec: {initContainers: [{name: a, image: b, envFrom: [{secretRef: {name: c}}]}]}} |"
            + " Secrets | .spec.initContainers[a].envFrom",
        "{spec: {securityContext: {runAsUser: 0}}} | Privileged | .spec.securityContext.runAsUser",
        "{spec: {securityContext: {runAsNonRoot: false}}} | Privileged |"
            + " .spec.securityContext.runAsNonRoot",
        "{spec: {securityContext: {seccompProfile: {type: Unconfined}}}} | Privileged |"
            + " .spec.securityContext.seccompProfile",
        "{spec: {securityContext: {sysctls: [{name: a, value: b}]}}} | Privileged |"
            + " .spec.securityContext.sysctls",
        "{spec: {containers: [{name: regionserver, securityContext: {privileged: true}}]}} |"
            + " Privileged | .spec.containers[regionserver].securityContext.privileged",
        "{spec: {containers: [{name: a, image: b, securityContext: {allowPrivilegeEscalation:"
            + " true}}]}} | Privileged |"
            + " .spec.containers[a].securityContext.allowPrivilegeEscalation",
        "{spec: {initContainers: [{name: a, image: b, securityContext: {capabilities: {add:"
            + " [SYS_ADMIN], drop: [ALL]}}}]}} | Privileged |"
            + " .spec.initContainers[a].securityContext.capabilities.add",
        "{spec: {containers: [{name: a, image: b, securityContext: {capabilities: {add:"
            + " [NET_BIND_SERVICE]}}}]}} | Privileged |"
            + " .spec.containers[a].securityContext.capabilities.drop",
        "{spec: {containers: [{name: a, image: b, securityContext: {procMount: Unmasked}}]}} |"
            + " Privileged | .spec.containers[a].securityContext.procMount",
        "{spec: {containers: [{name: a, image: b, readinessProbe: {httpGet: {host: c, port:"
            + " 80}}}]}} | Privileged | .spec.containers[a].readinessProbe.httpGet.host",
        "{spec: {containers: [{name: a, image: b, lifecycle: {postStart: {httpGet: {host: c, port:"
            + " 80}}}}]}} | Privileged | .spec.containers[a].lifecycle.postStart.httpGet.host",
        "{metadata: {annotations: {container.apparmor.security.beta.kubernetes.io/a: unconfined}}}"
            + " | Privileged |"
            + " .metadata.annotations[container.apparmor.security.beta.kubernetes.io/a]",
      })
  void refusesWithoutRight(String template, PodRight right, String field) {
    var spec = "regionServers: {podTemplate: " + template + "}";
    var others = new PodRights(EnumSet.complementOf(EnumSet.of(right)), Set.of());

    assertThat(problems(spec, new PodRights(Set.of(right), Set.of()))).isEmpty();
    assertThat(problems(spec, others))
        .singleElement()
        .satisfies(
            it -> {
              assertThat(it.field()).isEqualTo(SERVERS + field);
              assertThat(it.message())
                  .contains(
                      "must be left out, unless podTemplateRights of the operator's chart has "
                          + right);
            });
    assertThat(problems(spec, PodRights.NONE)).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({
    "example.com/logs:1, true",
    "example.com/logs@sha256:0, true",
    "example.com/logs, true",
    "example.com/logs/other, false",
    "example.com:5000/logs:1, false"
  })
  void refusesImageOfAnotherRepository(String image, boolean isPermitted) {
    var spec =
        "regionServers: {podTemplate: {spec: {containers: [{name: a, image: '" + image + "'}]}}}";

    assertThat(problems(spec, new PodRights(Set.of(), Set.of("example.com/logs"))))
        .hasSize(isPermitted ? 0 : 1);
  }

  @ParameterizedTest
  @EnumSource(PodServer.class)
  void checksTemplateOfEveryRole(PodServer server) {
    assertThat(problems(withContainerField(server, "args: []"), PodRights.ALL))
        .singleElement()
        .satisfies(
            it ->
                assertThat(it.field())
                    .startsWith("spec.")
                    .endsWith(".podTemplate.spec.containers[" + server.container() + "].args"));
  }

  /** A declaration of CPU exists for region servers alone. */
  @ParameterizedTest
  @EnumSource(PodServer.class)
  void refusesResourcesWithWhatTheRoleCanDeclare(PodServer server) {
    var spec = withContainerField(server, "resources: {requests: {cpu: 1}}");

    assertThat(problems(spec, PodRights.ALL))
        .singleElement()
        .satisfies(
            it ->
                assertThat(it.message())
                    .contains(
                        server == PodServer.REGIONSERVER
                            ? "CPU is declared beside podTemplate; must be left out"
                            : "CPU of this server cannot be declared; must be left out"));
  }

  private static String withContainerField(PodServer server, String field) {
    var template =
        "podTemplate: {spec: {containers: [{name: " + server.container() + ", " + field + "}]}}";
    return switch (server) {
      case ZOOKEEPER -> "zookeeper: {managed: {" + template + "}}";
      case NAMENODE -> "storage: {managed: {nameNode: {" + template + "}}}";
      case DATANODE -> "storage: {managed: {dataNode: {" + template + "}}}";
      case MASTER -> "masters: {" + template + "}";
      case REGIONSERVER -> "regionServers: {" + template + "}";
    };
  }

  @Test
  void refusesCheckpointContainerOfNameNode() {
    var template = "podTemplate: {spec: {containers: [{name: checkpoint, image: a}]}}";

    assertThat(problems("storage: {managed: {nameNode: {" + template + "}}}", PodRights.ALL))
        .singleElement()
        .satisfies(
            it -> assertThat(it.message()).contains("is the name of a container of the operator"));
  }

  @Test
  void reportsInheritedProblemOnce() {
    var sidecar = "podTemplate: {spec: {containers: [{name: logs, image: logs}]}}";
    var variable = "podTemplate: {spec: {containers: [{name: logs, env: [{name: A, value: b}]}]}}";

    assertThat(
            problems(
                "regionServers: {"
                    + sidecar
                    + "}, regionServerGroups: [{name: g, "
                    + variable
                    + "}]",
                PodRights.NONE))
        .isEmpty();
    assertThat(
            problems(
                "regionServers: {}, regionServerGroups: [{name: g, " + variable + "}]",
                PodRights.NONE))
        .extracting(PlanProblem::field)
        .containsExactly("spec.regionServerGroups[g].podTemplate.spec.containers[logs].image");
    assertThat(
            problems(
                "regionServers: {"
                    + variable
                    + "}, regionServerGroups: [{name: g}, {name: h, "
                    + variable
                    + "}]",
                PodRights.NONE))
        .extracting(PlanProblem::field)
        .containsExactly(SERVERS + ".spec.containers[logs].image");
  }

  /** A group has its own folder for the file of its block cache. */
  @Test
  void refusesMountOverBucketCacheFile() {
    var mount =
        "podTemplate: {spec: {containers: [{name: regionserver, volumeMounts: [{name: a, mountPath:"
            + " /ssd}]}]}}";

    assertThat(
            problems(
                "regionServers: {"
                    + mount
                    + "}, regionServerGroups: [{name: g, blockCache: {mode: File, file: {path:"
                    + " /ssd/cache}}}]",
                PodRights.NONE))
        .extracting(PlanProblem::field)
        .containsExactly(
            "spec.regionServerGroups[g].podTemplate.spec.containers[regionserver]"
                + ".volumeMounts[/ssd]");
  }

  @Test
  void refusesTemplateOverBounds() {
    assertThat(problems(template("a: " + "[".repeat(30) + "]".repeat(30)), PodRights.ALL))
        .extracting(PlanProblem::message)
        .containsExactly(
            "has more than "
                + PodTemplate.MOST_LEVELS
                + " levels; must be an object with metadata and spec");
    assertThat(problems(template("a: " + "b".repeat(70_000)), PodRights.ALL))
        .extracting(PlanProblem::message)
        .containsExactly(
            "has more than "
                + PodTemplate.MOST_CHARACTERS
                + " characters; must be an object with metadata and spec");
    assertThat(problems(template("containers: " + named(11, ", image: i")), PodRights.ALL))
        .extracting(PlanProblem::message)
        .containsExactly("has 11 entries; must have at most 10");
    assertThat(problems(template("volumes: " + named(41, "")), PodRights.ALL)).hasSize(1);
    assertThat(
            problems(
                template("containers: [{name: a, image: b, env: " + named(201, "") + "}]"),
                PodRights.ALL))
        .hasSize(1);
  }

  @Test
  void refusesTemplatesOverCommonBound() {
    var annotations = "podTemplate: {metadata: {annotations: {a: '" + "b".repeat(60_000) + "'}}}";
    var spec =
        "masters: {%1$s}, regionServers: {%1$s}, regionServerGroups: [{name: g, %1$s}]"
            .formatted(annotations);

    assertThat(problems(spec, PodRights.ALL))
        .extracting(PlanProblem::toString)
        .singleElement()
        .asString()
        .startsWith("spec: its pod templates have 18");
  }

  @Test
  void treatsNullAsLeftOut() {
    assertThat(
            problems(
                template("containers: null, nodeSelector: {a: null}, volumes: [null]"),
                PodRights.NONE))
        .isEmpty();
    assertThat(problems("regionServers: {podTemplate: null}", PodRights.NONE)).isEmpty();
  }

  private static String template(String spec) {
    return "regionServers: {podTemplate: {spec: {" + spec + "}}}";
  }

  private static String named(int count, String more) {
    return IntStream.range(0, count)
        .mapToObj(it -> "{name: n" + it + more + "}")
        .collect(joining(", ", "[", "]"));
  }

  private static List<PlanProblem> problems(String fields, PodRights rights) {
    var spec = "{" + fields + "}";
    if (!fields.contains("zookeeper:")) {
      spec = "{zookeeper: {}, " + spec.substring(1);
    }
    if (!fields.contains("storage:")) {
      spec = "{storage: {}, " + spec.substring(1);
    }
    if (!fields.contains("regionServers:")) {
      spec = "{regionServers: {}, " + spec.substring(1);
    }
    var cluster =
        Serialization.unmarshal(
            "---\nmetadata: {name: hb, namespace: ns}\nspec: " + spec, HBaseCluster.class);
    return PodTemplateChecks.problems(cluster.getSpec(), rights);
  }
}
