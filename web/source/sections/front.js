import { section, table, note } from "../table.js";
import { bare } from "../value.js";
import { mark } from "../basis.js";
import { frontChart, onFront } from "../charts/front.js";

// A ratio, or a difference in percent, as percent.
const percent = (quantity, isRatio) => (isRatio ? 100 * (quantity.value - 1) : quantity.value);

/** Time against energy, with what was chosen. */
export function front(subject) {
  const { about, basis, points } = subject.front;
  const isRatio = basis === "predicted";
  const placed = points
    .filter((point) => point.time.value !== null && point.energy.value !== null)
    .map((point) => ({
      ...point,
      x: percent(point.time, isRatio),
      y: percent(point.energy, isRatio),
    }));
  if (placed.length < 2)
    return section(
      "front",
      "Pareto front",
      note("There is nothing to choose among: the folder has fewer than two choices of gears."),
    );
  const say = (point) => (point.chosen ? "this run" : onFront(point, placed) ? "yes" : "no");
  return section(
    "front",
    "Pareto front",
    note(`Time and energy ${about} `, mark(basis), "."),
    frontChart(placed, about),
    table(
      "Points of the chart",
      ["point", ">time", ">energy", "on the front"],
      placed.map((point) => [point.label, bare(point.time), bare(point.energy), say(point)]),
    ),
  );
}
