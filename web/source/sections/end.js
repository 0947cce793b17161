import { basesIn, legend } from "../basis.js";
import { h } from "../element.js";
import { note, section, table } from "../table.js";
import { show } from "../value.js";

const list = (texts) =>
  h(
    "ul",
    {},
    texts.map((text) => h("li", {}, text)),
  );

/** What hypermile itself took, and what it had to say. */
export function remarks(subject, { report }) {
  const texts = [...(report.remarks ?? []), ...(report.learnt ?? [])];
  const own =
    subject.own.length > 0
      ? table(
          "Time of hypermile itself",
          ["for", ">time"],
          subject.own.map(([name, time]) => [name, show(time)]),
        )
      : null;
  if (texts.length === 0 && !own) return null;
  return section("remarks", "Remarks", own, texts.length > 0 ? list(texts) : null);
}

export function missing({ details }) {
  return section(
    "missing",
    "What is missing",
    details.missing.length > 0 ? list(details.missing) : note("Nothing that this page could show."),
  );
}

/** What the marks mean, of those that are on the page. */
export function meanings(page, subject) {
  return section(
    "meanings",
    "How numbers are known",
    legend(basesIn(page)),
    note(
      `All numbers are those of ${subject.sources.join(", ")}; numbers that the page computed from ` +
        "them (costs, errors of predictions) follow from these.",
    ),
  );
}
