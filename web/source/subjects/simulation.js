// A folder of `hypermile simulate --report` in the form that the sections show.
import { count, joules, percentMore, seconds, share } from "../format.js";
import { known } from "../value.js";

const nameOf = (run) => (run.method === "none" ? "unscaled" : run.method);

/** "gears:4x0,2x3" for "gears:0,0,0,0,3,3", as in the text report. */
function shortened(name) {
  if (!name.startsWith("gears:")) return name;
  const groups = [];
  for (const gear of name.slice("gears:".length).split(",")) {
    const last = groups.at(-1);
    if (last?.gear === gear) last.nodes += 1;
    else groups.push({ gear, nodes: 1 });
  }
  const text = groups.map(({ gear, nodes }) => (nodes > 1 ? `${nodes}x${gear}` : gear)).join(",");
  return `gears:${text.length > 22 ? `${text.slice(0, 21)}…` : text}`;
}

function runOf(run, i) {
  return {
    name: run.method,
    label: shortened(nameOf(run)),
    isUnscaled: i === 0,
    time: known(run.time_s, `runs.${i}.time_s`, seconds, "simulated"),
    energy: known(run.energy_j, `runs.${i}.energy_j`, joules, "simulated"),
    moreTime: known(run.slowdown_percent, `runs.${i}.slowdown_percent`, percentMore, "simulated"),
    saving: known(run.saving_percent, `runs.${i}.saving_percent`, percentMore, "simulated"),
    distance: known(run.distance_points, `runs.${i}.distance_points`, (v) => v.toFixed(2)),
    switches: known(run.gear_switches, `runs.${i}.gear_switches`, String),
    details: i,
  };
}

/** "3.2 % more time"; what is less than 0.05 % is nothing. */
const change = (percent, what, nothing) =>
  Math.abs(percent) < 0.05
    ? nothing
    : `${Math.abs(percent).toFixed(1)} % ${percent > 0 ? "more" : "less"} ${what}`;

function verdictOf(run) {
  const name = shortened(nameOf(run));
  const time = change(run.slowdown_percent, "time", "no more time");
  return run.saving_percent >= 0.05
    ? `${name}: saved ${run.saving_percent.toFixed(1)} % of the energy for ${time} (simulated).`
    : `${name}: ${change(-run.saving_percent, "energy", "no less energy")}, ${time} (simulated).`;
}

/** What the two models expected of each run, beside what came out. */
function predictionsOf(report) {
  return report.runs.flatMap((run, i) =>
    ["cluster", "dependency"]
      .filter((model) => run.predictions?.[model])
      .map((model) => {
        const path = `runs.${i}.predictions.${model}`;
        const expected = run.predictions[model];
        return {
          run: shortened(nameOf(run)),
          model,
          time: known(expected.time_s, `${path}.time_s`, seconds),
          energy: known(expected.energy_j, `${path}.energy_j`, joules),
          timeError: 100 * (expected.time_s / run.time_s - 1),
          energyError: 100 * (expected.energy_j / run.energy_j - 1),
          simulatedTime: known(run.time_s, `runs.${i}.time_s`, seconds),
          simulatedEnergy: known(run.energy_j, `runs.${i}.energy_j`, joules),
        };
      }),
  );
}

function frontOf(report) {
  const [unscaled] = report.runs;
  const points = report.runs.map((run, i) => ({
    label: shortened(nameOf(run)),
    chosen: false,
    time: known(run.slowdown_percent, `runs.${i}.slowdown_percent`, percentMore),
    energy: known(-run.saving_percent, null, percentMore),
  }));
  const plan = report.planned?.predicted;
  if (plan && !report.runs.some((run) => run.method === "planned"))
    points.push({
      label: "planned (predicted)",
      chosen: false,
      time: known(100 * (plan.time_s / unscaled.time_s - 1), null, percentMore),
      energy: known(100 * (plan.energy_j / unscaled.energy_j - 1), null, percentMore),
    });
  return { about: "of the runs of this folder", basis: "simulated", points };
}

function nodesOf(run, i) {
  return run.nodes.map((node, k) => ({
    name: node.name,
    type: node.type,
    gear: known(run.gears[k], `runs.${i}.gears.${k}`, String),
    frequency: run.frequencies_ghz[k],
    gears: null,
    remark: "",
  }));
}

function factsOf(report) {
  const bound = report.max_slowdown;
  return [
    ["Program", report.program.join(" ")],
    ["Ranks", `${count(report.ranks, "rank")} on ${count(report.runs[0].nodes.length, "node")}`],
    ["Platform", report.platform],
    ["Objective", report.objective],
    ["Bound", bound === null ? "none" : `at most ${share(bound)} more time`],
    ["Who waits", report.waiting === "spinning" ? "spins" : "is idle"],
    [
      "Loop",
      report.loop.found === "nothing"
        ? "none was found"
        : `${count(report.loop.iterations, "iteration")} of ${report.loop.one_iteration}`,
    ],
    ["Repeated from", report.replayed ?? "nothing: the program was run"],
  ];
}

function noticesOf(report) {
  return [
    "All times and energies on this page came out of a simulation.",
    report.uncontended && "Simulated without SimGrid: each message has the network for itself.",
    report.extrapolated &&
      "Only a part of the model's steps was simulated; totals are of all steps.",
    report.model && `The program is the model ${report.model.file}.`,
  ].filter(Boolean);
}

export function subjectOfSimulation({ report, details }) {
  if (report.extrapolated)
    details.missing.push(
      "Ranks, power and timelines of the steps that were not simulated: those shown are of the others.",
    );
  const runs = report.runs.map(runOf);
  const chosen = report.runs.slice(1);
  return {
    title: report.program.join(" "),
    verdicts: chosen.length > 0 ? chosen.map(verdictOf) : ["Only the unscaled run was simulated."],
    facts: factsOf(report),
    notices: noticesOf(report),
    unscaled: runs[0],
    runs: runs.slice(1),
    estimatedRatio: null,
    powerAssumed: false,
    powerIsBetween: "two choices of gears",
    comparisons: [],
    predictions: predictionsOf(report),
    front: frontOf(report),
    computed: {
      front: details.front ?? null,
      others: report.runs.map((run) => ({
        label: shortened(nameOf(run)),
        x: run.slowdown_percent,
        y: -run.saving_percent,
      })),
      othersName: "simulated",
      about: "the whole run",
      pathOf: () => null,
    },
    nodes: report.runs
      .map((run, i) => ({ run: `${shortened(nameOf(run))}, at the end`, nodes: nodesOf(run, i) }))
      .filter(({ nodes }) => nodes.length > 0),
    choices: report.runs.slice(1).map((run, i) => ({
      ...run,
      run: shortened(nameOf(run)),
      path: `runs.${i + 1}.`,
      remarks: [],
    })),
    remarks: report.remarks,
    details,
    own: [],
    sources: ["simulation.json", "simulation.txt", "the .run files", "the timelines"],
  };
}
