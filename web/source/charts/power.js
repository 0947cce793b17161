import { figure } from "./chart.js";
import { briefAxis, grid, legend, tooltip, valueAxis } from "./options.js";
import { seconds, watts } from "../format.js";

/** The begin of the first step and the end of each; where steps are missing, so is the line. */
const lineOf = (steps) =>
  steps.flatMap((step, i) => {
    const follows = i > 0 && step.begin_s - steps[i - 1].end_s < 1e-6 * step.end_s;
    return [
      ...(i > 0 && !follows ? [[steps[i - 1].end_s, "-"]] : []),
      ...(follows ? [] : [[step.begin_s, step.power_w]]),
      [step.end_s, step.power_w],
    ];
  });

/** `runs`: label and steps of average power; `since`: what time is counted from. */
export function powerChart(runs, between, since) {
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
          ...at
            .filter(({ value }) => value[1] !== "-")
            .map(({ seriesName, value }) => `${seriesName}: ${watts(value[1])}`),
        ]),
        trigger: "axis",
      },
      xAxis: valueAxis(colours, `time since ${since}, s`),
      yAxis: briefAxis(colours, "W", { nameGap: 44, min: 0 }),
      series: runs.map(({ label, steps, isUnscaled }, i) => ({
        name: label,
        type: "line",
        step: "start",
        symbol: "none",
        lineStyle: { width: 2, type: ["solid", "dashed", "dotted"][i % 3] },
        itemStyle: { color: isUnscaled ? colours.before : colours.series[(i - 1) % 4] },
        data: lineOf(steps),
      })),
    }),
  });
}
