import { figure } from "./chart.js";
import { markSeries } from "./front.js";
import { briefAxis, grid, tooltip } from "./options.js";
import { watts } from "../format.js";

/**
 * Throughput against power of all configurations that were tried;
 * `bounds`: of power and throughput, null where there is none; `rate`: the format of throughput.
 */
export function configurationsChart({ configurations, bounds, rate }) {
  const say = (one) => `${one.name}: ${rate(one.throughput_per_s)}, ${watts(one.power_w)}`;
  const line = (from, to, colours) => ({
    type: "line",
    symbol: "none",
    silent: true,
    lineStyle: { type: "dashed", width: 1.5, color: colours.text },
    data: [from, to],
  });
  const most = (key, bound) =>
    1.08 * Math.max(...configurations.map((one) => one[key]), bound ?? 0);
  const right = most("power_w", bounds.power);
  const top = most("throughput_per_s", bounds.throughput);
  return figure({
    label:
      "Throughput against power of the configurations that were tried. " +
      configurations.map(say).join("; "),
    caption: "Up is more throughput, left is less power. Dashed: the bounds. Filled: at the end.",
    height: 320,
    marks: configurations.length,
    option: (colours) => ({
      grid: grid({ left: 30, top: 20 }),
      tooltip: tooltip(colours, ({ dataIndex: i }) => say(configurations[i])),
      xAxis: briefAxis(colours, "W", { min: 0, max: right }, { showMaxLabel: false }),
      yAxis: briefAxis(
        colours,
        "items/s",
        { nameGap: 44, min: 0, max: top },
        { showMaxLabel: false },
      ),
      series: [
        markSeries(
          colours,
          configurations.map((one) => ({
            x: one.power_w,
            y: one.throughput_per_s,
            chosen: one.at_end,
          })),
        ),
        ...(bounds.power === null ? [] : [line([bounds.power, 0], [bounds.power, top], colours)]),
        ...(bounds.throughput === null
          ? []
          : [line([0, bounds.throughput], [right, bounds.throughput], colours)]),
      ],
    }),
  });
}
