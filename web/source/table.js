import { h, newId } from "./element.js";
import { count } from "./format.js";

/**
 * A table that scrolls sideways where the page is too narrow. `columns`: texts, those that begin with
 * ">" are numbers; `rows`: arrays of elements or texts, the first names the row.
 */
export function table(caption, columns, rows) {
  const isNumber = columns.map((column) => column.startsWith(">"));
  const cell = (content, column) =>
    h(
      column === 0 ? "th" : "td",
      { scope: column === 0 ? "row" : null, class: isNumber[column] ? "number" : null },
      content,
    );
  const head = columns.map((column, i) =>
    h("th", { scope: "col", class: isNumber[i] ? "number" : null }, column.replace(/^>/, "")),
  );
  return h(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": caption },
    h(
      "table",
      {},
      h("caption", {}, caption),
      h("thead", {}, h("tr", {}, head)),
      h(
        "tbody",
        {},
        rows.map((row) => h("tr", {}, row.map(cell))),
      ),
    ),
  );
}

const most_items = 200;

/**
 * A table of many items, of which a field finds some by name. `rowsOf(item)`: its rows; `what`: "node".
 */
export function searchable({ what, columns, items, nameOf, rowsOf }) {
  const id = newId("find");
  const place = h("div", {});
  const fill = (wanted) => {
    const found = items.filter((item) => nameOf(item).toLowerCase().includes(wanted));
    const more = found.length > most_items ? `, the first ${most_items} are shown` : "";
    const rows = found.slice(0, most_items).flatMap(rowsOf);
    place.replaceChildren(table(`${count(found.length, what)}${more}`, columns, rows));
  };
  const find = (event) => fill(event.target.value.toLowerCase());
  fill("");
  return h(
    "div",
    {},
    h("label", { for: id }, `Find ${what}s `),
    h("input", { id, type: "search", oninput: find }),
    place,
  );
}

/** Something that is made when it is opened. */
export function folded(summary, make) {
  const details = h("details", {}, h("summary", {}, summary));
  let made = false;
  const open = () => {
    if (!made) details.append(make());
    made = true;
  };
  details.addEventListener("toggle", () => details.open && open());
  return details;
}

export function section(id, title, ...content) {
  const parts = content.flat(Infinity).filter((part) => part !== null);
  if (parts.length === 0) return null;
  return h(
    "section",
    { id, "aria-labelledby": `${id}-title` },
    h("h2", { id: `${id}-title` }, title),
    parts,
  );
}

export const note = (...text) => h("p", { class: "note" }, ...text);
