import { h } from "./element.js";
import { readData } from "./data.js";
import { drawAll } from "./charts/chart.js";
import { subjectOfCalibration, subjectOfD13, subjectOfEstimate } from "./subjects/collective.js";
import { subjectOfFit, subjectOfM16 } from "./subjects/fit.js";
import { subjectOfMultisplitting, subjectOfReproduction } from "./subjects/reproduction.js";
import { subjectOfRun } from "./subjects/run.js";
import { subjectOfFront, subjectOfSelection } from "./subjects/selection.js";
import { subjectOfSimulation } from "./subjects/simulation.js";
import { subjectOfSteer } from "./subjects/steer.js";
import { subjectOfSweep } from "./subjects/sweep.js";
import { beforeAndAfter, head } from "./sections/head.js";
import { blocks } from "./sections/blocks.js";
import { cells, failures, means } from "./sections/sweep.js";
import { choices } from "./sections/choices.js";
import { computedFront } from "./sections/computed_front.js";
import { cost } from "./sections/cost.js";
import { front } from "./sections/front.js";
import { meanings, missing, remarks } from "./sections/end.js";
import { nodes } from "./sections/nodes.js";
import { plans } from "./sections/plans.js";
import { power, ranks, timeline } from "./sections/ranks.js";
import { configurations, decisions, outcome, overTimeOfSteer } from "./sections/steer.js";
import { predicted } from "./sections/predictions.js";
import { waits } from "./sections/waits.js";

const partsOfRuns = [
  beforeAndAfter,
  predicted,
  front,
  computedFront,
  nodes,
  ranks,
  timeline,
  power,
  choices,
  waits,
  cost,
  remarks,
  missing,
];

const partsOfSteer = [outcome, overTimeOfSteer, configurations, decisions, cost, missing];

const partsOfBlocks = [blocks, missing];

/** What each kind of folder or file is shown as. */
const kinds = {
  run: { subjectOf: subjectOfRun, parts: partsOfRuns },
  simulation: { subjectOf: subjectOfSimulation, parts: partsOfRuns },
  steer: { subjectOf: subjectOfSteer, parts: partsOfSteer },
  selection: { subjectOf: subjectOfSelection, parts: [plans, computedFront, nodes, missing] },
  reproduction: { subjectOf: subjectOfReproduction, parts: partsOfBlocks },
  multisplitting: { subjectOf: subjectOfMultisplitting, parts: partsOfBlocks },
  m16: { subjectOf: subjectOfM16, parts: partsOfBlocks },
  d13: { subjectOf: subjectOfD13, parts: partsOfBlocks },
  fit: { subjectOf: subjectOfFit, parts: partsOfBlocks },
  estimate: { subjectOf: subjectOfEstimate, parts: partsOfBlocks },
  calibration: { subjectOf: subjectOfCalibration, parts: partsOfBlocks },
  front: { subjectOf: subjectOfFront, parts: [computedFront, missing] },
  sweep: { subjectOf: subjectOfSweep, parts: [means, cells, failures, missing] },
};

function contents(sections) {
  const link = (part) =>
    h("li", {}, h("a", { href: `#${part.id}` }, part.querySelector("h2").textContent));
  return h("nav", { "aria-label": "Contents" }, h("ul", {}, sections.map(link)));
}

function build() {
  const data = readData();
  const { subjectOf, parts } = kinds[data.kind];
  const subject = subjectOf(data);
  const sections = parts.flatMap((part) => part(subject, data)).filter(Boolean);
  const page = document.getElementById("report");
  document.title = `${subject.title} – hypermile report`;
  page.append(head(subject, data), ...sections);
  page.append(meanings(page, subject));
  page.querySelector("header").append(contents([...page.querySelectorAll("section")]));
  drawAll(() => {
    document.documentElement.dataset.ready = "yes";
  });
}

/** An empty page would say nothing; the console has the rest. */
function tell(error) {
  const text = `This report cannot be shown: ${error.message}`;
  document.getElementById("report").append(h("p", { class: "verdict bad", role: "alert" }, text));
}

try {
  build();
} catch (error) {
  tell(error);
  throw error;
}
