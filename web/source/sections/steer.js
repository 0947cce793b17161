import { mark } from "../basis.js";
import { count, gigahertz, seconds, share, watts } from "../format.js";
import { folded, note, section, table } from "../table.js";
import { bare, known, show } from "../value.js";
import { configurationsChart } from "../charts/configurations.js";
import { valueAxis } from "../charts/options.js";
import { overTime } from "../charts/over_time.js";
import { rate } from "../subjects/steer.js";

/** What was done, and which bounds were kept. */
export function outcome(subject) {
  if (subject.figures.length === 0) return null;
  return section(
    "outcome",
    "What was done, and for what",
    table(
      "Figures",
      ["", ">figure"],
      subject.figures.map(([name, figure]) => [name, show(figure)]),
    ),
    subject.bounds.length === 0
      ? note("There was no bound.")
      : table(
          "Bounds at the end",
          ["on", "asked", ">bound"],
          subject.bounds.map(({ name, words, value }) => [name, words, bare(value)]),
        ),
  );
}

const boundOn = (subject, name) =>
  subject.bounds.find((bound) => bound.name === name)?.value.value ?? null;

const lineOf = (value, name) => (value === null ? null : { name, value });

/** Throughput, power and settings, sample by sample. */
export function overTimeOfSteer(subject) {
  const { timeline } = subject;
  if (timeline === null)
    return section(
      "over-time",
      "Throughput, power and settings over time",
      note("The folder does not say how they changed."),
    );
  const { steps, samples, samples_per_step: each } = timeline;
  return section(
    "over-time",
    "Throughput, power and settings over time",
    note(
      `${count(samples, "sample")}${each > 1 ? `; a step is the mean of ${each}` : ""}. Throughput: `,
      mark(subject.timeBasis),
      ", power: ",
      mark(subject.energyBasis),
      ", settings: as they were set. Bounds are those at the end.",
    ),
    overTime({
      title: "Throughput",
      unit: "items/s",
      steps,
      lines: [
        { name: "done", pick: (step) => step.throughput_per_s },
        { name: "arrived", pick: (step) => step.arrivals_per_s },
      ],
      bound: lineOf(boundOn(subject, "throughput"), "at least"),
      format: rate,
    }),
    overTime({
      title: "Power",
      unit: "W",
      steps,
      lines: [{ name: "power", pick: (step) => step.power_w }],
      bound: lineOf(boundOn(subject, "power"), "at most"),
      format: watts,
    }),
    overTime({
      title: "Cores",
      unit: "cores",
      steps,
      lines: [{ name: "cores", pick: (step) => step.cores }],
      format: (value) => count(Number(value.toFixed(2)), "core"),
      axis: (colours, unit, more) => valueAxis(colours, unit, { ...more, minInterval: 1 }),
    }),
    overTime({
      title: "Frequency",
      unit: "GHz",
      steps,
      lines: [{ name: "frequency", pick: (step) => step.frequency_ghz }],
      format: gigahertz,
      axis: valueAxis,
    }),
  );
}

const configurationColumns = [
  "configuration",
  ">samples",
  ">time",
  ">steady",
  ">throughput",
  ">power",
  ">time within the bounds",
];

function configurationRow(one) {
  const at = (value, format) => bare(known(value, null, format));
  return [
    one.name,
    String(one.samples),
    at(one.time_s, seconds),
    at(one.steady_s, seconds),
    at(one.throughput_per_s, rate),
    at(one.power_w, watts),
    at(one.time_s > 0 ? one.kept_s / one.time_s : null, share),
  ];
}

/** What was tried, and what it came to. */
export function configurations(subject) {
  const all = subject.configurations;
  if (all.length === 0) return null;
  const drawn = all.filter((one) => one.throughput_per_s !== null);
  return section(
    "configurations",
    "Configurations that were tried",
    note(
      "Means over all samples in each. Throughput of a program that waits for work says how much " +
        "came, and not what the configuration could do.",
    ),
    drawn.length > 1
      ? configurationsChart({
          configurations: drawn,
          bounds: { power: boundOn(subject, "power"), throughput: boundOn(subject, "throughput") },
          rate,
        })
      : null,
    table(count(all.length, "configuration"), configurationColumns, all.map(configurationRow)),
  );
}

/** Why what was chosen. */
export function decisions(subject) {
  const { decisions: all, decisionCount } = subject;
  if (all.length === 0) return null;
  const more = decisionCount > all.length ? `, the first ${all.length} are shown` : "";
  const rows = () =>
    table(
      `${count(decisionCount, "decision")}${more}`,
      ["at", "while", "from then on", "why"],
      all.map((one) => [seconds(one.time_s), one.mode, one.name, one.decision]),
    );
  return section(
    "decisions",
    "Decisions",
    all.length > 12 ? folded("All decisions", rows) : rows(),
  );
}
