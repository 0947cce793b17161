import { h } from "../element.js";
import { section, table } from "../table.js";
import { isKnown, known, show } from "../value.js";
import { runBars } from "../charts/bars.js";
import { joules } from "../format.js";

const toneOf = (verdict) =>
  verdict.startsWith("Failure") ? "bad" : verdict.startsWith("Success") ? "good" : "plain";

/** What was run, and the verdict. */
export function head(subject, data) {
  return h(
    "header",
    {},
    h("p", { class: "tool" }, `hypermile ${data.version}, report of ${data.file}`),
    h("h1", {}, subject.title),
    h(
      "div",
      { class: "verdicts" },
      subject.verdicts.map((verdict) => h("p", { class: `verdict ${toneOf(verdict)}` }, verdict)),
    ),
    subject.notices.map((notice) => h("p", { class: "notice" }, notice)),
    h(
      "dl",
      { class: "facts" },
      subject.facts.map(([name, text]) => h("div", {}, h("dt", {}, name), h("dd", {}, text))),
    ),
  );
}

/** Energy in gear 0 where no such run was made: by the estimate of the whole run. */
export function estimatedBefore(subject) {
  const energy = subject.runs[0]?.energy;
  if (isKnown(subject.unscaled.energy) || !isKnown(energy) || !isKnown(subject.estimatedRatio))
    return null;
  return known(energy.value / subject.estimatedRatio.value, null, joules, "estimated");
}

function columnsOf(subject) {
  const all = [
    ["run", (run) => run.label],
    [">time", (run) => show(run.time)],
    [">energy", (run) => show(run.energy)],
    [">time against gear 0", (run) => (run.isUnscaled ? "–" : show(run.moreTime ?? null))],
    [">energy against gear 0", (run) => (run.isUnscaled ? "–" : show(run.moreEnergy ?? null))],
    [">energy saved", (run) => (run.isUnscaled ? "–" : show(run.saving))],
    [">distance, points", (run) => (run.isUnscaled ? "–" : show(run.distance))],
    [">changes of gears", (run) => (run.isUnscaled ? "–" : show(run.switches))],
  ];
  const keys = [null, null, null, "moreTime", "moreEnergy", "saving", "distance", "switches"];
  return all.filter((_, i) => !keys[i] || subject.runs.some((run) => run[keys[i]]));
}

/** Time and energy before and after. */
export function beforeAndAfter(subject) {
  const runs = [subject.unscaled, ...subject.runs];
  const columns = columnsOf(subject);
  return section(
    "before-after",
    "Time and energy, before and after",
    table(
      "Runs",
      columns.map(([name]) => name),
      runs.map((run) => columns.map(([, cell]) => cell(run))),
    ),
    h(
      "div",
      { class: "pair" },
      runBars({ title: "Time", runs, pick: (run) => run.time, unit: "s" }),
      runBars({ title: "Energy", runs, pick: (run) => run.energy, unit: "J" }),
    ),
  );
}
