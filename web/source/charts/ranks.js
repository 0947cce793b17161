import { figure } from "./chart.js";
import { grid, legend, nameAxis, tooltip, valueAxis } from "./options.js";
import { seconds } from "../format.js";

/** "3", or "96 to 111" where a row stands for several ranks. */
export function namesOfRows({ ranks, ranks_per_row: perRow }) {
  return Array.from({ length: Math.ceil(ranks / perRow) }, (_, row) => {
    const first = row * perRow;
    const last = Math.min(first + perRow, ranks) - 1;
    return first === last ? String(first) : `${first} to ${last}`;
  });
}

/** Computing and in MPI, stacked, for each rank of one run. `most` is the time that the axis shows. */
export function rankBars({ run, times, most }) {
  const rows = namesOfRows(times);
  const parts = [
    ["computing", times.computation_s],
    ["in MPI", times.communication_s],
  ];
  const say = (i) => [
    `rank ${rows[i]}`,
    ...parts.map(([name, values]) => `${name}: ${seconds(values[i])}`),
  ];
  const few = rows.length <= 16;
  return figure({
    label: `${run}: time of each rank, computing and in MPI. ${
      few ? rows.map((_, i) => say(i).join(", ")).join("; ") : ""
    }`,
    caption: `${run}: time of each rank${times.ranks_per_row > 1 ? ", means of neighbours" : ""}`,
    height: 250,
    marks: 2 * rows.length,
    option: (colours) => ({
      grid: grid({ top: 34, left: 24 }),
      legend: legend(
        colours,
        parts.map(([name]) => name),
      ),
      tooltip: { ...tooltip(colours, ([{ dataIndex: i }]) => say(i)), trigger: "axis" },
      xAxis: nameAxis(colours, rows, null, { name: "rank", nameLocation: "middle", nameGap: 26 }),
      yAxis: valueAxis(colours, "s", {
        max: most,
        nameGap: 34,
        axisLabel: { color: colours.quiet, showMaxLabel: false },
      }),
      series: parts.map(([name, values], k) => ({
        name,
        type: "bar",
        stack: "time",
        barCategoryGap: rows.length > 100 ? 0 : "20%",
        itemStyle: { color: k === 0 ? colours.computing : colours.waiting },
        data: values,
      })),
    }),
  });
}
