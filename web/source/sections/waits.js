import { together } from "../format.js";
import { folded, note, searchable, section, table } from "../table.js";
import { bare, show } from "../value.js";

/** "2 × 1.2 GHz": the settings in which nodes waited. */
function settingsOf(nodes) {
  const counts = new Map();
  for (const { setting } of nodes)
    if (setting !== null) counts.set(setting, (counts.get(setting) ?? 0) + 1);
  const texts = [...counts].map(([setting, n]) => together(`${n.toLocaleString("en")} × ${setting}`));
  return texts.join(", ") || "never";
}

const sum = (nodes, pick) => nodes.reduce((all, node) => all + pick(node).value, 0);
const most = (nodes, pick) => nodes.reduce((all, node) => Math.max(all, pick(node).value), 0);

/** Of all nodes together; what the page adds up has the mark of its parts. */
function totals(nodes) {
  const [first] = nodes;
  const all = (pick) => show({ ...pick(first), value: sum(nodes, pick), path: null });
  const longest = (pick) => show({ ...pick(first), value: most(nodes, pick), path: null });
  return table(
    "All nodes together",
    ["what", ">how much"],
    [
      ["nodes that waited, and in which gear", settingsOf(nodes)],
      ["times that a gear was lowered", all(({ times }) => times)],
      ["saved, against waiting in the gears to compute in", all(({ saved }) => saved)],
      ["longest in the wait gear of a node", longest(({ time }) => time)],
      ["lost by ranks that went on before the gear was raised, at most of a node", longest(({ cost }) => cost)],
    ],
  );
}

const nodeTable = (nodes) =>
  searchable({
    what: "node",
    columns: ["node", "wait gear", ">times", ">in it", ">saved", ">late", ">lost by that", "problem"],
    items: nodes,
    nameOf: ({ name }) => name,
    rowsOf: (node) => [
      [
        node.name,
        node.setting ?? "none",
        bare(node.times),
        bare(node.time),
        bare(node.saved),
        bare(node.late),
        bare(node.cost),
        node.problem ?? "",
      ],
    ],
  });

/** Low gears while all ranks of a node waited; nothing where nobody asked for them. */
export function waits(subject) {
  const nodes = subject.waits ?? [];
  if (nodes.length === 0) return null;
  return section("waits", "Low gears in waits", [
    nodes.every(({ set }) => set)
      ? null
      : note("On some node the wait gear was not set: its figures are what it would have come to."),
    totals(nodes),
    note(
      "Late is how long ranks computed, or would have, while the gear was still low. What is saved " +
        "follows from the power tables, and knows nothing of what a meter said.",
    ),
    folded("All nodes, one by one", () => nodeTable(nodes)),
  ]);
}
