import { mark } from "../basis.js";
import { count, joules, percentMore, seconds } from "../format.js";
import { folded, note, section, table } from "../table.js";
import { bare, known } from "../value.js";
import { computedFrontChart } from "../charts/computed_front.js";

const most_rows = 60;

const models = {
  rauber: "by the model of Rauber and Rünger",
  homogeneous: "by the model of a homogeneous cluster",
  cluster: "by the cluster model",
  grid: "by the grid model",
  hybrid: "by the hybrid model",
  async: "by the asynchronous model",
  async_literal: "by the asynchronous model as printed",
  table: "by the cluster model, with the powers of the platform",
};

/** In percent against gear 0. */
const placed = (front) => (point) => ({
  ...point,
  x: 100 * (point.time_s / front.time_s - 1),
  y: 100 * (point.energy_j / front.energy_j - 1),
});

const plainPercent = (value) => bare(known(value, null, percentMore));

function methodsTable(methods) {
  return table(
    "What methods choose",
    [
      "method",
      ">time",
      ">energy",
      ">time against gear 0",
      ">energy against gear 0",
      ">energy beyond the front",
      "keeps the bounds",
    ],
    methods.map((one) => [
      `${one.method}${one.chosen ? " (chosen)" : ""}`,
      bare(known(one.time_s, null, seconds)),
      bare(known(one.energy_j, null, joules)),
      plainPercent(one.x),
      plainPercent(one.y),
      plainPercent(one.beyond_front_percent),
      one.keeps_bounds ? "yes" : "no",
    ]),
  );
}

/** All of few points; of many, some of the same distance. */
function pointsTable(line, front, pathOf) {
  const step = Math.ceil(line.length / most_rows);
  const rows = line.filter((_, i) => i % step === 0 || i === line.length - 1);
  const at = (point, key, format) => bare(known(point[key], pathOf(point, key), format));
  return table(
    `${count(front.count, "point")} of the front, ${rows.length} of them are here`,
    [">time", ">energy", ">time against gear 0", ">energy against gear 0"],
    rows.map((point) => [
      at(point, "time_s", seconds),
      at(point, "energy_j", joules),
      plainPercent(point.x),
      plainPercent(point.y),
    ]),
  );
}

function explained(front, about) {
  const size = front.exact
    ? `All ${count(front.count, "point")} of it were found`
    : "It has too many points to list: this is its convex hull";
  return note(
    `Time and energy of ${about} that some gears reach and none beat in both, ${models[front.model]} `,
    mark("predicted"),
    `. ${size}.`,
  );
}

/** The front of a model, the methods beside it, and what else is known. */
export function computedFront(subject) {
  const { front, others, othersName, about, pathOf } = subject.computed ?? {};
  if (!front) return null;
  const line = front.points.map(placed(front));
  const methods = front.methods
    .map(placed(front))
    .map((one) => ({ ...one, label: one.method, time: null, energy: null }));
  return section(
    "computed-front",
    "Exact Pareto front",
    explained(front, about),
    computedFrontChart({ line, methods, others, othersName, isHull: !front.exact }),
    others.length > 0
      ? note("Simulated runs are against the simulated run in gear 0, and not against the model's.")
      : null,
    methods.length > 0 ? methodsTable(methods) : null,
    folded("Points of the front", () => pointsTable(line, front, pathOf)),
  );
}
