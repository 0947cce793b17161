// The results of `hypermile sweep` in the form that the sections show.
import { count, joules, percentMore, points, seconds } from "../format.js";
import { known } from "../value.js";

export const nameOfCell = ({ program, class: letter, ranks, platform, repetition }) =>
  [
    program,
    letter,
    count(ranks, "rank"),
    platform,
    repetition > 1 ? `repetition ${repetition}` : null,
  ]
    .filter(Boolean)
    .join(", ");

function runOf(cell, run, i) {
  const at = (key, format) => known(run[key], `${cell.file}#simulation.runs.${i}.${key}`, format);
  return {
    method: run.method,
    time: at("time_s", seconds),
    energy: at("energy_j", joules),
    slowdown: at("slowdown_percent", percentMore),
    saving: at("saving_percent", percentMore),
    distance: at("distance_points", points),
  };
}

const mean = (numbers) => numbers.reduce((sum, value) => sum + value, 0) / numbers.length;

/** Of each method over all cells that are done. */
function meansOf(cells) {
  const runs = cells.flatMap((cell) => cell.runs.slice(1));
  const methods = [...new Set(runs.map(({ method }) => method))];
  return methods.map((method) => {
    const own = runs.filter((run) => run.method === method);
    const meanOf = (key, format) => known(mean(own.map((run) => run[key].value)), null, format);
    return {
      method,
      cells: own.length,
      slowdown: meanOf("slowdown", percentMore),
      saving: meanOf("saving", percentMore),
      distance: meanOf("distance", points),
    };
  });
}

export function subjectOfSweep({ report, file, details }) {
  const cells = report.cells.map((cell) => ({
    ...cell,
    name: nameOfCell(cell),
    runs: cell.runs.map((run, i) => runOf(cell, run, i)),
  }));
  const done = cells.filter(({ status }) => status === "done");
  if (report.superseded > 0)
    details.missing.push(
      `${count(report.superseded, "cell")} of earlier versions of the study: newer files have the same.`,
    );
  return {
    title: `Results of a study, ${file}`,
    verdicts: [
      `${count(cells.length, "cell")}: ${done.length} done, ${cells.length - done.length} failed.`,
    ],
    notices: ["All times and energies on this page came out of simulations."],
    facts: ["program", "platform"].map((key) => [
      `${key[0].toUpperCase()}${key.slice(1)}s`,
      [...new Set(cells.map((cell) => cell[key]))].join(", "),
    ]),
    cells,
    done,
    failed: cells.filter(({ status }) => status !== "done"),
    means: meansOf(done),
    details,
    sources: ["the files of the cells"],
  };
}
