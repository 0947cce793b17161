// A folder of `hypermile steer --report` in the form that the sections show.
import { count, joules, number, seconds, share, watts } from "../format.js";
import { isKnown, known, text } from "../value.js";

/** Items of the program in a second. */
export const rate = (value) => `${number(value)} /s`;
const amount = (value) => (value >= 1e7 ? number(value) : String(value));

/** What is measured on a node that is slowed down is not the node's. */
const timeBasis = (report) => (report.backend === "emulated" ? "emulated" : "measured");

function energyBasis(report) {
  if (report.power_measured) return "measured";
  return report.power_source.startsWith("assumed") ? "assumed" : "estimated";
}

/** Each bound with the number that it is about. */
function boundsOf({ bounds }) {
  const at = (key, format) => known(bounds[key], `bounds.${key}`, format);
  return [
    { name: "power", words: "at most", value: at("power_w", watts) },
    { name: "throughput", words: "at least", value: at("throughput_per_s", rate) },
    { name: "utilisation", words: "at most", value: at("utilisation", share) },
    { name: "time for the items", words: "at most", value: at("deadline_s", seconds) },
    { name: "energy for the items", words: "at most", value: at("energy_j", joules) },
    { name: "items", words: "to be done:", value: at("items", amount) },
  ].filter(({ value }) => isKnown(value));
}

const inWords = (bounds) =>
  bounds.map(({ name, words, value }) => `${name} ${words} ${text(value)}`).join(", ");

/** Of the time in the steady state, with the bounds kept; null where it never was steady. */
const keptShare = ({ bounds_kept_s: kept, steady_s: steady }) =>
  steady > 0 ? kept / steady : null;

/** Fewer moments than this beyond a bound are noise of the samples. */
const kept_enough = 0.95;

function verdictOf(report, bounds) {
  if (!report.reported_progress)
    return "Failure: the program reported no progress, and was not steered.";
  if (bounds.length === 0) return "There was no bound: what was chosen is best by the objective.";
  const kept = keptShare(report);
  const said = inWords(bounds);
  if (!report.keeps_bounds)
    return (
      `Failure: no configuration that was tried keeps the bounds (${said}); ` +
      "the one that misses them least was taken."
    );
  if (kept === null) return `The program ended before it was steady; bounds: ${said}.`;
  const time = `for ${(100 * kept).toFixed(1)} % of ${seconds(report.steady_s)} in the steady state`;
  return kept >= kept_enough
    ? `Success: the bounds were kept ${time}: ${said}.`
    : `The bounds were kept only ${time}: ${said}.`;
}

function factsOf(report, bounds) {
  const by = report.backend === "cores" ? "cores alone" : `cores and gears (${report.backend})`;
  return [
    ["Program", report.program],
    ["Bounds at the end", bounds.length > 0 ? inWords(bounds) : "none"],
    ["Steered by", by],
    ["Power", report.power_source],
    ["At the end", report.configuration],
    ["Exit code", String(report.exit_code)],
  ];
}

function noticesOf(report) {
  return [
    report.backend === "emulated" &&
      "The node was emulated: no time and no energy on this page is that of a real node.",
    energyBasis(report) === "assumed" &&
      "There was no meter, and power is assumed: only ratios of it mean something.",
    report.exit_code !== 0 && `The program ended with exit code ${report.exit_code}.`,
  ].filter(Boolean);
}

/** "2 cores, 2.00 GHz", or "2 cores, 85 W"; the placement where there are two. */
export function configurationName({ cores, frequency_ghz: ghz, setting, placement }, hasTwo) {
  return [
    count(cores, "core"),
    setting ?? (ghz === null ? null : `${ghz.toFixed(2)} GHz`), // as in the text report
    hasTwo ? placement : null,
  ]
    .filter(Boolean)
    .join(", ");
}

function namedConfigurations({ configurations, decisions }) {
  const hasTwo = [...configurations, ...decisions].some((one) => one.placement !== "linear");
  const name = (one) => ({ ...one, name: configurationName(one, hasTwo) });
  return { configurations: configurations.map(name), decisions: decisions.map(name) };
}

/** What was done, drawn and kept, each with how it is known. */
function figuresOf(report) {
  const time = timeBasis(report);
  const energy = energyBasis(report);
  const kept = keptShare(report);
  const at = (key, format, basis) => known(report[key], key, format, basis);
  const per = (key, format, basis) =>
    known(report.time_s > 0 ? report[key] / report.time_s : null, null, format, basis);
  return [
    ["Steered for", at("time_s", seconds, time)],
    ["Items done", at("items", amount, "measured")],
    ["Throughput, mean", per("items", rate, time)],
    ["Energy", at("energy_j", joules, energy)],
    ["Power, mean", per("energy_j", watts, energy)],
    ["In the steady state", at("steady_s", seconds, time)],
    ["Of that, with the bounds kept", at("bounds_kept_s", seconds, energy)],
    ["Share of that", known(kept, null, share, energy)],
    ["Calibrating", at("calibrating_s", seconds, time)],
    ["Calibrations", at("calibrations", String, "measured")],
    ["Phases of the program", at("phases", String, "estimated")],
    ["Changes of phase", at("phase_changes", String, "estimated")],
    ["Changes of arrivals that led elsewhere", at("arrival_changes", String, "estimated")],
  ];
}

export function subjectOfSteer({ report, details }) {
  const bounds = boundsOf(report);
  const energy = energyBasis(report);
  return {
    title: report.program,
    verdicts: [verdictOf(report, bounds)],
    facts: factsOf(report, bounds),
    notices: noticesOf(report),
    bounds,
    figures: report.reported_progress ? figuresOf(report) : [],
    timeline: details.timeline,
    ...namedConfigurations(details),
    decisionCount: details.decision_count,
    timeBasis: timeBasis(report),
    energyBasis: energy,
    // For the section on cost.
    unscaled: { label: "unsteered", energy: null },
    runs: [{ label: "this program", energy: known(report.energy_j, "energy_j", joules, energy) }],
    estimatedRatio: null,
    powerAssumed: energy === "assumed" || !report.reported_progress,
    details,
    sources: ["steer.json", "timeline.csv"],
  };
}
