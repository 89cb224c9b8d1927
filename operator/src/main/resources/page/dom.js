// Elements from texts. Every text that comes from a resource goes through textContent or
// setAttribute, never through markup: the author of a resource must not add elements to this page.

const SVG = "http://www.w3.org/2000/svg";

const append = (element, attributes, children) => {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) {
      element.setAttribute(name, value === true ? "" : value);
    }
  }
  element.append(...children.flat(Infinity).filter((it) => it !== null && it !== undefined && it !== false));
  return element;
};

/** An element with attributes and children; an absent attribute or child is left out. */
export const h = (tag, attributes = {}, ...children) =>
  append(document.createElement(tag), attributes, children);

/** The same of SVG. */
export const svg = (tag, attributes = {}, ...children) =>
  append(document.createElementNS(SVG, tag), attributes, children);

/**
 * A table. Each column is {title, numeric, header}; `header` makes its cells the rows' headers. It
 * scrolls by itself where it is wider than the screen, so it takes the focus of the keyboard.
 */
export const table = (caption, columns, rows, className = "") =>
  h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption },
    h("table", { class: className },
      h("caption", {}, caption),
      h("thead", {}, h("tr", {}, columns.map((it) =>
        h("th", { scope: "col", class: it.numeric ? "number" : null }, it.title)))),
      h("tbody", {}, rows.map((row) => h("tr", {}, row.map((cell, i) =>
        columns[i].header
          ? h("th", { scope: "row" }, cell)
          // Its title stands beside it where a row is a block.
          : h("td", { class: columns[i].numeric ? "number" : null, "data-title": columns[i].title }, cell)))))));

/** A word for a state; the word itself says what the colour says. */
export const badge = (word, tone) => h("span", { class: `badge ${tone}` }, word);

/**
 * Replaces what an element contains, unless it would look the same: a person may have selected text
 * in it, opened a part of it or have the focus there. What was open or focused stays so.
 */
export const show = (element, ...children) => {
  const next = element.cloneNode(false);
  next.append(...children.flat(Infinity).filter(Boolean));
  const open = new Set([...element.querySelectorAll("details[open][id]")].map((it) => it.id));
  for (const details of next.querySelectorAll("details[id]")) {
    details.open = details.open || open.has(details.id);
  }
  if (element.isEqualNode(next)) {
    return;
  }
  const focused = element.contains(document.activeElement) ? document.activeElement.id : "";
  const scrolled = [...element.querySelectorAll(".scroll")].map((it) => it.scrollLeft);
  element.replaceChildren(...next.childNodes);
  element.querySelectorAll(".scroll").forEach((it, i) => {
    it.scrollLeft = scrolled[i] ?? 0;
  });
  if (focused) {
    document.getElementById(focused)?.focus({ preventScroll: true });
  }
};

/** Sets a text, unless it is the same: a screen reader reads out what is set. */
export const setText = (element, text) => {
  if (element.textContent !== text) {
    element.textContent = text;
  }
};
