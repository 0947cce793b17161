// Plans and fronts of `hypermile select` in the form that the sections show.
import { count, joules, ratioMore, seconds, share, together, watts } from "../format.js";
import { known } from "../value.js";

const boundNames = {
  max_slowdown: ["slowdown", share],
  energy_budget_j: ["energy", joules],
  average_power_cap_w: ["average power", watts],
  peak_power_cap_w: ["peak power", watts],
};

function boundsOf(request) {
  const asked = Object.entries(boundNames).filter(([key]) => (request[key] ?? null) !== null);
  return asked.map(([key, [name, format]]) => `${name} at most ${format(request[key])}`).join(", ");
}

function proof({ certificate }) {
  if (certificate.kind === "exact") return "the optimum";
  return certificate.gap === null
    ? "nothing is proven"
    : `at most ${certificate.gap.toPrecision(2)} from the optimum`;
}

const brokenBounds = (plan) =>
  plan.violations
    .map(({ bound, limit, reached }) => {
      const [name, format] = boundNames[bound] ?? [bound, String];
      return `${name} ${format(reached)} instead of ${format(limit)}`;
    })
    .join("; ");

/** Frequencies instead of gears where those are known. */
const hasFrequencies = (plan) => plan.frequencies_ghz.every((ghz) => ghz !== null);

function planOf(plan, path) {
  const at = (key, format, basis) => known(plan[key], `${path}${key}`, format, basis);
  return {
    method: plan.method,
    label: plan.method,
    time: at("time_s", seconds, "predicted"),
    energy: at("energy_j", joules, "predicted"),
    moreTime: known(1 / plan.p_norm, null, ratioMore),
    moreEnergy: known(plan.e_norm, null, ratioMore),
    distance: known(100 * plan.distance, null, (value) => value.toFixed(2)),
    proof: proof(plan),
    broken: brokenBounds(plan),
  };
}

function verdictOf(plan) {
  const time = ratioMore(1 / plan.p_norm);
  const energy = ratioMore(plan.e_norm);
  return plan.feasible
    ? `${plan.method}: energy ${energy}, time ${time} against gear 0 (predicted).`
    : `Failure: ${plan.method} keeps not all bounds: ${brokenBounds(plan)}.`;
}

function mapOf(plan, path) {
  return {
    run: `${plan.method}${hasFrequencies(plan) ? "" : ", frequencies are not known"}`,
    nodes: plan.gears.map((gear, i) => ({
      name: `node ${i}`,
      type: "all",
      gear: known(gear, `${path}gears.${i}`, String),
      frequency: plan.frequencies_ghz[i],
      gears: null,
      remark: "",
    })),
  };
}

function problemOf({ run, request }) {
  if (run) return `a run of ${run.program.join(" ")}`;
  if (request.problem) return request.problem;
  return request.workload ? `${request.workload} on ${request.platform}` : "of no file";
}

function factsOf(plan) {
  const { request } = plan;
  return [
    ["Problem", problemOf(plan)],
    ["Model", plan.model],
    ["Nodes", count(plan.gears.length, "node")],
    ["Objective", plan.objective],
    ["Bounds", boundsOf(request) || "none"],
  ];
}

/** Who looks at several methods asks for the same of each. */
export function subjectOfSelection({ report, file, details }) {
  const listed = Array.isArray(report);
  const plans = listed ? report : [report];
  const pathOf = (i) => (listed ? `${i}.` : "");
  const [first] = plans;
  return {
    title: `Gears for ${problemOf(first)}`,
    verdicts: plans.map(verdictOf),
    notices: ["Everything on this page is what a model expects. Nothing was run."],
    facts: factsOf(first),
    plans: plans.map((plan, i) => planOf(plan, pathOf(i))),
    computed: {
      front: details.front,
      others: [],
      othersName: "runs",
      about: first.run ? "the run" : "one iteration",
      pathOf: () => null,
    },
    nodes: plans.map((plan, i) => mapOf(plan, pathOf(i))),
    details,
    sources: [file],
  };
}

export function subjectOfFront({ report, file, details }) {
  const { front } = details;
  const least = front.points.at(-1);
  return {
    title: `The Pareto front in ${file}`,
    verdicts: [
      `${together(count(front.count, "point"))}: down to energy ` +
        `${ratioMore(least.energy_j / front.energy_j)} for time ` +
        `${ratioMore(least.time_s / front.time_s)} against gear 0 (predicted).`,
    ],
    notices: ["Everything on this page is what a model expects. Nothing was run."],
    facts: [
      ["Model", report.model],
      ["Time in gear 0", seconds(front.time_s)],
      ["Energy in gear 0", joules(front.energy_j)],
    ],
    computed: {
      front,
      others: [],
      othersName: "runs",
      about: "one iteration",
      pathOf: ({ index }, key) => `points.${index}.${key}`,
    },
    details,
    sources: [file],
  };
}
