import { figure } from "./chart.js";
import { briefAxis, grid, legend, tooltip, valueAxis } from "./options.js";
import { seconds, watts } from "../format.js";

/** `runs`: label and steps of average power. */
export function powerChart(runs, between) {
  const say = ({ label, steps }) => {
    const powers = steps.map((step) => step.power_w);
    return `${label}: ${watts(Math.min(...powers))} to ${watts(Math.max(...powers))}`;
  };
  return figure({
    label: `Power of all nodes over time. ${runs.map(say).join("; ")}`,
    caption: `Power of all nodes together, on average between ${between}.`,
    height: 300,
    marks: runs.reduce((sum, { steps }) => sum + steps.length, 0),
    option: (colours) => ({
      grid: grid({ top: 34, left: 30 }),
      legend: legend(
        colours,
        runs.map(({ label }) => label),
      ),
      tooltip: {
        ...tooltip(colours, (at) => [
          seconds(at[0].value[0]),
          ...at.map(({ seriesName, value }) => `${seriesName}: ${watts(value[1])}`),
        ]),
        trigger: "axis",
      },
      xAxis: valueAxis(colours, "time since MPI_Init, s"),
      yAxis: briefAxis(colours, "W", { nameGap: 44, min: 0 }),
      series: runs.map(({ label, steps, isUnscaled }, i) => ({
        name: label,
        type: "line",
        step: "start",
        symbol: "none",
        lineStyle: { width: 2, type: ["solid", "dashed", "dotted"][i % 3] },
        itemStyle: { color: isUnscaled ? colours.before : colours.series[(i - 1) % 4] },
        data: [
          [steps[0].begin_s, steps[0].power_w],
          ...steps.map((step) => [step.end_s, step.power_w]),
        ],
      })),
    }),
  });
}
