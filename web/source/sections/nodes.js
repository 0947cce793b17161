import { h } from "../element.js";
import { together } from "../format.js";
import { folded, searchable, section, table } from "../table.js";
import { bare } from "../value.js";
import { describe, nodeMap, settingOf } from "../charts/node_map.js";

/** "2 × gear 5 (2 GHz)" for each type. */
function gearsByType(nodes) {
  const types = new Map();
  for (const node of nodes) {
    const gears = types.get(node.type) ?? new Map();
    types.set(node.type, gears);
    const gear = node.gear.value;
    const setting = settingOf(node);
    const key = `${gear} ${setting}`; // nodes of one type may have gears of their own
    const there = gears.get(key)?.nodes ?? 0;
    gears.set(key, { gear, setting, frequency: node.frequency, nodes: there + 1 });
  }
  const say = ({ gear, setting, nodes: n }) =>
    together(`${n.toLocaleString("en")} × gear ${gear}${setting === null ? "" : ` (${setting})`}`);
  return [...types].map(([type, gears]) => [
    type,
    [...gears.values()]
      .sort((a, b) => a.gear - b.gear || b.frequency - a.frequency)
      .map(say)
      .join(", "),
  ]);
}

/** A table of all nodes with a field to find some by name. */
const nodeTable = (nodes) =>
  searchable({
    what: "node",
    columns: ["node", "type", ">gear", "that is"],
    items: nodes,
    nameOf: ({ name, type }) => `${name} ${type}`,
    rowsOf: (node) => [[node.name, node.type, bare(node.gear), describe(node)]],
  });

function panel({ run, nodes }, slowest) {
  return h(
    "div",
    { class: "panel" },
    nodeMap(nodes, slowest),
    table(`Gears by type, ${run}`, ["type", "gears"], gearsByType(nodes)),
    folded("All nodes", () => nodeTable(nodes)),
  );
}

/** Gears of the nodes at the end of each run that had gears. */
export function nodes(subject) {
  const withGears = subject.nodes.filter(({ nodes: all }) =>
    all.some(({ gear }) => gear.value > 0),
  );
  const shown = withGears.length > 0 ? withGears : subject.nodes.slice(0, 1);
  const slowest = shown
    .flatMap(({ nodes: all }) => all.map(({ gear }) => gear.value))
    .reduce((a, b) => Math.max(a, b), 1);
  return section(
    "nodes",
    "Gears of the nodes",
    shown.map((run) => [shown.length > 1 ? h("h3", {}, run.run) : null, panel(run, slowest)]),
  );
}
