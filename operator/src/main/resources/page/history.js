import { h, show, svg, table } from "./dom.js";
import { percent, roundPercent } from "./format.js";

const CHARTS = [
  { key: "heapShare", title: "Heap share", note: "of bytes that allocators give out; less is better", format: percent, tick: roundPercent, least: 0.01 },
  { key: "hitRatio", title: "Cache hit ratio", note: "of block reads", format: percent, tick: roundPercent, most: 1 },
  { key: "pauseShare", title: "Pauses", note: "share of time; read while tuning is not disabled", format: percent, tick: roundPercent, least: 0.01 },
  { key: "regions", title: "Regions", note: "per server", format: (it) => String(Math.round(it)), tick: String, least: 4 },
];

const WIDTH = 480;
const HEIGHT = 150;
const LEFT = 54;
const TOP = 10;
const BOTTOM = 22;
const PLOT = { width: WIDTH - LEFT - 6, height: HEIGHT - TOP - BOTTOM };

/** The top of an axis: 1, 2 or 5 times a power of ten. */
const ceiling = (value) => {
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 5, 10].map((it) => it * power).find((it) => it >= value * 0.9999);
};

/** Lines of the points that are next to each other; a gap is a time of which nothing is known. */
const path = (values, x, y) => {
  let pen = "M";
  return values.map((value, i) => {
    if (value === null) {
      pen = "M";
      return "";
    }
    // A point alone is drawn too, as a short line.
    const single = pen === "M" && (values[i + 1] ?? null) === null;
    const point = `${pen}${x(i).toFixed(1)},${y(value).toFixed(1)}${single ? "h1.5" : ""}`;
    pen = "L";
    return point;
  }).join("");
};

const lastOf = (values) => values.findLast((it) => it !== null) ?? null;

const chart = ({ key, title, note, format, tick, least, most }, hour) => {
  const lines = hour.servers.map((it) => it[key]);
  const count = Math.max(2, ...lines.map((it) => it.length));
  const highest = Math.max(0, ...lines.flat().filter((it) => it !== null));
  const lowest = Math.min(1, ...lines.flat().filter((it) => it !== null));
  const top = most ?? ceiling(Math.max(highest, least));
  // An axis up to a known most begins near the values; its ticks say where.
  const bottom = most === undefined ? 0 : [0.9, 0.5, 0].find((it) => lowest >= it) ?? 0;
  const x = (i) => LEFT + (i / (count - 1)) * PLOT.width;
  const y = (value) => TOP + (1 - Math.min(1, (value - bottom) / (top - bottom))) * PLOT.height;
  const known = lines.some((line) => line.some((it) => it !== null));
  const ticks = [bottom, (bottom + top) / 2, top];
  const latest = lines.map(lastOf).filter((it) => it !== null);
  const label = known
    ? `${title} of the last hour; latest ${format(Math.min(...latest))} to ${format(Math.max(...latest))}`
    : `${title} of the last hour: nothing is known`;
  return h("figure", {},
    h("figcaption", {}, h("strong", {}, title), " ", h("small", {}, note)),
    svg("svg", { class: "chart", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": label },
      ticks.map((it) => [
        svg("line", { class: "grid", x1: LEFT, x2: WIDTH - 6, y1: y(it), y2: y(it) }),
        svg("text", { class: "tick", x: LEFT - 6, y: y(it) + 4, "text-anchor": "end" }, tick(it)),
      ]),
      ["60 min ago", "30", "now"].map((text, i) =>
        svg("text", { class: "tick", x: LEFT + (PLOT.width * i) / 2, y: HEIGHT - 5,
          "text-anchor": ["start", "middle", "end"][i] }, text)),
      known
        ? lines.map((line, i) => svg("path", { class: `line line-${i % 6}`, d: path(line, x, y) }))
        : svg("text", { class: "nothing", x: LEFT + PLOT.width / 2, y: TOP + PLOT.height / 2,
            "text-anchor": "middle" }, "nothing is known yet")));
};

const COLUMNS = [
  { title: "Server", header: true },
  ...CHARTS.map((it) => ({ title: it.title, numeric: true })),
];

const swatch = (index) => svg("svg", { class: "swatch wide", viewBox: "0 0 20 12", "aria-hidden": "true" },
  svg("path", { class: `line line-${index % 6}`, d: "M0,6H20" }));

/** The last hour of each region server. */
export const showHour = (element, hour) =>
  show(element,
    hour.servers.length === 0
      ? h("p", {}, "No region server has reported yet. The operator keeps the last hour in memory; it begins anew when another pod leads.")
      : [
          h("div", { class: "charts" }, CHARTS.map((it) => chart(it, hour))),
          table("Latest values", COLUMNS, hour.servers.map((server, i) => [
            [swatch(i), server.pod],
            ...CHARTS.map(({ key, format }) => {
              const value = lastOf(server[key]);
              return value === null ? "–" : format(value);
            }),
          ])),
        ]);
