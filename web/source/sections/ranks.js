import { h } from "../element.js";
import { seconds, count } from "../format.js";
import { folded, note, section, table } from "../table.js";
import { bare, known, show } from "../value.js";
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

/** What the critical path consists of, and who waits for whom on it. `path`: in the JSON, or none. */
function pathTables({ label, critical, path, basis }) {
  const value = (key, format) =>
    known(
      key.split(".").reduce((inner, part) => inner[part], critical),
      path && `${path}.${key}`,
      format,
      basis,
    );
  return [
    h(
      "p",
      {},
      `Critical path, ${label}: `,
      show(value("time_s", seconds)),
      ", of which computing ",
      show(value("computing_s", seconds)),
      " and messages and calls ",
      show(value("inside_s", seconds)),
      "; it goes from one rank to another ",
      bare(value("handovers", String)),
      critical.handovers === 1 ? " time." : " times.",
    ),
    table(
      `Ranks that the path is on for longest, ${label}`,
      ["rank", ">computing", ">messages and calls"],
      critical.ranks.map(({ rank }, i) => [
        String(rank),
        bare(value(`ranks.${i}.computing_s`, seconds)),
        bare(value(`ranks.${i}.inside_s`, seconds)),
      ]),
    ),
    critical.waits.length > 0 &&
      table(
        `Who waits for whom on the path, ${label}`,
        ["rank", "waits for rank", ">times"],
        critical.waits.map(({ rank, waits_for: other }, i) => [
          String(rank),
          String(other),
          bare(value(`waits.${i}.times`, String)),
        ]),
      ),
  ].filter(Boolean);
}

function paths(subject) {
  const found = [subject.unscaled, ...subject.runs]
    .map((run) => {
      const details = subject.details.runs[run.details];
      return {
        label: run.timelineLabel ?? run.label,
        critical: details?.timeline?.path ?? details?.path,
        path: run.timelinePath && `${run.timelinePath}.path`,
        basis: run.timelineBasis ?? "predicted",
      };
    })
    .filter(({ critical }) => critical);
  if (found.length === 0) return [];
  return [
    h("h3", {}, "Critical path: who waits for whom"),
    note(
      "The time is that of this chain of computation and messages: whatever is shorter on it makes ",
      "the run shorter, and ranks that are not on it can be slower. The dependency model tells it.",
    ),
    found.map((run) =>
      folded(`Path, ${run.label}`, () => h("div", {}, pathTables(run))),
    ),
  ];
}

/** When each rank computed, in all runs on the same scale. */
export function timeline(subject) {
  const runs = runsWith(subject, "timeline").filter(
    ({ found }) => found.computing_percent.length > 0,
  );
  if (runs.length === 0)
    return section(
      "timeline",
      "Timeline",
      note("The folder has no timeline that can be drawn."),
      paths(subject),
    );
  const perRow = runs[0].found.ranks_per_row;
  const end = Math.max(...runs.map(({ found }) => found.end_s));
  return section(
    "timeline",
    "Timeline of the ranks",
    subject.timelineAbout ? note(...subject.timelineAbout) : null,
    note(
      "Blue: computing; grey: in MPI, mostly waiting. All runs have the same scale of time.",
      runs.some(({ found }) => found.path) ? " The line is the critical path." : "",
      perRow > 1 ? ` A row is the mean of ${count(perRow, "rank")}.` : "",
    ),
    runs.map(({ label, timelineLabel, found }) =>
      timelineChart(timelineLabel ?? label, found, end),
    ),
    paths(subject),
  );
}

export function power(subject) {
  const runs = runsWith(subject, "power").map((run) => ({ ...run, steps: run.found }));
  return section(
    "power",
    "Power over time",
    runs.length > 0
      ? powerChart(runs, subject.powerIsBetween, subject.powerIsSince ?? "MPI_Init")
      : note("The folder does not say how power changed."),
  );
}
