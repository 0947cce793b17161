import { figure } from "./chart.js";
import { grid, legend, tooltip, valueAxis } from "./options.js";
import { text } from "../value.js";

const symbols = ["circle", "diamond", "triangle", "rect"];

/** Slowdown against energy saved: a point for each cell and method. */
export function studyChart(cells) {
  const runs = cells.flatMap((cell) => cell.runs.slice(1).map((run) => ({ cell: cell.name, run })));
  const methods = [...new Set(runs.map(({ run }) => run.method))];
  const of = (method) => runs.filter(({ run }) => run.method === method);
  return figure({
    label: `Slowdown against energy saved of ${runs.length} runs by ${methods.join(", ")}; the table of cells has the same`,
    caption: "A point is a cell: up is more energy saved, left is less time lost.",
    height: 340,
    marks: runs.length,
    option: (colours) => ({
      grid: grid({ top: 40, left: 30 }),
      legend: legend(colours, methods),
      tooltip: tooltip(colours, ({ seriesName, dataIndex: i }) => {
        const { cell, run } = of(seriesName)[i];
        return [cell, `${seriesName}: slowdown ${text(run.slowdown)}, saved ${text(run.saving)}`];
      }),
      xAxis: valueAxis(colours, "slowdown, %", { scale: true }),
      yAxis: valueAxis(colours, "energy saved, %", { scale: true, nameGap: 40 }),
      series: methods.map((method, k) => ({
        name: method,
        type: "scatter",
        symbol: symbols[k % symbols.length],
        symbolSize: 11,
        itemStyle: { color: colours.series[k % colours.series.length], opacity: 0.85 },
        data: of(method).map(({ run }) => [run.slowdown.value, run.saving.value]),
      })),
    }),
  });
}
