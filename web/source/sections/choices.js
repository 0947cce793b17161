import { h } from "../element.js";
import { count, points, ratioMore, seconds, share, together, watts } from "../format.js";
import { folded, note, section, table } from "../table.js";
import { bare, known } from "../value.js";

const most_rows = 200;
/** As in the text report: shorter phases say nothing. */
const least_share = 0.01;

/** "2 × 0, 3 × 5": how many nodes have which gear. */
function gearsInShort(gears) {
  if (!gears) return "gear 0";
  const counts = new Map();
  for (const gear of gears) counts.set(gear, (counts.get(gear) ?? 0) + 1);
  return [...counts]
    .sort(([a], [b]) => a - b)
    .map(([gear, nodes]) => together(`${nodes.toLocaleString("en")} × ${gear}`))
    .join(", ");
}

function phases({ phases: all, path }) {
  const shown = [...(all ?? []).entries()].filter(([, phase]) => phase.share >= least_share);
  if (shown.length === 0) return null;
  const left = all.length - shown.length;
  const rest = left > 0 && note(`Left out: ${count(left, "phase")} of less than 1 % of the time.`);
  const rows = table(
    "Phases: times in which the program repeats one loop",
    [
      "phase",
      ">share of the time",
      ">iterations",
      ">time",
      ">energy",
      "nodes × gear",
      "one iteration",
    ],
    shown.map(([i, phase]) => {
      const at = (key, format) => bare(known(phase[key], `${path}phases.${i}.${key}`, format));
      return [
        String(i + 1),
        at("share", share),
        at("iterations", String),
        at("time_ratio", ratioMore),
        at("energy_ratio", ratioMore),
        gearsInShort(phase.gears),
        phase.one_iteration,
      ];
    }),
  );
  return rest ? [rows, rest] : rows;
}

/** When a choice reached its nodes. */
function moment(decision) {
  const { set, took_effect: effect } = decision;
  const first = set ? set.first_s : (effect?.first_time_s ?? null);
  const last = set ? set.last_s : (effect?.time_s ?? null);
  if (first === null) return "never";
  return first === last ? seconds(first) : `${seconds(first)} to ${seconds(last)}`;
}

function proof({ certificate }) {
  if (certificate.kind === "exact") return "the optimum of the model";
  return certificate.gap === null
    ? "nothing"
    : `at most ${certificate.gap.toPrecision(2)} from the optimum`;
}

const remarksOf = (decision) =>
  [
    decision.before_loop && "before any loop was known",
    decision.again && "chosen before, its phase came back",
    decision.declined,
    decision.stepped_back,
    decision.misfit && "left, as the program had changed",
    ...decision.given_up.map((bound) => `no gears keep ${bound}`),
  ]
    .filter(Boolean)
    .join("; ");

function choiceRow(decision, i, path) {
  const ratio = (key) => {
    const before = decision[`iteration_${key}`];
    return before > 0 ? ratioMore(decision[`predicted_iteration_${key}`] / before) : "–";
  };
  const measured = known(
    decision.measured_time_ratio,
    `${path}decisions.${i}.measured_time_ratio`,
    ratioMore,
  );
  return [
    String(i + 1),
    moment(decision),
    gearsInShort(decision.gears),
    decision.time_model,
    ratio("time_s"),
    "measured_time_ratio" in decision ? bare(measured) : null,
    ratio("energy_j"),
    proof(decision),
    remarksOf(decision),
  ];
}

const choiceColumns = [
  "choice",
  "set at",
  "nodes × gear",
  "model",
  ">time predicted",
  ">time measured",
  ">energy predicted",
  "proven",
  "remarks",
];

function decisions({ decisions: all, path }) {
  if (all.length === 0) return note("No gears were chosen.");
  const hasMeasured = all.some((decision) => "measured_time_ratio" in decision);
  const isShown = (_, i) => hasMeasured || choiceColumns[i] !== ">time measured";
  const rows = all.slice(0, most_rows).map((decision, i) => choiceRow(decision, i, path));
  const more = all.length > most_rows ? `, the first ${most_rows} are shown` : "";
  return table(
    `${count(all.length, "choice")} of gears, against gear 0, of one iteration${more}`,
    choiceColumns.filter(isShown),
    rows.map((row) => row.filter(isShown)),
  );
}

function caps({ power_caps: all, path }) {
  if (!all || all.length === 0) return null;
  return table(
    "Caps on power",
    ["cap", ">at most", ">reached", "by", "kept"],
    all.map((cap, i) => [
      cap.kind,
      bare(known(cap.cap_w, `${path}power_caps.${i}.cap_w`, watts)),
      bare(known(cap.reached_w, `${path}power_caps.${i}.reached_w`, watts)),
      cap.by ?? "not known",
      cap.kept === null ? "not known" : cap.kept ? "yes" : "no",
    ]),
  );
}

function sensitivities({ sensitivities: all, path }) {
  if (!all || all.length === 0) return null;
  return table(
    "Computation that reacts to gears less than in full",
    ["before", ">share", ">sensitivity", ">at least", ">at most"],
    all.map((part, i) => {
      const at = (key, format) =>
        bare(known(part[key], `${path}sensitivities.${i}.${key}`, format));
      const name = part.function === null ? "all other calls" : `${part.function}/${part.place}`;
      return [
        name,
        at("share", share),
        at("sensitivity", points),
        at("low", points),
        at("high", points),
      ];
    }),
  );
}

/** Phases and choices of each run. */
export function choices(subject) {
  const many = subject.choices.length > 1;
  const content = subject.choices.map((run) => [
    many ? h("h3", {}, run.run) : null,
    caps(run),
    phases(run),
    run.decisions.length > 8 ? folded("All choices", () => decisions(run)) : decisions(run),
    sensitivities(run),
  ]);
  return section("choices", "Phases and choices of gears", content);
}
