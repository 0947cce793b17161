import { section, table, note } from "../table.js";
import { bare, known, show } from "../value.js";
import { deviationBars } from "../charts/bars.js";
import { percentMore } from "../format.js";

const percent = (quantity) =>
  quantity.value === null || quantity.value === undefined ? null : 100 * (quantity.value - 1);

/** Of a run: ratios to gear 0, expected and as they came. */
function comparisons(subject) {
  const rows = subject.comparisons;
  return [
    table(
      "Against gear 0",
      ["what", ">time", ">energy"],
      rows.map((row) => [row.label, show(row.time), show(row.energy)]),
    ),
    deviationBars({
      title: "time and energy against gear 0",
      caption: "Against gear 0: left of 0 is less, right is more.",
      rows: rows.map((row) => ({
        label: row.short,
        values: [percent(row.time), percent(row.energy)],
      })),
      names: ["time", "energy"],
      unit: "%",
    }),
  ];
}

/** Of a simulation: what its models expected, and how far off they were. */
function errors(subject) {
  const rows = subject.predictions;
  const error = (value) => bare(known(value, null, percentMore));
  return [
    table(
      "Predicted by the models, and simulated",
      [
        "run",
        "model",
        ">time predicted",
        ">simulated",
        ">error",
        ">energy predicted",
        ">simulated",
        ">error",
      ],
      rows.map((row) => [
        row.run,
        row.model,
        bare(row.time),
        bare(row.simulatedTime),
        error(row.timeError),
        bare(row.energy),
        bare(row.simulatedEnergy),
        error(row.energyError),
      ]),
    ),
    deviationBars({
      title: "errors of the predictions",
      caption: "How far the predictions were off.",
      rows: rows.map((row) => ({
        label: `${row.run}, ${row.model}`,
        values: [row.timeError, row.energyError],
      })),
      names: ["time", "energy"],
      unit: "%",
    }),
  ];
}

export function predicted(subject) {
  const content =
    subject.comparisons.length > 0
      ? comparisons(subject)
      : subject.predictions.length > 0
        ? errors(subject)
        : note("Nothing was predicted: no gears were set, or no model knows what came of them.");
  return section("predicted", "Predicted and measured", content);
}
