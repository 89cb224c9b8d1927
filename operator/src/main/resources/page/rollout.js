import { badge, h, show, svg, table } from "./dom.js";
import { ago, clock, seconds } from "./format.js";

const STEPS = [
  { key: "drain", step: "Drain", title: "Drain", doing: "draining" },
  { key: "stop", step: "Stop", title: "Stop", doing: "stopping" },
  { key: "start", step: "Start", title: "Start", doing: "starting" },
  { key: "bringBack", step: "Return", title: "Return", doing: "getting its regions back" },
];

const OUTCOMES = {
  Restarted: ["restarted", "good"],
  ScaledDown: ["scaled down", "good"],
  DrainTimedOut: ["drain timed out", "bad"],
  NotWanted: ["not wanted any more", "unknown"],
};

const COLUMNS = [
  { title: "Server", header: true },
  { title: "State" },
  ...STEPS.map((it) => ({ title: it.title, numeric: true })),
  { title: "Time line, one scale for all" },
];

/** Seconds of each step, the one that is under way up to now. */
const times = (line, now) =>
  STEPS.map(({ key, step }) =>
    line.step === step ? Math.max(0, (now - Date.parse(line.since)) / 1000) || 0 : line[key]);

const bar = (line, lengths, longest) => {
  let x = 0;
  const parts = STEPS.map(({ key, step }, i) => {
    const width = (lengths[i] / longest) * 240;
    const part = svg("rect", {
      x, y: 3, width: Math.max(0, width - 0.5), height: 12,
      class: `step-${key}${line.step === step ? " running" : ""}`,
    });
    x += width;
    return part;
  });
  // Its numbers are in the row's other cells.
  return svg("svg", { class: "bar", viewBox: "0 0 240 18", preserveAspectRatio: "none", "aria-hidden": "true" }, parts);
};

const state = (line, now) => {
  const step = STEPS.find((it) => it.step === line.step);
  const canary = line.canary ? [" ", badge("canary", "busy")] : null;
  if (line.phase === "done") {
    return [badge(...(OUTCOMES[line.outcome] ?? [line.outcome ?? "done", "unknown"])), canary];
  }
  return line.phase === "now"
    ? [badge(step?.doing ?? "under way", "busy"), h("small", {}, ` for ${ago(line.since, now)}`), canary]
    : badge("waits", "unknown");
};

const timeLine = (caption, rollout, now) => {
  const lengths = rollout.lines.map((line) => times(line, now));
  const longest = Math.max(1, ...lengths.map((it) => it.reduce((a, b) => a + b, 0)));
  return [
    h("ul", { class: "legend", "aria-hidden": "true" },
      STEPS.map(({ key, title }) => h("li", { class: `dot step-${key}` }, title))),
    table(caption, COLUMNS, rollout.lines.map((line, i) => [
      line.pod,
      state(line, now),
      ...lengths[i].map((it) => (it > 0 ? seconds(it) : "–")),
      bar(line, lengths[i], longest),
    ]), "timeline"),
  ];
};

const passed = (rollout) =>
  rollout.passed.map((it, i) =>
    h("details", { id: `passed-${rollout.ended ? "last" : "now"}-${i}` },
      h("summary", {}, `Canary ${it.pod} was no worse than its peers`),
      h("ul", {}, (it.evidence ?? []).map((text) => h("li", {}, text)))));

const current = (rollout, now) => [
  h("div", { class: "progress" },
    h("label", { for: "progress", id: "progress-label" },
      `${rollout.done} of ${rollout.total} region servers restarted, since ${ago(rollout.started, now)}`),
    h("progress", { id: "progress", max: Math.max(1, rollout.total), value: rollout.done })),
  rollout.waitingFor
    ? h("p", { class: "note", role: "status" }, h("strong", {}, "Waits for: "), rollout.waitingFor) : null,
  rollout.canary
    ? h("p", {}, `${rollout.canary.pod} has the change first and is compared with its peers, since ${ago(rollout.canary.since, now)}.`)
    : null,
  rollout.master
    ? h("p", {}, `Master ${rollout.master.pod} is being restarted, since ${ago(rollout.master.since, now)}.`) : null,
  rollout.notBefore ? h("p", {}, `The next server is drained at ${clock(rollout.notBefore)} at the earliest.`) : null,
  rollout.lines.length ? timeLine("Restarts of this rollout, in their order", rollout, now) : null,
  passed(rollout),
];

const last = (rollout, now) =>
  h("details", { id: "last-rollout" },
    h("summary", {}, `The last rollout ended ${ago(rollout.ended, now)} ago: ${rollout.done} region servers in ` +
      `${seconds(Math.max(0, (Date.parse(rollout.ended) - Date.parse(rollout.started)) / 1000) || 0)}`),
    rollout.lines.length ? timeLine("Restarts of the last rollout, in their order", rollout, now) : null,
    passed(rollout));

/** The rollout that is under way and the last one. */
export const showRollout = (element, view, now) =>
  show(element,
    view.rollout ? current(view.rollout, now) : h("p", {}, "No rollout is under way."),
    view.lastRollout ? last(view.lastRollout, now) : null);
