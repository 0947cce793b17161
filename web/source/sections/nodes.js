import { h, newId } from "../element.js";
import { count, gigahertz, together } from "../format.js";
import { folded, section, table } from "../table.js";
import { bare } from "../value.js";
import { describe, nodeMap } from "../charts/node_map.js";

const most_rows = 200;

/** "2 × gear 5 (2 GHz)" for each type. */
function gearsByType(nodes) {
  const types = new Map();
  for (const node of nodes) {
    const gears = types.get(node.type) ?? new Map();
    types.set(node.type, gears);
    const gear = node.gear.value;
    gears.set(gear, { frequency: node.frequency, nodes: (gears.get(gear)?.nodes ?? 0) + 1 });
  }
  const say = ([gear, { frequency, nodes: n }]) =>
    together(
      `${n.toLocaleString("en")} × gear ${gear}${frequency === null ? "" : ` (${gigahertz(frequency)})`}`,
    );
  return [...types].map(([type, gears]) => [
    type,
    [...gears].sort(([a], [b]) => a - b).map(say).join(", "),
  ]);
}

/** A table of all nodes with a field to find some by name. */
function nodeTable(nodes) {
  const id = newId("find");
  const place = h("div", {});
  const fill = (wanted) => {
    const found = nodes.filter(({ name, type }) => `${name} ${type}`.toLowerCase().includes(wanted));
    const rows = found
      .slice(0, most_rows)
      .map((node) => [node.name, node.type, bare(node.gear), describe(node)]);
    const more = found.length > most_rows ? `, the first ${most_rows} are shown` : "";
    place.replaceChildren(
      table(`${count(found.length, "node")}${more}`, ["node", "type", ">gear", "that is"], rows),
    );
  };
  const field = h("input", {
    id,
    type: "search",
    oninput: (event) => fill(event.target.value.toLowerCase()),
  });
  fill("");
  return h("div", {}, h("label", { for: id }, "Find nodes "), field, place);
}

function panel({ run, nodes }) {
  return h(
    "div",
    { class: "panel" },
    nodeMap(nodes),
    table(`Gears ${run}`, ["type", "gears"], gearsByType(nodes)),
    folded("All nodes", () => nodeTable(nodes)),
  );
}

/** Gears of the nodes at the end of each run that had gears. */
export function nodes(subject) {
  const withGears = subject.nodes.filter(({ nodes: all }) => all.some(({ gear }) => gear.value > 0));
  const shown = withGears.length > 0 ? withGears : subject.nodes.slice(0, 1);
  return section(
    "nodes",
    "Gears of the nodes",
    shown.map((run) => [shown.length > 1 ? h("h3", {}, run.run) : null, panel(run)]),
  );
}
