import { badge, h, show, table } from "./dom.js";
import { ago, bytes, clock, percent } from "./format.js";
import { showHour } from "./history.js";
import { showPlan } from "./plan.js";
import { poll } from "./poll.js";
import { showRollout } from "./rollout.js";
import { showTuning } from "./tuning.js";
import { makeWhatIf } from "./whatif.js";

const parameters = new URLSearchParams(location.search);
const namespace = parameters.get("namespace") ?? "";
const name = parameters.get("name") ?? "";
const path = `/api/clusters/${encodeURIComponent(namespace)}/${encodeURIComponent(name)}`;

const head = document.getElementById("head");
const sections = document.getElementById("sections");

document.title = `${namespace}/${name} · HBase off-heap`;
show(document.getElementById("title"), h("span", { class: "namespace" }, `${namespace}/`), name);

/** The part of a section below its heading. */
const body = (id) => document.querySelector(`#${id} > div`);

const fact = (term, value, note) =>
  h("div", {}, h("dt", {}, term), h("dd", {}, value, note ? h("small", {}, ` ${note}`) : null));

const notes = (view) => [
  view.observedGeneration !== undefined && view.generation !== view.observedGeneration
    ? h("p", { class: "note" }, "The operator has not read this version of the spec yet.") : null,
  view.paused
    ? h("p", { class: "note" }, "Paused by annotation: no restart begins. ",
        h("code", {}, `kubectl hbc resume ${view.row.name} -n ${view.row.namespace}`)) : null,
  ...view.rolledBack.map((it) =>
    h("div", { class: "note bad" },
      h("p", {}, h("strong", {}, `Rolled back at ${clock(it.at)}: `), it.reason ?? ""),
      it.evidence?.length ? h("ul", {}, it.evidence.map((text) => h("li", {}, text))) : null)),
];

/** They are reached through a port-forward: this page cannot make one, and says how. */
const ownPages = (view) =>
  view.webPages.map((it) =>
    h("p", {}, `HBase's own pages, ${it.title.toLowerCase()}: `, h("code", {}, it.command), ", then ",
      h("a", { href: it.link, target: "_blank", rel: "noopener noreferrer" }, it.link)));

const showHead = (view) => {
  const { row } = view;
  show(head,
    h("p", { class: "state" }, badge(row.state.word, row.state.tone),
      row.state.detail ? h("span", {}, row.state.detail) : null),
    ...notes(view).filter(Boolean),
    h("dl", { class: "facts" },
      fact("Region servers", row.ready ?? "–", "serving"),
      fact("Heap share", row.heapShare === undefined ? "–" : percent(row.heapShare), "last 5 min"),
      fact("Heap", row.heap ?? "–"),
      fact("Off-heap", row.offHeap ?? "–"),
      fact("Container", row.bytes ? bytes(row.bytes) : "–"),
      fact("Plan", h("code", {}, row.planHash ?? "–"))),
    ...ownPages(view));
};

const SERVERS = [
  { title: "Pod", header: true },
  { title: "State" },
  { title: "Regions", numeric: true },
  { title: "Plan" },
];

const TONES = { Serving: "good", Starting: "busy", Outdated: "busy", Draining: "busy", Stopping: "busy" };

const showServers = (view) =>
  show(body("servers"),
    view.servers.length
      ? table("Region servers and the plan that each was started with", SERVERS,
          view.servers.map((it) => [
            it.pod ?? "–",
            badge(it.state ?? "Unknown", TONES[it.state] ?? "unknown"),
            it.regions === undefined ? "–" : String(it.regions),
            h("code", {}, it.planHash ?? "–"),
          ]))
      : h("p", {}, "There is no region server yet."));

const CONDITIONS = [{ title: "Condition", header: true }, { title: "Status" }, { title: "Why" }];
const EVENTS = [
  { title: "Ago", numeric: true },
  { title: "Event", header: true },
  { title: "Note" },
];

const showEvents = (view, now) =>
  show(body("events"),
    table("Conditions of the resource", CONDITIONS,
      view.conditions.map((it) => [
        it.type ?? "",
        it.status ?? "",
        [h("strong", {}, it.reason ?? ""), it.message ? h("p", { class: "detail" }, it.message) : null],
      ]), "text"),
    view.events.length
      ? table("What this process recorded, the newest first", EVENTS,
          view.events.map((it) => [
            ago(it.at, now),
            it.type === "Warning" ? badge(it.reason, "bad") : it.reason,
            it.count > 1 ? `${it.note} (${it.count} times)` : it.note,
          ]), "text")
      : h("p", {}, "This process has recorded no event of the cluster. Older ones: ",
          h("code", {}, `kubectl describe hbc ${name} -n ${namespace}`)));

const reveal = () => {
  sections.hidden = false;
  for (const section of document.querySelectorAll("main > section[hidden]")) {
    section.hidden = false;
  }
};

makeWhatIf(body("what-if"), `${path}/what-if`);

poll(path, (view, now) => {
  showHead(view);
  showServers(view);
  showRollout(body("rollout"), view, now);
  showPlan(body("plan"), view);
  showTuning(body("tuning"), view, now);
  showEvents(view, now);
  reveal();
}, {
  missing: () => {
    show(head, h("p", { class: "note" },
      "This pod of the operator knows no such cluster: it was deleted, its namespace is not watched, or another pod leads."));
    sections.hidden = true;
    for (const section of document.querySelectorAll("main > section")) {
      section.hidden = true;
    }
  },
});

poll(`${path}/history`, (hour) => showHour(body("hour"), hour), { rest: 15_000 });
