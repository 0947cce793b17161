import { h } from "./element.js";

/** How a number is known. */
export const bases = {
  measured: "measured on the machine",
  emulated: "measured on emulated nodes, whose gears and power are those of the platform's file",
  simulated: "came out of a simulation",
  estimated: "computed from what was measured, or from power tables",
  predicted: "what a model expected",
  assumed: "rests on power that nobody has told: only ratios mean something",
  published: "printed in a paper",
  missing: "not known, or not kept",
};

export function mark(basis) {
  return h("span", { class: `mark ${basis}`, title: bases[basis] }, basis);
}

export function legend(used) {
  return h(
    "dl",
    { class: "legend" },
    Object.entries(bases)
      .filter(([basis]) => used.has(basis))
      .map(([basis, meaning]) => [h("dt", {}, mark(basis)), h("dd", {}, meaning)]),
  );
}

/** The bases of all marks in an element. */
export function basesIn(element) {
  const marks = [...element.querySelectorAll(".mark")];
  return new Set(marks.map((found) => found.textContent));
}
