import { figure } from "./chart.js";
import { briefAxis, grid, legend, tooltip, valueAxis } from "./options.js";
import { seconds } from "../format.js";

const rangeOf = (values) => {
  const known = values.filter((value) => value !== null);
  return [Math.min(...known), Math.max(...known)];
};

/** Moments and values of a step line: each step has its value from its begin to its end. */
function stairs(steps, pick) {
  const corners = [];
  let end = null;
  for (const step of steps) {
    if (end !== null && step.begin_s > end * (1 + 1e-6) + 1e-3) corners.push([end, null]); // a gap
    corners.push([step.begin_s, pick(step)], [step.end_s, pick(step)]);
    end = step.end_s;
  }
  return corners;
}

/** Times in which the program was not steady, neighbours joined. */
function unsteady(steps) {
  const areas = [];
  for (const { begin_s: begin, end_s: end, steady } of steps)
    if (!steady) {
      if (areas.length > 0 && begin <= areas.at(-1)[1] + 1e-3) areas.at(-1)[1] = end;
      else areas.push([begin, end]);
    }
  return areas;
}

function lineSeries({ name, pick }, i, steps, colours) {
  return {
    name,
    type: "line",
    symbol: "none",
    lineStyle: { width: 2, type: ["solid", "dotted"][i % 2] },
    itemStyle: { color: colours.series[i % colours.series.length] },
    data: stairs(steps, pick),
  };
}

function boundSeries({ name, value }, steps, colours) {
  return {
    name,
    type: "line",
    symbol: "none",
    lineStyle: { width: 1.5, type: "dashed", color: colours.text },
    itemStyle: { color: colours.text },
    data: [
      [steps[0].begin_s, value],
      [steps.at(-1).end_s, value],
    ],
  };
}

const shading = (steps, colours) => ({
  silent: true,
  itemStyle: { color: colours.waiting, opacity: 0.7 },
  data: unsteady(steps).map(([begin, end]) => [{ xAxis: begin }, { xAxis: end }]),
});

/**
 * Numbers over time. `lines`: name and `pick(step)`; `bound`: name and value of a bound, or null;
 * `format`: of their numbers; `axis`: of these. Times in which a configuration was looked for are shaded.
 */
export function overTime({ title, unit, steps, lines, bound = null, format, axis = briefAxis }) {
  const shown = lines.filter(({ pick }) => steps.some((step) => pick(step) !== null));
  if (shown.length === 0) return null;
  const said = shown.map(({ name, pick }) => {
    const [least, most] = rangeOf(steps.map(pick));
    return `${name}: ${format(least)} to ${format(most)}`;
  });
  if (bound) said.push(`${bound.name}: ${format(bound.value)}`);
  const all = [...shown.map(({ name }) => name), ...(bound ? [bound.name] : [])];
  return figure({
    label: `${title} over time. ${said.join("; ")}`,
    caption: `${title}. Grey: a configuration was looked for.`,
    height: 230,
    marks: shown.length * steps.length,
    option: (colours) => ({
      grid: grid({ top: 34, left: 30 }),
      legend: legend(colours, all),
      tooltip: {
        ...tooltip(colours, (at) => [
          seconds(at[0].value[0]),
          ...at
            .filter(({ value }) => value[1] !== null)
            .map(({ seriesName, value }) => `${seriesName}: ${format(value[1])}`),
        ]),
        trigger: "axis",
      },
      xAxis: valueAxis(colours, "time since the first item, s", {
        min: 0,
        max: steps.at(-1).end_s,
        axisLabel: { color: colours.quiet, hideOverlap: true, showMaxLabel: false },
      }),
      yAxis: axis(colours, unit, { nameGap: 38, min: 0 }),
      series: [
        ...shown.map((line, i) => ({
          ...lineSeries(line, i, steps, colours),
          ...(i === 0 ? { markArea: shading(steps, colours) } : {}),
        })),
        ...(bound ? [boundSeries(bound, steps, colours)] : []),
      ],
    }),
  });
}
