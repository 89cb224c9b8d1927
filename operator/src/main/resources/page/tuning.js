import { badge, h, show, table } from "./dom.js";
import { ago, clock, group } from "./format.js";

const TONES = { Applied: "busy", Kept: "good", RolledBack: "bad", Stopped: "bad", Dropped: "unknown" };

const HISTORY = [
  { title: "Ago", numeric: true },
  { title: "Rule", header: true },
  { title: "What" },
  { title: "Before → after" },
  { title: "Why" },
];

const VALUES = [{ title: "Setting", header: true }, { title: "Value" }, { title: "Rule" }];

const assignments = (values) =>
  Object.entries(values ?? {}).map(([key, value]) => h("code", { class: "key" }, `${key} = ${value}`));

const change = (it) =>
  h("p", { class: "change" },
    h("code", { class: "key" }, it.key), " ",
    h("span", {}, it.before ?? "as derived"), " → ", h("strong", {}, it.after ?? "as derived"));

const entry = (it, now) => [
  ago(it.at, now),
  it.rule ?? "",
  badge(it.event ?? "", TONES[it.event] ?? "unknown"),
  it.changes.length ? it.changes.map(change) : "–",
  [h("p", {}, it.reason ?? ""),
    it.alert ? h("p", {}, `After the alert ${it.alert}.`) : null,
    it.evidence.length ? h("ul", {}, it.evidence.map((text) => h("li", {}, text))) : null],
];

const recommendation = (it, view) =>
  h("div", { class: "note" },
    h("p", {}, h("strong", {}, `${it.rule} recommends, since ${clock(it.since)}: `), ...assignments(it.values)),
    h("p", {}, it.reason ?? ""),
    h("p", {}, "To approve it: ",
      h("code", {}, `kubectl hbc tuning ${view.row.name} approve ${it.id} -n ${view.row.namespace}`),
      ". To dismiss it: the same with ", h("code", {}, "dismiss"), "."));

const one = (it, view, now) => [
  view.tuning.length > 1 ? h("h3", {}, `Group ${group(it.group)}`) : null,
  h("p", {}, it.message ?? ""),
  it.suspected.map((of) => h("p", { class: "note bad" }, `${of.rule}: ${of.message}`)),
  it.trial
    ? h("p", { class: "note" }, h("strong", {}, `On trial, ${it.trial.phase?.toLowerCase()} since ${ago(it.trial.since, now)}: `),
        ...assignments(it.trial.values), ` by ${it.trial.rule}`)
    : null,
  it.recommendation ? recommendation(it.recommendation, view) : null,
  it.values.length
    ? table("Values that tuning chose", VALUES,
        it.values.map((value) => [h("code", { class: "key" }, value.key), h("code", {}, value.value), value.rule]))
    : null,
  it.history.length
    ? table("What tuning did, the newest first", HISTORY, it.history.map((of) => entry(of, now)), "text")
    : h("p", {}, "Tuning has changed nothing yet."),
];

/** What tuning does in each group and did. */
export const showTuning = (element, view, now) =>
  show(element,
    view.tuning.length
      ? view.tuning.map((it) => one(it, view, now))
      : h("p", {}, "Tuning is disabled, or waits and has changed nothing yet."));
