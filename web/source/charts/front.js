import { figure } from "./chart.js";
import { grid, tooltip, valueAxis } from "./options.js";
import { text } from "../value.js";

/** What a point must not be: worse than another in one of the two and better in none. */
export function onFront(point, points) {
  return !points.some(
    (other) => other.x <= point.x && other.y <= point.y && (other.x < point.x || other.y < point.y),
  );
}

/** For the label of the rightmost point. */
export const roomIn = (width) => Math.min(170, width * 0.28);

/** Points that lie upon each other as one. */
export function merged(points) {
  const places = new Map();
  for (const point of points) {
    const place = `${point.x} ${point.y}`;
    const there = places.get(place);
    places.set(
      place,
      there
        ? {
            ...there,
            label: `${there.label}, ${point.label}`,
            chosen: there.chosen || point.chosen,
          }
        : point,
    );
  }
  return [...places.values()];
}

/** Points without labels: circles, and a larger diamond for what is chosen. */
export function markSeries(colours, points) {
  return {
    type: "scatter",
    symbolSize: (_, { dataIndex: i }) => (points[i].chosen ? 18 : 11),
    data: points.map(({ x, y, chosen }) => ({
      value: [x, y],
      symbol: chosen ? "diamond" : "circle",
      itemStyle: {
        color: chosen ? colours.after : colours.ground,
        borderColor: chosen ? colours.after : colours.other,
        borderWidth: 2,
      },
    })),
  };
}

export function pointSeries(colours, points, room, chosenIs = "this run") {
  const marks = markSeries(colours, points);
  return {
    ...marks,
    labelLayout: { hideOverlap: true, moveOverlap: "shiftY" },
    data: points.map((point, i) => ({
      ...marks.data[i],
      label: {
        show: true,
        position: "right",
        offset: [2, -9],
        width: room - 16,
        overflow: "break",
        lineHeight: 15,
        color: colours.text,
        formatter: point.chosen ? `${point.label} (${chosenIs})` : point.label,
      },
    })),
  };
}

/** Time against energy. `points`: label, chosen, time and energy with x and y in percent. */
export function frontChart(all, about) {
  const points = merged(all);
  const front = points.filter((point) => onFront(point, points)).sort((a, b) => a.x - b.x);
  const say = (point) => `${point.label}: time ${text(point.time)}, energy ${text(point.energy)}`;
  return figure({
    label: `Time against energy ${about}. ${points.map(say).join("; ")}`,
    caption:
      "Down is less energy, left is less time. The line connects what nothing else beats in both.",
    height: 330,
    marks: points.length,
    option: (colours, width) => ({
      grid: grid({ left: 30, right: roomIn(width), top: 24 }),
      tooltip: tooltip(colours, ({ dataIndex: i, seriesType }) =>
        say(seriesType === "line" ? front[i] : points[i]),
      ),
      xAxis: valueAxis(colours, "time against gear 0, %", { scale: true }),
      yAxis: valueAxis(colours, "energy against gear 0, %", { scale: true, nameGap: 40 }),
      series: [
        {
          type: "line",
          data: front.map((point) => [point.x, point.y]),
          symbol: "none",
          lineStyle: { color: colours.quiet, type: "dashed", width: 1.5 },
        },
        pointSeries(colours, points, roomIn(width)),
      ],
    }),
  });
}
