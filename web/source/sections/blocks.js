import { h } from "../element.js";
import { folded, note, section, table } from "../table.js";

const most_open = 40;

const list = (texts) =>
  h(
    "ul",
    {},
    texts.map((text) => h("li", {}, text)),
  );

/** What is long is shown when it is asked for. */
function tableOf({ caption, columns, rows }) {
  const make = () => table(caption, columns, rows);
  return rows.length > most_open ? folded(`${caption}, ${rows.length} rows`, make) : make();
}

/**
 * Sections of a subject whose parts are all alike: `title`, `notes`, `charts`, `tables` and a `list`
 * of texts, each of which may be missing.
 */
export function blocks(subject) {
  return subject.blocks.map((block, i) =>
    section(
      `part-${i + 1}`,
      block.title,
      (block.notes ?? []).map((text) => note(...[text].flat())),
      (block.charts ?? []).filter(Boolean),
      (block.tables ?? []).filter(({ rows }) => rows.length > 0).map(tableOf),
      block.list && block.list.length > 0 ? [h("h3", {}, block.listTitle), list(block.list)] : null,
    ),
  );
}
