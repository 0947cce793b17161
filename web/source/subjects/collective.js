// Results of `hypermile collective` (`bcast`) and of `reproduce d13` in the form that the sections show.
import { bytes, count, joules, percentMore, ratioMore, seconds, share, watts } from "../format.js";
import { known, show } from "../value.js";
import { deviationBars, runBars } from "../charts/bars.js";
import { sizesChart } from "../charts/sizes.js";

/** "pipeline/128KiB", "binomial + 8 threads", as in the text report. */
function labelOf({ algorithm, segment_b: segment, threads = 1 }) {
  const name = segment > 0 ? `${algorithm}/${bytes(segment)}` : algorithm;
  return threads > 1 ? `${name} + ${threads} threads` : name;
}

/** A number with its interval, whose ends are in the JSON beside it. */
function intervalOf(within, path, format, basis) {
  const end = (key) => show(known(within[key], `${path}.${key}`, format));
  return [
    show(known(within.value, `${path}.value`, format, basis)),
    within.low === undefined ? "–" : end("low"),
    within.low === undefined ? "–" : end("high"),
  ];
}

const placesOf = ({ nodes, processes_per_node: each }) =>
  `${count(nodes, "node")} with ${count(each, "process")} each`;

const hasEnergy = (answers) =>
  answers.some(({ estimates }) => estimates.some(({ energy_j: energy }) => energy !== undefined));

/** Lines over sizes, of each variant. */
function linesOf(answers, pick) {
  const lines = new Map();
  for (const { size_b: size, messages, estimates } of answers)
    for (const estimate of estimates) {
      const value = pick(estimate);
      if (value === undefined || value <= 0) continue;
      const name = labelOf(estimate);
      lines.set(name, [...(lines.get(name) ?? []), [size, value / messages]]);
    }
  return [...lines].map(([name, points]) => ({
    name,
    points: points.sort(([a], [b]) => a - b),
  }));
}

const most_bars = 20;

/** Fastest first. */
const byTime = (estimates) =>
  [...estimates.entries()].sort(([, a], [, b]) => a.time_s.value - b.time_s.value);

function answerTable(answer, a, withEnergy) {
  const energyColumns = withEnergy ? [">energy", ">at least", ">at most"] : [];
  return {
    caption: `${answer.messages} × ${bytes(answer.size_b)}, ${placesOf(answer)}`,
    columns: ["algorithm", ">time", ">at least", ">at most", ...energyColumns, "beyond"],
    rows: byTime(answer.estimates).map(([i, one]) => {
      const path = `answers.${a}.estimates.${i}`;
      const energy = one.energy_j ?? { value: null };
      return [
        labelOf(one),
        ...intervalOf(one.time_s, `${path}.time_s`, seconds, "estimated"),
        ...(withEnergy ? intervalOf(energy, `${path}.energy_j`, joules, "estimated") : []),
        [one.extrapolated ?? []].flat().join("; "),
      ];
    }),
  };
}

function answerBars(answer, key, title, format, unit) {
  const runs = byTime(answer.estimates)
    .slice(0, most_bars)
    .map(([, one]) => ({
      label: labelOf(one),
      quantity: known(one[key]?.value ?? null, null, format),
    }));
  return runBars({ title, runs, pick: (run) => run.quantity, unit });
}

function chartsOf(answers, withEnergy) {
  const perMessage = [
    sizesChart({
      title: "Time of one operation",
      unit: "s",
      lines: linesOf(answers, (one) => one.time_s.value),
      format: seconds,
    }),
    withEnergy
      ? sizesChart({
          title: "Energy of one operation",
          unit: "J",
          lines: linesOf(answers, (one) => one.energy_j?.value),
          format: joules,
        })
      : null,
  ].filter(Boolean);
  if (perMessage.length > 0) return perMessage;
  const [answer] = answers;
  return [
    answerBars(answer, "time_s", "Time", seconds, "s"),
    withEnergy ? answerBars(answer, "energy_j", "Energy", joules, "J") : null,
  ];
}

function choiceRow({ size_b: size, choice }, a) {
  const at = (key, format, basis) =>
    show(known(choice[key], `answers.${a}.choice.${key}`, format, basis));
  return [
    bytes(size),
    choice.decided ? labelOf(choice) : `undecided: ${choice.why_undecided}`,
    choice.decided ? "" : labelOf(choice),
    at("probability", share, "estimated"),
    choice.default_time_ratio === undefined ? "–" : at("default_time_ratio", ratioMore, "measured"),
  ];
}

function choiceBlock(answers) {
  const all = [...answers.entries()].filter(([, { choice }]) => choice);
  if (all.length === 0) return [];
  return [
    {
      title: "Choices",
      notes: ["“Default” is how much longer the library takes by its own rules."],
      tables: [
        {
          caption: "Choices",
          columns: ["size", "choice", "least so far", ">sure", ">default, time"],
          rows: all.map(([a, answer]) => choiceRow(answer, a)),
        },
      ],
    },
  ];
}

const libraryOf = (report) => `${report.library}, ${report.version}`;

export function subjectOfEstimate({ report, file, details }) {
  const { answers } = report;
  const withEnergy = hasEnergy(answers);
  return {
    title: `What ${report.collective} costs`,
    verdicts: answers.map((answer) => {
      const [[, best]] = byTime(answer.estimates);
      const time = seconds(best.time_s.value);
      const what = `${answer.messages} × ${bytes(answer.size_b)}`;
      return `${what}: ${labelOf(best)} is fastest, ${time} (estimated).`;
    }),
    notices: ["Times and energies are estimated from a calibration; nothing of this was run."],
    facts: [
      ["Operation", report.collective],
      ["Library", libraryOf(report)],
      ["Processes", placesOf(answers[0])],
      ["Arrival", report.arrival],
      ["Power", report.power_source || "not known"],
    ],
    blocks: [
      ...choiceBlock(answers),
      {
        title: "Estimates",
        charts: chartsOf(answers, withEnergy),
        tables: answers.map((answer, a) => answerTable(answer, a, withEnergy)),
      },
    ],
    details,
    sources: [file],
  };
}

function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

function measuredBlock(measured, basis, powerBasis) {
  const { cells } = measured;
  const hasPower = cells.some(({ powers_w: powers }) => powers?.length > 0);
  const computed = (value, format, how = basis) => show(known(value, null, format, how));
  const lines = linesOf(
    cells.map((cell) => ({ size_b: cell.size_b, messages: 1, estimates: [cell] })),
    (cell) => median(cell.times_s),
  );
  return {
    title: placesOf(measured),
    charts: [
      sizesChart({ title: "Time, median of the passes", unit: "s", lines, format: seconds }),
    ],
    tables: [
      {
        caption: "Times of one operation",
        columns: [
          "algorithm",
          ">size",
          ">passes",
          ">median",
          ">least",
          ">largest",
          ...(hasPower ? [">power, median"] : []),
        ],
        rows: cells.map((cell) => [
          labelOf(cell),
          bytes(cell.size_b),
          String(cell.times_s.length),
          computed(median(cell.times_s), seconds),
          computed(Math.min(...cell.times_s), seconds),
          computed(Math.max(...cell.times_s), seconds),
          ...(hasPower
            ? [computed(cell.powers_w ? median(cell.powers_w) : null, watts, powerBasis)]
            : []),
        ]),
      },
    ],
  };
}

const powerBases = { measured: "measured", simulated: "simulated", modelled: "estimated" };

export function subjectOfCalibration({ report, file, details }) {
  const cells = report.measured.reduce((sum, { cells: all }) => sum + all.length, 0);
  const basis = report.library === "smpi" ? "simulated" : "measured";
  return {
    title: `Calibration of ${report.collective}`,
    verdicts: [
      `${count(cells, "cell")} ${basis}, with at most ${count(report.passes, "pass")}; ` +
        `on ${count(report.measured.length, "set")} of processes.`,
    ],
    notices: [],
    facts: [
      ["Operation", report.collective],
      ["Library", libraryOf(report)],
      ["Machine", report.machine],
      ["Power", report.power === "none" ? "not known" : `${report.power}: ${report.power_source}`],
      ["Arrival", report.arrival],
    ],
    blocks: report.measured.map((one) => measuredBlock(one, basis, powerBases[report.power])),
    details,
    sources: [file],
  };
}

function applicationBlock(application, a) {
  const path = `applications.${a}.algorithms`;
  const at = (one, i, key, format, basis) =>
    show(known(one[key], `${path}.${i}.${key}`, format, basis));
  const cost = (one, i, of, key, format, basis) =>
    show(known(one[of][key], `${path}.${i}.${of}.${key}`, format, basis));
  const { messages, size, nodes, processes_per_node: each } = application;
  return {
    title: application.application,
    notes: [
      `${messages} × ${size} on ${count(nodes, "node")} with ${count(each, "process")} each. ` +
        `Least energy: ${application.least_simulated} simulated, ` +
        `${application.least_estimated} estimated, ${application.least_published} in the paper.`,
    ],
    charts: [
      deviationBars({
        title: "errors of the estimated energies",
        caption: "How far estimates are off.",
        rows: application.algorithms.map((one) => ({
          label: one.algorithm,
          values: [one.error_percent, one.error_by_paper_percent],
        })),
        names: ["estimated", "by the paper's formulas"],
        unit: "%",
      }),
    ],
    tables: [
      {
        caption: "Algorithms",
        columns: [
          "algorithm",
          ">energy, simulated",
          ">estimated",
          ">error",
          ">by the paper's formulas",
          ">error",
          ">time, simulated",
        ],
        rows: application.algorithms.map((one, i) => [
          one.algorithm,
          cost(one, i, "simulated", "energy_j", joules, "simulated"),
          cost(one, i, "estimated", "energy_j", joules, "estimated"),
          at(one, i, "error_percent", percentMore, "estimated"),
          cost(one, i, "by_paper", "energy_j", joules, "estimated"),
          at(one, i, "error_by_paper_percent", percentMore, "estimated"),
          cost(one, i, "simulated", "time_s", seconds, "simulated"),
        ]),
      },
    ],
  };
}

export function subjectOfD13({ report, file, details }) {
  const off = (value) => `${Math.abs(value).toFixed(2)} %`;
  return {
    title: "Broadcasts of the applications of [D13] again",
    verdicts: [
      `Estimates are off by at most ${off(report.largest_error_percent)}, ` +
        `${off(report.largest_error_by_paper_percent)} by the paper's formulas, ` +
        `${off(report.largest_error_published_percent)} in the paper.`,
    ],
    notices: ["Estimates and simulations only; the paper prints no energies."],
    facts: [
      ["Platform", report.platform],
      ["SimGrid", report.simgrid_options.join(", ") || "SMPI's own factors"],
    ],
    blocks: report.applications.map(applicationBlock),
    details,
    sources: [file],
  };
}
