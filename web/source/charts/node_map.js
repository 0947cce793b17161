import { cells } from "./cells.js";
import { figure } from "./chart.js";
import { tooltip } from "./options.js";
import { count, gigahertz } from "../format.js";

/** A small job fills no page. */
const widest_cell = 120;

const columnsFor = (nodes) => Math.max(1, Math.min(nodes, Math.ceil(Math.sqrt(nodes * 2.4))));

/** What the gear of a node sets: "85 W", "2.1 GHz"; null: not known. */
export const settingOf = ({ setting, frequency }) =>
  setting ?? (frequency === null ? null : gigahertz(frequency));

export const describe = (node) =>
  [
    `gear ${node.gear.value}${node.gears === null ? "" : ` of 0 to ${node.gears - 1}`}`,
    settingOf(node),
    node.remark || null,
  ]
    .filter(Boolean)
    .join(", ");

const borderFor = (nodes) => (nodes > 2500 ? 0 : nodes > 400 ? 0.5 : 2);

/** A cell for each node, in their order, coloured by gear; `slowest` is the darkest. */
export function nodeMap(nodes, slowest) {
  const columns = columnsFor(nodes.length);
  const rows = Math.ceil(nodes.length / columns);
  const hidden = (size) => ({
    type: "category",
    data: Array.from({ length: size }, (_, i) => i),
    show: false,
  });
  return figure({
    label: `Map of the gears of ${count(nodes.length, "node")}; the table below has the same`,
    caption: "A cell is a node, row by row in the order of ranks. Gear 0 is the fastest.",
    height: 70 + Math.min(360, Math.max(56, 40 * rows)),
    marks: nodes.length,
    option: (colours, width) => ({
      grid: { left: 0, width: Math.min(width, columns * widest_cell), top: 0, bottom: 56 },
      tooltip: tooltip(colours, ({ dataIndex: i }) => [
        `${nodes[i].name} (${nodes[i].type})`,
        describe(nodes[i]),
      ]),
      xAxis: hidden(columns),
      yAxis: { ...hidden(rows), inverse: true },
      visualMap: {
        min: 0,
        max: slowest,
        precision: 0,
        orient: "horizontal",
        left: 0,
        bottom: 0,
        itemWidth: 14,
        itemHeight: Math.min(140, width / 4),
        text: [`gear ${slowest} (slow)`, "gear 0 (fast)"],
        textStyle: { color: colours.text },
        inRange: { color: colours.slow },
      },
      series: [
        cells({
          data: nodes.map((node, i) => [i % columns, Math.floor(i / columns), node.gear.value]),
          border: borderFor(nodes.length),
          ground: colours.ground,
          label: nodes.length <= 48 ? (i) => String(nodes[i].gear.value) : null,
        }),
      ],
    }),
  });
}
