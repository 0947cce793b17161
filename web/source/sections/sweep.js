import { h } from "../element.js";
import { mark } from "../basis.js";
import { note, searchable, section, table } from "../table.js";
import { bare } from "../value.js";
import { deviationBars } from "../charts/bars.js";
import { studyChart } from "../charts/study.js";

/** What each method came to over the whole study. */
export function means(subject) {
  if (subject.means.length === 0)
    return section("means", "Methods", note("No cell with a method is done."));
  return section(
    "means",
    "Methods",
    note(
      "Means over all cells that are done, against the unscaled run of each ",
      mark("simulated"),
      ".",
    ),
    table(
      "Means of the methods",
      ["method", ">cells", ">slowdown", ">energy saved", ">distance, points"],
      subject.means.map((row) => [
        row.method,
        String(row.cells),
        bare(row.slowdown),
        bare(row.saving),
        bare(row.distance),
      ]),
    ),
    deviationBars({
      title: "mean slowdown and energy saved by each method",
      caption: "Mean slowdown and energy saved, by method.",
      rows: subject.means.map((row) => ({
        label: row.method,
        values: [row.slowdown.value, row.saving.value],
      })),
      names: ["slowdown", "energy saved"],
      unit: "%",
    }),
    studyChart(subject.done),
  );
}

const rowsOf = (cell) =>
  cell.runs.map((run, i) => [
    i === 0 ? cell.name : h("span", { class: "again" }, cell.name),
    run.method === "none" ? "unscaled" : run.method,
    bare(run.time),
    bare(run.energy),
    i === 0 ? "–" : bare(run.slowdown),
    i === 0 ? "–" : bare(run.saving),
    i === 0 ? "–" : bare(run.distance),
  ]);

/** All cells that are done. */
export function cells(subject) {
  if (subject.done.length === 0) return null;
  return section(
    "cells",
    "Cells",
    searchable({
      what: "cell",
      columns: [
        "cell",
        "method",
        ">time",
        ">energy",
        ">slowdown",
        ">energy saved",
        ">distance, points",
      ],
      items: subject.done,
      nameOf: ({ name }) => name,
      rowsOf,
    }),
  );
}

export function failures(subject) {
  if (subject.failed.length === 0) return null;
  return section(
    "failures",
    "Cells that failed",
    table(
      "Cells that failed",
      ["cell", "why"],
      subject.failed.map((cell) => [cell.name, cell.reason]),
    ),
  );
}
