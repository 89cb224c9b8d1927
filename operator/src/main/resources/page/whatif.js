import { badge, h, table } from "./dom.js";
import { FIELDS } from "./fields.js";
import { bytes, group } from "./format.js";

const MOST = 20;

const COLUMNS = [
  { title: "Setting", header: true },
  { title: "Now" },
  { title: "Then" },
  { title: "Takes effect" },
  { title: "Reason" },
];

let rows = 0;

const row = () => {
  const id = rows++;
  const field = h("input", {
    id: `field-${id}`, name: "field", list: "fields", placeholder: "spec.regionServers.memory.heap", required: true,
    autocomplete: "off", autocapitalize: "off", spellcheck: "false", maxlength: "500",
  });
  const value = h("input", {
    id: `value-${id}`, name: "value", placeholder: "24Gi", autocomplete: "off", spellcheck: "false", maxlength: "2000",
  });
  const remove = h("button", { type: "button", "aria-label": `Remove field ${id + 1}` }, "Remove");
  const line = h("div", { class: "assignment" },
    h("div", {}, h("label", { for: field.id }, "Field"), field),
    h("div", {}, h("label", { for: value.id }, "Value"), value),
    id > 0 ? remove : null);
  remove.addEventListener("click", () => {
    const before = line.previousElementSibling?.querySelector("input");
    line.remove();
    before?.focus();
  });
  return line;
};

const ROLES = { zookeeper: "ZooKeeper server", namenode: "name node", datanode: "data node" };

const pods = ({ role, restarts }) => `${restarts} ${ROLES[role] ?? role}${restarts === 1 ? "" : "s"}`;

const effect = (it) => it.online ? badge("while it runs", "good") : badge("by a restart", "busy");

const of = (it) => [
  h("h3", {}, `Group ${group(it.name)}`),
  h("p", {},
    it.state === "added" ? "The group is new. "
      : it.state === "removed" ? "The group and its region servers are removed. "
      : it.state === "same" ? "The plan stays the same. "
      : `The container's memory: ${bytes(it.oldBytes)} → ${bytes(it.newBytes)}. `,
    it.restarts > 0
      ? h("strong", {}, `${it.restarts} region ${it.restarts === 1 ? "server restarts" : "servers restart"}, canary first.`)
      : it.state === "added" || it.state === "removed" ? null : h("strong", {}, "No region server restarts.")),
  it.changes.length
    ? table(`Values of group ${group(it.name)} that change`, COLUMNS, it.changes.map((change) => [
        [h("code", {}, change.key), h("small", {}, change.target)],
        h("code", {}, change.oldValue ?? "not set"),
        h("code", {}, change.newValue ?? "not set"),
        effect(change),
        change.reason ?? "",
      ]), "settings-table")
    : null,
];

const refused = (problems) => [
  h("p", {}, h("strong", {}, "The operator would refuse this spec; nothing would change.")),
  h("ul", {}, problems.map((it) => h("li", {}, h("code", {}, it.field), ": ", it.message))),
];

const difference = (it) => it.refused.length
  ? h("div", { class: "note bad" }, refused(it.refused))
  : [
      it.groups.map(of),
      it.masters > 0 ? h("p", {}, h("strong", {}, `${it.masters} ${it.masters === 1 ? "master restarts" : "masters restart"}.`)) : null,
      it.infrastructure.length
        ? h("p", {}, h("strong", {}, `ZooKeeper and HDFS restart one pod at a time: ${it.infrastructure.map(pods).join(", ")}.`))
        : null,
    ];

const show = (output, ...children) =>
  output.replaceChildren(...children.flat(Infinity).filter(Boolean));

const send = async (path, form, output) => {
  const fields = form.querySelectorAll("[name=field]");
  const values = form.querySelectorAll("[name=value]");
  const set = [...fields].map((it, i) => `${it.value.trim()}=${values[i].value.trim()}`);
  try {
    const response = await fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ set }),
      signal: AbortSignal.timeout(15_000),
    });
    const text = await response.text();
    show(output, response.ok ? difference(JSON.parse(text)) : h("p", { class: "note bad" }, `Not planned: ${text}`));
  } catch (error) {
    console.debug(path, error);
    show(output, h("p", { class: "note bad" }, "The operator did not respond. Nothing was changed; try again."));
  }
};

/** A form that sends a spec to the operator's planner; it is made once. */
export const makeWhatIf = (element, path) => {
  const assignments = h("div", {}, row());
  const add = h("button", { type: "button" }, "Add a field");
  const plan = h("button", { type: "submit", class: "primary" }, "Show the difference");
  const output = h("div", { class: "result", "aria-live": "polite" });
  const form = h("form", { "aria-label": "What would change" },
    h("datalist", { id: "fields" }, FIELDS.map((it) => h("option", { value: it }))),
    assignments, h("div", { class: "buttons" }, plan, add));
  let busy = false;
  add.addEventListener("click", () => {
    if (assignments.childElementCount < MOST) {
      assignments.append(row());
      assignments.lastElementChild.querySelector("input").focus();
    }
  });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (busy) {
      return;
    }
    busy = true;
    show(output, h("p", {}, "Planning…"));
    await send(path, form, output);
    busy = false;
  });
  element.replaceChildren(
    h("p", {}, "What another spec would change, by the operator's own planner, with the tables and tuned values of the running cluster. Nothing is applied. An empty value leaves the field out. Rules of the API server, such as those on fields that are fixed, are not checked."),
    form, output);
};
