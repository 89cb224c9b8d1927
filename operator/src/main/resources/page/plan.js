import { badge, h, setText, show, svg, table } from "./dom.js";
import { bytes, group, percent } from "./format.js";

const BUDGET = [
  { title: "Part of the container's memory", header: true },
  { title: "At most", numeric: true },
  { title: "Share", numeric: true },
];

const SETTINGS = [
  { title: "Setting", header: true },
  { title: "Value" },
  { title: "From" },
  { title: "Reason" },
];

/** Parts of a budget by the names that the plan gives them. */
const PARTS = {
  heap: "Heap",
  bucketCache: "Bucket cache",
  ramBuffer: "RAM buffer",
  allocatorPool: "Buffer pool of the allocator",
  offHeapMemstore: "Off-heap memstore",
  shortCircuit: "Short-circuit reads",
  offHeapReserve: "Reserve of direct memory",
  netty: "Netty",
  g1: "G1's own structures",
  metaspaceCodeAndStacks: "Metaspace, code and stacks",
  headroom: "Headroom",
};

const partName = ({ item }) => PARTS[item] ?? item;

const WIDTH = 1000;
const GAP = 2;

const key = (index) => svg("svg", { class: "swatch", viewBox: "0 0 12 12", "aria-hidden": "true" },
  svg("rect", { width: 12, height: 12, rx: 2, class: `part-${index % 8}` }));

/** The container's memory to scale: as wide as a part is, so much of the memory it takes. */
const scale = (plan, taken) => {
  let x = 0;
  const parts = taken.map((it, i) => {
    const width = (it.bytes / plan.bytes) * WIDTH;
    const part = svg("rect", {
      x, y: 0, width: Math.max(1, width - GAP), height: 36, class: `part-${i % 8}`,
    }, svg("title", {}, `${partName(it)}: ${bytes(it.bytes)}`));
    x += width;
    return part;
  });
  return svg("svg", {
    class: "budget", viewBox: `0 0 ${WIDTH} 36`, preserveAspectRatio: "none", role: "img",
    "aria-label": `Memory of a container, ${bytes(plan.bytes)}, to scale; the table below has the numbers`,
  }, parts);
};

const ends = (plan) =>
  h("p", { class: "ends", "aria-hidden": "true" }, h("span", {}, "0"), h("span", {}, bytes(plan.bytes)));

const from = (it) => it.provenance.toLowerCase();

const value = (it) => [
  [h("code", { class: "key" }, it.key), h("small", {}, it.target)],
  h("code", {}, it.value),
  badge(from(it), from(it)),
  [h("span", {}, it.reason ?? ""),
    it.source && it.source !== from(it) ? h("small", {}, it.source) : null],
];

const budget = (plan) => {
  const taken = plan.budget.filter((it) => it.bytes > 0);
  return [
    scale(plan, taken),
    ends(plan),
    table("What the container's memory is made of", BUDGET, taken.map((it, i) => [
      [key(i), partName(it)], bytes(it.bytes), percent(it.bytes / plan.bytes),
    ]), "budget-table"),
  ];
};

// What a person chose; the plan is drawn anew around it.
const chosen = { text: "", from: "" };
let latest;

const matches = (it) =>
  (!chosen.from || from(it) === chosen.from) &&
  (!chosen.text || `${it.key} ${it.value} ${it.reason}`.toLowerCase().includes(chosen.text));

const filter = (redraw) => {
  const text = h("input", { id: "filter-text", type: "search", autocomplete: "off", spellcheck: "false" });
  const origin = h("select", { id: "filter-from" },
    h("option", { value: "" }, "all"),
    ["declared", "tuned", "profile", "live", "derived"].map((it) => h("option", { value: it }, it)));
  text.addEventListener("input", () => {
    chosen.text = text.value.trim().toLowerCase();
    redraw();
  });
  origin.addEventListener("change", () => {
    chosen.from = origin.value;
    redraw();
  });
  return h("form", { class: "filter", role: "search", "aria-label": "Settings of the plan" },
    h("label", { for: "filter-text" }, "Find a setting"), text,
    h("label", { for: "filter-from" }, "From"), origin,
    h("output", { id: "filter-count", for: "filter-text filter-from" }));
};

const draw = (element) => {
  const groups = latest.groups;
  const several = groups.length > 1;
  const shown = groups.map((it) => it.settings.filter(matches));
  show(element.querySelector(".budgets"), groups.map((it) => [
    several ? h("h3", {}, `Group ${group(it.name)}`, " ", h("code", {}, it.hash)) : null, budget(it),
  ]));
  show(element.querySelector(".settings"), groups.map((it, i) =>
    table(several ? `Settings of group ${group(it.name)}` : "Every value of the plan and why", SETTINGS,
      shown[i].map(value), "settings-table")));
  const all = groups.reduce((sum, it) => sum + it.settings.length, 0);
  const count = shown.reduce((sum, it) => sum + it.length, 0);
  setText(element.querySelector("#filter-count"), count === all ? `${all} values` : `${count} of ${all} values`);
};

/** Budget and values of each group. */
export const showPlan = (element, view) => {
  latest = view;
  if (view.groups.length === 0) {
    show(element, h("p", {}, "There is no plan yet; condition Planned has the reason."));
    return;
  }
  if (!element.querySelector(".settings")) {
    const form = filter(() => draw(element));
    form.addEventListener("submit", (event) => event.preventDefault());
    element.replaceChildren(h("div", { class: "budgets" }), form, h("div", { class: "settings" }));
  }
  draw(element);
};
