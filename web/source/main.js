import { h } from "./element.js";
import { readData } from "./data.js";
import { drawAll } from "./charts/chart.js";
import { subjectOfRun } from "./subjects/run.js";
import { subjectOfSimulation } from "./subjects/simulation.js";
import { subjectOfSweep } from "./subjects/sweep.js";
import { beforeAndAfter, head } from "./sections/head.js";
import { cells, failures, means } from "./sections/sweep.js";
import { choices } from "./sections/choices.js";
import { cost } from "./sections/cost.js";
import { front } from "./sections/front.js";
import { meanings, missing, remarks } from "./sections/end.js";
import { nodes } from "./sections/nodes.js";
import { power, ranks, timeline } from "./sections/ranks.js";
import { predicted } from "./sections/predictions.js";

const partsOfRuns = [
  beforeAndAfter,
  predicted,
  front,
  nodes,
  ranks,
  timeline,
  power,
  choices,
  cost,
  remarks,
  missing,
];

/** What each kind of folder is shown as. */
const kinds = {
  run: { subjectOf: subjectOfRun, parts: partsOfRuns },
  simulation: { subjectOf: subjectOfSimulation, parts: partsOfRuns },
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
  const sections = parts.map((part) => part(subject, data)).filter(Boolean);
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
