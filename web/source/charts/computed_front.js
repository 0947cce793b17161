import { figure } from "./chart.js";
import { merged, pointSeries, roomIn } from "./front.js";
import { grid, legend, tooltip, valueAxis } from "./options.js";

const percent = (value) => `${value >= 0 ? "+" : ""}${value.toFixed(2)} %`;
const say = ({ label, x, y }) => `${label}: time ${percent(x)}, energy ${percent(y)}`;

/**
 * The front of a model with what methods choose. `line`: points x, y in percent against gear 0 by ascending
 * x; `methods`: the same with label and chosen; `others`: the same of runs that are known otherwise, which
 * `othersName` says.
 */
export function computedFrontChart({ line, methods, others, othersName, isHull }) {
  const chosen = merged(methods);
  const name = isHull ? "convex hull of the front" : "front";
  return figure({
    label:
      `The ${name} of time and energy, and what methods choose. ` +
      [...chosen, ...others].map(say).join("; "),
    caption: "Down is less energy, left is less time. No gears lie below the line, by the model.",
    height: 400,
    marks: line.length + chosen.length + others.length,
    option: (colours, width) => ({
      grid: grid({ left: 30, right: roomIn(width), top: 40 }),
      legend: legend(
        colours,
        [name, "methods", othersName].filter((_, i) => [1, chosen.length, others.length][i] > 0),
      ),
      tooltip: tooltip(colours, ({ seriesName, dataIndex: i }) => {
        if (seriesName === "methods") return say(chosen[i]);
        return seriesName === othersName ? say(others[i]) : say({ label: name, ...line[i] });
      }),
      xAxis: valueAxis(colours, "time against gear 0, %", { scale: true }),
      yAxis: valueAxis(colours, "energy against gear 0, %", { scale: true, nameGap: 40 }),
      series: [
        {
          name,
          type: "line",
          data: line.map(({ x, y }) => [x, y]),
          symbol: "circle",
          symbolSize: line.length > 60 ? 0 : 4,
          lineStyle: { width: 2 },
          itemStyle: { color: colours.before },
        },
        {
          ...pointSeries(colours, chosen, roomIn(width), "chosen"),
          name: "methods",
          itemStyle: { color: colours.after },
          labelLayout: { hideOverlap: true },
        },
        {
          name: othersName,
          type: "scatter",
          symbol: "triangle",
          symbolSize: 12,
          itemStyle: { color: colours.other },
          data: others.map(({ x, y }) => [x, y]),
        },
      ],
    }),
  });
}
