import { cells } from "./cells.js";
import { figure } from "./chart.js";
import { tooltip } from "./options.js";
import { namesOfRows } from "./ranks.js";
import { count, seconds } from "../format.js";

function axes(colours, picture, rows, columns) {
  const time = (column) => seconds((column / columns) * picture.end_s);
  const quiet = { axisLabel: { color: colours.quiet }, axisTick: { show: false } };
  return {
    xAxis: {
      type: "category",
      data: Array.from({ length: columns }, (_, column) => time(column)),
      ...quiet,
      axisLabel: { color: colours.quiet, interval: Math.ceil(columns / 4) - 1, hideOverlap: true },
    },
    yAxis: {
      type: "category",
      data: rows,
      inverse: true,
      name: "rank",
      nameLocation: "middle",
      nameGap: 34,
      ...quiet,
    },
  };
}

/** The rank that the critical path is on, as a line over the rows. */
const pathLine = (colours, picture) => ({
  name: "critical path",
  type: "line",
  step: "middle",
  symbol: "none",
  silent: true,
  z: 5,
  lineStyle: { color: colours.other, width: 2 },
  data: picture.path.rank_by_column.map((rank, column) => [
    column,
    Math.floor(rank / picture.ranks_per_row),
  ]),
});

/**
 * Which share of the time each rank computed, by row of ranks and column of time. `end`: of the longest
 * run that is shown, s.
 */
export function timelineChart(run, picture, end) {
  const rows = namesOfRows(picture);
  const columns = picture.computing_percent[0].length;
  const shares = picture.computing_percent.flatMap((row, y) =>
    row.map((share, x) => [x, y, share]),
  );
  const moment = (column) => seconds((column / columns) * picture.end_s);
  const waits = ([x, y]) =>
    picture.waiting_percent ? [`waiting for others ${picture.waiting_percent[y][x]} %`] : [];
  return figure({
    label:
      `${run}: timeline of ${count(picture.ranks, "rank")}, ${seconds(picture.end_s)} long: ` +
      `blue is computing, grey is in MPI${picture.path ? ", the line is the critical path" : ""}`,
    caption: `${run}; a column is ${seconds(picture.end_s / columns)}`,
    height: 110 + Math.min(420, Math.max(80, 22 * rows.length)),
    marks: shares.length,
    option: (colours, width) => ({
      grid: { left: 56, width: ((width - 64) * picture.end_s) / end, top: 6, bottom: 84 },
      tooltip: tooltip(colours, ({ value: [x, y, share] }) => [
        `rank ${rows[y]}, ${moment(x)} to ${moment(x + 1)}`,
        `computing ${share} % of that time`,
        ...waits([x, y]),
      ]),
      ...axes(colours, picture, rows, columns),
      visualMap: {
        seriesIndex: 0,
        min: 0,
        max: 100,
        orient: "horizontal",
        left: 0,
        bottom: 0,
        itemWidth: 14,
        itemHeight: Math.min(140, width / 4),
        text: ["computing 100 %", "0 %"],
        textStyle: { color: colours.text },
        inRange: { color: [colours.waiting, colours.computing] },
      },
      series: [
        cells({ data: shares, border: 0 }),
        ...(picture.path ? [pathLine(colours, picture)] : []),
      ],
    }),
  });
}
