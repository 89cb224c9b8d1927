import { badge, h, setText, show, table } from "./dom.js";
import { bytes, percent } from "./format.js";
import { poll } from "./poll.js";

const summary = document.getElementById("summary");
const clusters = document.getElementById("clusters");

const COLUMNS = [
  { title: "Cluster", header: true },
  { title: "State" },
  { title: "Servers", numeric: true },
  { title: "Heap share", numeric: true },
  { title: "Heap", numeric: true },
  { title: "Off-heap", numeric: true },
  { title: "Container", numeric: true },
  { title: "Plan" },
];

const ORDER = { bad: 0, busy: 1, unknown: 2, good: 3 };

export const address = (row) =>
  `/cluster?namespace=${encodeURIComponent(row.namespace)}&name=${encodeURIComponent(row.name)}`;

const line = (row) => [
  h("a", { href: address(row), id: `cluster-${row.namespace}-${row.name}` },
    h("span", { class: "namespace" }, `${row.namespace}/`), row.name),
  [badge(row.state.word, row.state.tone),
    row.state.detail ? h("p", { class: "detail" }, row.state.detail) : null],
  row.ready ?? "–",
  row.heapShare === undefined ? "–" : percent(row.heapShare),
  row.heap ?? "–",
  row.offHeap ?? "–",
  row.bytes ? bytes(row.bytes) : "–",
  row.planHash ? h("code", {}, row.planHash) : "–",
];

const standby = (view) => {
  setText(summary, view.leader
    ? `This pod stands by. ${view.leader} leads and has the clusters: kubectl hbc page connects to it.`
    : "This pod does not lead yet, and it is not known which one does. The clusters appear here when it leads.");
  show(clusters);
};

poll("/api/clusters", (view) => {
  if (!view.leads) {
    standby(view);
    return;
  }
  const rows = [...view.clusters].sort((a, b) => ORDER[a.state.tone] - ORDER[b.state.tone]);
  const bad = rows.filter((it) => it.state.tone === "bad").length;
  const busy = rows.filter((it) => it.state.tone === "busy").length;
  setText(summary, rows.length === 0
    ? "There is no HBaseCluster in the namespaces that the operator watches."
    : `${rows.length} ${rows.length === 1 ? "cluster" : "clusters"}: ` + (bad || busy
      ? [bad ? `${bad} need${bad === 1 ? "s" : ""} attention` : "", busy ? `${busy} rolling out` : ""]
          .filter(Boolean).join(", ")
      : "all ready") + ".");
  show(clusters, rows.length ? table("All clusters, those that need attention first", COLUMNS, rows.map(line), "wide") : null);
});
