import { h } from "./element.js";
import { readData } from "./data.js";
import { drawAll } from "./charts/chart.js";
import { subjectOfRun } from "./subjects/run.js";
import { subjectOfSimulation } from "./subjects/simulation.js";
import { beforeAndAfter, head } from "./sections/head.js";
import { choices } from "./sections/choices.js";
import { cost } from "./sections/cost.js";
import { front } from "./sections/front.js";
import { meanings, missing, remarks } from "./sections/end.js";
import { nodes } from "./sections/nodes.js";
import { power, ranks, timeline } from "./sections/ranks.js";
import { predicted } from "./sections/predictions.js";

const parts = [
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

function contents(sections) {
  const link = (part) =>
    h("li", {}, h("a", { href: `#${part.id}` }, part.querySelector("h2").textContent));
  return h("nav", { "aria-label": "Contents" }, h("ul", {}, sections.map(link)));
}

function build() {
  const data = readData();
  const subject = data.kind === "run" ? subjectOfRun(data) : subjectOfSimulation(data);
  const sections = parts.map((part) => part(subject, data)).filter(Boolean);
  const page = document.getElementById("report");
  document.title = `${subject.title} – hypermile report`;
  page.append(head(subject, data), ...sections);
  page.append(meanings(page, subject));
  page.querySelector("header").append(contents([...page.querySelectorAll("section")]));
  drawAll();
  document.documentElement.dataset.ready = "yes";
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
