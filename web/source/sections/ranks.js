import { h } from "../element.js";
import { seconds, count } from "../format.js";
import { folded, note, section, table } from "../table.js";
import { bare, known } from "../value.js";
import { namesOfRows, rankBars } from "../charts/ranks.js";
import { timelineChart } from "../charts/timeline.js";
import { powerChart } from "../charts/power.js";

const most_rows = 2048;

const runsWith = (subject, key) =>
  [subject.unscaled, ...subject.runs]
    .map((run) => ({ ...run, found: subject.details.runs[run.details]?.[key] }))
    .filter(({ found }) => found && (found.length ?? 1) > 0);

function rankTable(label, times) {
  const value = (values, i) => bare(known(values[i], null, seconds));
  return table(
    `${label}: ${count(times.ranks, "rank")}`,
    [times.ranks_per_row > 1 ? "ranks (means)" : "rank", ">computing", ">in MPI"],
    namesOfRows(times)
      .slice(0, most_rows)
      .map((name, i) => [name, value(times.computation_s, i), value(times.communication_s, i)]),
  );
}

/** What each rank did, in total. */
export function ranks(subject) {
  const runs = runsWith(subject, "rank_times");
  if (runs.length === 0)
    return section(
      "ranks",
      "Ranks: computing and waiting",
      note("The times of ranks are missing."),
    );
  const total = ({ computation_s, communication_s }) =>
    computation_s.map((time, i) => time + communication_s[i]);
  const most = runs.reduce(
    (max, { found }) => total(found).reduce((a, b) => Math.max(a, b), max),
    0,
  );
  return section(
    "ranks",
    "Ranks: computing and waiting",
    note("Time in MPI is mostly waiting for other ranks. Nodes whose ranks wait can run slower."),
    h(
      "div",
      { class: "pair" },
      runs.map((run) => rankBars({ run: run.label, times: run.found, most })),
    ),
    runs.map((run) => folded(`Numbers, ${run.label}`, () => rankTable(run.label, run.found))),
  );
}

/** When each rank computed, in all runs on the same scale. */
export function timeline(subject) {
  const runs = runsWith(subject, "timeline").filter(
    ({ found }) => found.computing_percent.length > 0,
  );
  if (runs.length === 0)
    return section("timeline", "Timeline", note("The folder has no timeline that can be drawn."));
  const perRow = runs[0].found.ranks_per_row;
  const end = Math.max(...runs.map(({ found }) => found.end_s));
  return section(
    "timeline",
    "Timeline of the ranks",
    note(
      "Dark: computing; light: in MPI, mostly waiting. All runs have the same scale of time.",
      perRow > 1 ? ` A row is the mean of ${count(perRow, "rank")}.` : "",
    ),
    runs.map(({ label, found }) => timelineChart(label, found, end)),
  );
}

export function power(subject) {
  const runs = runsWith(subject, "power").map((run) => ({ ...run, steps: run.found }));
  return section(
    "power",
    "Power over time",
    runs.length > 0
      ? powerChart(runs, subject.powerIsBetween)
      : note("The folder does not say how power changed."),
  );
}
