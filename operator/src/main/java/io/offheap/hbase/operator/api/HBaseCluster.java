package io.offheap.hbase.operator.api;

import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.ShortNames;
import io.fabric8.kubernetes.model.annotation.Singular;
import io.fabric8.kubernetes.model.annotation.Version;

/** One HBase cluster: the memory its region servers may use, and what it stands on. */
@Group("hbase.offheap.io")
@Version("v1alpha1")
@Kind("HBaseCluster")
@Singular("hbasecluster")
@Plural("hbaseclusters")
@ShortNames("hbc")
@AdditionalPrinterColumn(
    name = "Ready",
    jsonPath = ".status.readyServers",
    type = AdditionalPrinterColumn.Type.INTEGER)
@AdditionalPrinterColumn(
    name = "Desired",
    jsonPath = ".status.desiredServers",
    type = AdditionalPrinterColumn.Type.INTEGER)
@AdditionalPrinterColumn(
    name = "Status",
    jsonPath = ".status.conditions[?(@.type==\"Ready\")].reason")
@AdditionalPrinterColumn(
    name = "Progress",
    jsonPath = ".status.conditions[?(@.type==\"Progressing\")].reason")
@AdditionalPrinterColumn(
    name = "Tuning",
    jsonPath = ".status.conditions[?(@.type==\"Tuned\")].reason")
@AdditionalPrinterColumn(name = "Plan", jsonPath = ".status.memoryPlan.hash")
@AdditionalPrinterColumn(name = "Heap", jsonPath = ".status.memoryPlan.heap")
@AdditionalPrinterColumn(name = "Off-Heap", jsonPath = ".status.memoryPlan.offHeap")
@AdditionalPrinterColumn(
    name = "Waits For",
    jsonPath = ".status.conditions[?(@.type==\"Progressing\")].message",
    priority = 1)
@AdditionalPrinterColumn(
    name = "Age",
    jsonPath = ".metadata.creationTimestamp",
    type = AdditionalPrinterColumn.Type.DATE)
@ValidationRule(
    value = "has(self.spec)",
    message = "spec is missing; must have zookeeper, storage and regionServers.memory")
@ValidationRule(
    value = "size(self.metadata.name) <= 39",
    message =
        "metadata.name is too long; must be at most 39 characters, so that the pods named after"
            + " it (<name>-regionserver-<n>) have valid host names")
public class HBaseCluster extends CustomResource<HBaseClusterSpec, HBaseClusterStatus>
    implements Namespaced {
  private static final long serialVersionUID = 1L;
}
