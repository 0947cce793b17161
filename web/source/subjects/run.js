// A folder of `hypermile run --report` in the form that the sections show.
import { mark } from "../basis.js";
import { count, joules, ratioMore, seconds, share, together } from "../format.js";
import { known, show } from "../value.js";

/** Where the energy of the run comes from; the best there is. */
function energyOf(report) {
  const { measured_j, external, power_table_j, power_assumed } = report.energy;
  if (measured_j !== null) return known(measured_j, "energy.measured_j", joules, "measured");
  if (external !== null)
    return known(external.energy_j, "energy.external.energy_j", joules, "measured");
  if (power_table_j === null) return null;
  return known(
    power_table_j,
    "energy.power_table_j",
    joules,
    power_assumed ? "assumed" : "estimated",
  );
}

/** The energy of the run by the source that the baseline's is from. */
function energyLikeBaseline(report) {
  const by = report.baseline?.energy_by;
  if (by === "power tables")
    return energyOf({ energy: { ...report.energy, measured_j: null, external: null } });
  if (by === "external") return energyOf({ energy: { ...report.energy, measured_j: null } });
  return energyOf(report);
}

const timeBasis = (report) => (report.emulated ? "emulated" : "measured");

const inGear0 = {
  name: "gear 0",
  label: "in gear 0",
  isUnscaled: true,
  details: 1,
  timelinePath: "loop.json#before",
  timelineBasis: "estimated",
};

/** What the timeline is of, and how it is known. */
function timelineAbout({ loop }) {
  if (!loop) return null;
  const recorded = loop.recorded_in_gear0 ? "in gear 0" : "in the gears of then";
  return [
    "A few iterations of the loop that the last gears were chosen for: ",
    show(known(loop.iterations, "loop.json#iterations", (value) => value.toFixed(1))),
    ` of them, about. They were recorded while the program ran, ${recorded}. What they are in gear 0 `,
    "is ",
    mark("estimated"),
    ", and what they are in the gears that were chosen is ",
    mark("predicted"),
    ", both by the dependency model.",
  ];
}

function baselineOf(report) {
  const { baseline } = report;
  if (baseline === null)
    return { ...inGear0, time: null, energy: null };
  const energy = energyLikeBaseline(report);
  return {
    ...inGear0,
    time: known(baseline.time_s, "baseline.time_s", seconds, timeBasis(report)),
    energy:
      baseline.energy_j === null
        ? null
        : known(baseline.energy_j, "baseline.energy_j", joules, energy?.basis),
  };
}

function thisRunOf(report) {
  const ratio = (key) => report.baseline?.against_it?.[`${key}_ratio`];
  const against = (key, basis) =>
    known(ratio(key), `baseline.against_it.${key}_ratio`, ratioMore, basis);
  const energy = energyLikeBaseline(report);
  return {
    name: "this run",
    label: "this run",
    time: known(report.time_s, "time_s", seconds, timeBasis(report)),
    energy,
    moreTime: against("time", timeBasis(report)),
    moreEnergy: against("energy", energy?.basis),
    details: 0,
    timelineLabel: "in the chosen gears",
    timelinePath: "loop.json#after",
    timelineBasis: "predicted",
  };
}

const ratiosOf = (report) => [
  ["predicted", "one iteration, predicted", "predicted"],
  ["measured", "one iteration, measured", timeBasis(report)],
  ["plan.predicted", "whole run, planned", "predicted"],
  ["whole_run", "whole run, estimated choice by choice", "estimated"],
  ["baseline.against_it", "whole run, measured against gear 0", timeBasis(report)],
];

const at = (object, path) =>
  path.split(".").reduce((inner, key) => (inner ? inner[key] : undefined), object);

/** Ratios to gear 0, as they were expected and as they came. */
function comparisonsOf(report) {
  const energyBasis = {
    measured: "estimated",
    "baseline.against_it": energyLikeBaseline(report)?.basis ?? "estimated",
  };
  return ratiosOf(report)
    .map(([path, label, timeIs]) => ({ path, label, timeIs, ratio: at(report, path) }))
    .filter(({ ratio }) => ratio !== undefined && ratio !== null)
    .map(({ path, label, timeIs, ratio }) => ({
      label,
      short: label.split(" ").slice(0, 3).join(" "),
      time: known(ratio.time_ratio, `${path}.time_ratio`, ratioMore, timeIs),
      energy: known(
        ratio.energy_ratio,
        `${path}.energy_ratio`,
        ratioMore,
        energyBasis[path] ?? timeIs,
      ),
    }));
}

/** Other bounds on slowdown, and what they would have given. */
function frontOf(report) {
  const bound = (row) =>
    row.max_slowdown === null ? "no bound" : together(`bound ${share(row.max_slowdown)}`);
  return {
    about: "of one iteration, under other bounds on slowdown",
    basis: "predicted",
    points: report.trade_offs.map((row, i) => ({
      label: bound(row),
      chosen: row.this_run,
      time: known(row.time_ratio, `trade_offs.${i}.time_ratio`, ratioMore),
      energy: known(row.energy_ratio, `trade_offs.${i}.energy_ratio`, ratioMore),
    })),
  };
}

function nodesOf(report) {
  return report.nodes.map((node, i) => ({
    name: node.name,
    type: node.type,
    gear: known(node.gear, `nodes.${i}.gear`, String),
    frequency: node.frequency_ghz,
    setting: node.setting,
    gears: node.gears,
    remark: node.assumed ? `taken for ${node.assumed}` : node.power_assumed ? "power assumed" : "",
  }));
}

/** What came of the wait gears of nodes that were to have one. */
function waitsOf(report) {
  const basis = (set) => (set ? timeBasis(report) : "estimated");
  const waitOf = ({ name, wait_gear: wait }, i) => {
    const of = (key, format, is) => known(wait[key], `nodes.${i}.wait_gear.${key}`, format, is);
    return {
      name,
      set: wait.set,
      setting: wait.setting ?? (wait.gear === null ? null : `gear ${wait.gear}`),
      problem: wait.problem,
      times: of("times", String, basis(wait.set)),
      time: of("time_s", seconds, basis(wait.set)),
      saved: of("estimated_saved_j", joules, report.energy.power_assumed ? "assumed" : "estimated"),
      late: of("late_s", seconds, basis(wait.set)),
      cost: of("cost_s", seconds, "estimated"),
    };
  };
  return report.nodes.map((node, i) => (node.wait_gear ? waitOf(node, i) : null)).filter(Boolean);
}

/** Gears at the end, and those that were chosen for phases of the program. */
function mapsOf(report) {
  const nodes = nodesOf(report);
  const chosen = ({ gears }, phase) => ({
    run: `chosen for phase ${phase + 1}`,
    nodes: nodes.map((node, k) => ({
      ...node,
      gear: known(gears[k], `phases.${phase}.gears.${k}`, String),
      frequency: null,
      setting: null,
    })),
  });
  const ofPhases = report.phases.map((phase, i) => (phase.gears ? chosen(phase, i) : null));
  return [{ run: "at the end", nodes }, ...ofPhases.filter(Boolean)];
}

function factsOf(report) {
  const bound = report.max_slowdown;
  return [
    ["Command", report.command || "started without hypermile run"],
    ["Ranks", `${count(report.ranks, "rank")} on ${count(report.nodes.length, "node")}`],
    ["Platform", report.platform || "none was given"],
    ["Method", `${report.method}, objective ${report.objective}`],
    ["Bound", bound === null ? "none" : `at most ${share(bound)} more time`],
    ["Energy from", report.energy.meters.join("; ") || "power tables and measured times"],
    ["Exit code", report.exit_code === null ? "not known" : String(report.exit_code)],
  ];
}

function noticesOf(report) {
  return [
    report.emulated &&
      "The nodes were emulated: no time and no energy on this page is that of a real node.",
    report.dry_run && "A dry run: gears were chosen, but not to be set.",
    report.energy.power_assumed &&
      "Nobody has told the power of some node. Only ratios of the energy mean something.",
    report.energy.assumed.length > 0 &&
      `Nodes were taken for: ${report.energy.assumed.join(", ")}.`,
    report.baseline === null &&
      "No run in gear 0 was made to compare with. hypermile run --baseline makes one.",
  ].filter(Boolean);
}

/** What hypermile itself took. */
function ownOf(report) {
  return [
    ["Choices and messages", known(report.overhead_s, "overhead_s", seconds, "measured")],
    [
      "MPI_Init and MPI_Finalize",
      known(report.start_and_end_s, "start_and_end_s", seconds, "measured"),
    ],
    [
      "Watching MPI calls",
      known(report.estimated_call_overhead_s, "estimated_call_overhead_s", seconds, "estimated"),
    ],
  ];
}

export function subjectOfRun({ report, details }) {
  return {
    title: report.command || "A run of hypermile",
    verdicts: [report.verdict || "No gears were to be chosen in this run."],
    facts: factsOf(report),
    notices: noticesOf(report),
    unscaled: baselineOf(report),
    runs: [thisRunOf(report)],
    estimatedRatio: known(report.whole_run?.energy_ratio, "whole_run.energy_ratio", ratioMore),
    powerAssumed: report.energy.power_assumed,
    powerIsBetween: details.power_by_external
      ? "moments equally far from each other, as the external meter says"
      : "two readings of the meters",
    powerIsSince: details.power_by_external ? "the command began" : "MPI_Init",
    comparisons: comparisonsOf(report),
    predictions: [],
    front: frontOf(report),
    nodes: mapsOf(report),
    waits: waitsOf(report),
    choices: [{ run: "this run", path: "", ...report }],
    details,
    timelineAbout: timelineAbout(details),
    own: ownOf(report),
    sources: details.loop ? ["run.json", "run.txt", "loop.json"] : ["run.json", "run.txt"],
  };
}
