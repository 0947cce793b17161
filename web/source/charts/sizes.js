import { figure } from "./chart.js";
import { briefAxis, grid, legend, tooltip, valueAxis } from "./options.js";
import { bytes } from "../format.js";

const most_lines = 8;
const symbols = ["circle", "diamond", "triangle", "rect"];

/** Those that are nowhere far from the least come first. */
function leastFirst(lines) {
  const least = new Map();
  for (const { points } of lines)
    for (const [size, value] of points)
      least.set(size, Math.min(least.get(size) ?? Infinity, value));
  const closest = ({ points }) =>
    Math.min(...points.map(([size, value]) => value / least.get(size)));
  return [...lines].sort((a, b) => closest(a) - closest(b));
}

/** A quantity over sizes of messages, both on scales of logarithms. `lines`: name, points [size, value]. */
export function sizesChart({ title, unit, lines: all, format }) {
  const lines = leastFirst(all).slice(0, most_lines);
  if (!lines.some(({ points }) => points.length > 1)) return null;
  const left = all.length - lines.length;
  const say = ([size, value]) => `${bytes(size)}: ${format(value)}`;
  const said = lines.map(({ name, points }) => `${name}: ${points.map(say).join(", ")}`);
  const rest = left > 0 ? `; ${left} more are in the table` : "";
  const logarithmic = { type: "log", splitNumber: 4, minorTick: { show: false } };
  return figure({
    label: `${title} over the size. ${said.join("; ")}`,
    caption: `${title} over the size${rest}. Both scales are logarithmic.`,
    height: 300 + 24 * Math.ceil(lines.length / 3),
    marks: lines.reduce((sum, { points }) => sum + points.length, 0),
    option: (colours, width) => ({
      grid: grid({ top: 34 + 24 * Math.ceil((lines.length * 190) / width), left: 30 }),
      legend: legend(
        colours,
        lines.map(({ name }) => name),
      ),
      tooltip: tooltip(colours, ({ seriesName, value }) => [seriesName, say(value)]),
      xAxis: valueAxis(colours, "size", {
        ...logarithmic,
        logBase: 2,
        splitNumber: 10,
        axisLabel: { color: colours.quiet, hideOverlap: true, formatter: bytes },
      }),
      yAxis: briefAxis(colours, unit, { ...logarithmic, nameGap: 48 }),
      series: lines.map(({ name, points }, k) => ({
        name,
        type: "line",
        symbol: symbols[k % symbols.length],
        symbolSize: 7,
        lineStyle: { width: 2, type: k < 4 ? "solid" : "dashed" },
        itemStyle: { color: colours.series[k % 4] },
        data: points,
      })),
    }),
  });
}
