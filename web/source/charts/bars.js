import { figure } from "./chart.js";
import { briefAxis, grid, legend, nameAxis, tooltip, valueAxis } from "./options.js";
import { text } from "../value.js";

/** Lying bars, one for each run, the unscaled one in another colour: `pick(run)` is what is shown. */
export function runBars({ title, runs, pick, unit }) {
  const shown = runs.filter((run) => pick(run)?.value != null);
  if (shown.length < 1) return null;
  const said = shown.map((run) => `${run.label}: ${text(pick(run))}`).join("; ");
  return figure({
    label: `Bar chart of ${title}. ${said}`,
    caption: `${title}, by run`,
    height: 64 + 34 * shown.length,
    marks: shown.length,
    option: (colours, width) => ({
      grid: grid({ right: 76 }),
      tooltip: tooltip(colours, ({ dataIndex: i }) => `${shown[i].label}: ${text(pick(shown[i]))}`),
      xAxis: briefAxis(colours, unit, { min: 0, splitNumber: 3 }),
      yAxis: nameAxis(
        colours,
        shown.map((run) => run.label),
        Math.max(76, width / 4.5),
        { inverse: true, axisLabel: { interval: 0 } },
      ),
      series: [
        {
          type: "bar",
          barMaxWidth: 22,
          data: shown.map((run) => ({
            value: pick(run).value,
            itemStyle: { color: run.isUnscaled ? colours.before : colours.after },
          })),
          label: {
            show: true,
            position: "right",
            color: colours.text,
            formatter: ({ dataIndex: i }) => text(pick(shown[i])),
          },
        },
      ],
    }),
  });
}

/** Beyond five the same again, paler. */
const barStyle = ({ other, after, series }, k) => ({
  color: [other, after, ...series.slice(2)][k % 5],
  opacity: k < 5 ? 1 : 0.5,
});

/** Groups of bars that go up or down from 0: `rows` have a label, and a number for each of `names`. */
export function deviationBars({ title, caption, rows, names, unit }) {
  const say = (row) =>
    names
      .map((name, k) =>
        row.values[k] === null ? null : `${name} ${row.values[k].toFixed(2)} ${unit}`,
      )
      .filter(Boolean)
      .join(", ");
  const lines = Math.ceil(names.length / 2); // of the legend, on a telephone
  return figure({
    label: `Bar chart of ${title}. ${rows.map((row) => `${row.label}: ${say(row)}`).join("; ")}`,
    caption,
    height: 76 + 20 * lines + (12 + 16 * names.length) * rows.length,
    marks: names.length * rows.length,
    option: (colours, width) => ({
      grid: grid({ top: 14 + 20 * lines }),
      legend: legend(colours, names),
      tooltip: tooltip(colours, ({ dataIndex: i }) => [rows[i].label, say(rows[i])]),
      xAxis: valueAxis(colours, unit, { splitNumber: 4 }),
      yAxis: nameAxis(
        colours,
        rows.map((row) => row.label),
        width / 3.2,
        { inverse: true, axisLabel: { interval: 0 } },
      ),
      series: names.map((name, k) => ({
        name,
        type: "bar",
        barMaxWidth: 14,
        itemStyle: barStyle(colours, k),
        data: rows.map((row) => row.values[k]),
      })),
    }),
  });
}
