import { mark } from "../basis.js";
import { note, section, table } from "../table.js";
import { bare } from "../value.js";
import { runBars } from "../charts/bars.js";

/** What each method chose. */
export function plans(subject) {
  const all = subject.plans;
  return section(
    "plans",
    "Plans",
    note("Of one iteration, or of the run where the plan is for one ", mark("predicted"), "."),
    table(
      "Plans",
      [
        "method",
        ">time",
        ">energy",
        ">time against gear 0",
        ">energy against gear 0",
        ">distance, points",
        "proven",
        "bounds",
      ],
      all.map((plan) => [
        plan.method,
        bare(plan.time),
        bare(plan.energy),
        bare(plan.moreTime),
        bare(plan.moreEnergy),
        bare(plan.distance),
        plan.proof,
        plan.broken || "kept",
      ]),
    ),
    all.length > 1
      ? [
          runBars({ title: "Time", runs: all, pick: (plan) => plan.time, unit: "s" }),
          runBars({ title: "Energy", runs: all, pick: (plan) => plan.energy, unit: "J" }),
        ]
      : null,
  );
}
