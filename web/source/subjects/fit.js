// What `hypermile fit` and `hypermile reproduce m16` estimated, in the form that the sections show.
import { count, joules, number, percentMore, seconds } from "../format.js";
import { known, show } from "../value.js";
import { deviationBars } from "../charts/bars.js";

const error = (value, reference) =>
  value === null || reference === 0 ? null : 100 * (value / reference - 1);

function estimatesTable(estimates, path) {
  return {
    caption: "Parameters",
    columns: ["parameter", ">value", ">at least", ">at most", "remark"],
    rows: estimates.map((one, i) => {
      const at = (key) => show(known(one[key], `${path}.${i}.${key}`, number, "estimated"));
      const begin = one.start === undefined ? "" : `search began at ${number(one.start)}`;
      return [
        one.parameter,
        at("value"),
        at("low"),
        at("high"),
        one.at_bound ? `at the end of its range; ${begin}` : begin,
      ];
    }),
  };
}

const errorsChart = (rows, names) =>
  deviationBars({
    title: "errors of the model",
    caption: "How far the model is off.",
    rows,
    names,
    unit: "%",
  });

const errorText = (value) => show(known(value, null, percentMore, "estimated"));

function observationLabel({ ranks, set }) {
  const values = Object.entries(set ?? {}).map(([name, value]) => `${name} ${value}`);
  return [count(ranks, "rank"), ...values].join(", ");
}

function observationRows({ observations, fitted_to: what }) {
  const format = what === "time" ? seconds : joules;
  return observations.map((row, i) => {
    const at = (key, basis) => show(known(row[key], `observations.${i}.${key}`, format, basis));
    return [
      observationLabel(row),
      at("measured", "measured"),
      at("fitted", "estimated"),
      errorText(error(row.fitted, row.measured)),
      at("left_out", "predicted"),
      errorText(error(row.left_out, row.measured)),
    ];
  });
}

const leftOut =
  "“Left out” is what the model makes of a run with the parameters that fit all the others. " +
  "A fit is no validation.";

export function subjectOfFit({ report, file, details }) {
  const rows = report.observations.map((row) => ({
    label: observationLabel(row),
    values: [error(row.fitted, row.measured), error(row.left_out, row.measured)],
  }));
  return {
    title: `Parameters of the model ${report.model}`,
    verdicts: [
      `${count(report.estimates.length, "parameter")} estimated from ` +
        `${count(report.observations.length, "run")}, fitted to ${report.fitted_to}.`,
    ],
    notices: [leftOut],
    facts: [
      ["Model", report.model],
      ["Platform", report.platform],
      ["Fitted to", report.fitted_to],
      ["Nodes without ranks", report.with_idle_nodes ? "count" : "do not count"],
    ],
    blocks: [
      { title: "Parameters", tables: [estimatesTable(report.estimates, "estimates")] },
      {
        title: "Runs, measured and by the model",
        charts: [errorsChart(rows, ["fitted", "left out"])],
        tables: [
          {
            caption: `Runs, ${report.fitted_to}`,
            columns: ["run", ">measured", ">fitted", ">error", ">left out", ">error"],
            rows: observationRows(report),
          },
        ],
      },
    ],
    details,
    sources: [file],
  };
}

function m16Block(table, t) {
  const path = `tables.${t}`;
  return {
    title: table.title,
    charts: [
      errorsChart(
        table.rows.map((row) => ({
          label: count(row.ranks, "rank"),
          values: [row.error_percent, error(row.left_out_j, row.published_j)],
        })),
        ["fitted", "left out"],
      ),
    ],
    tables: [
      {
        caption: "Energies",
        columns: [
          "ranks",
          ">published",
          ">MERPSYS",
          ">here",
          ">error",
          ">left out",
          ">less with 48 W idle",
        ],
        rows: table.rows.map((row, i) => {
          const at = (key, format, basis) =>
            show(known(row[key], `${path}.rows.${i}.${key}`, format, basis));
          return [
            count(row.ranks, "rank"),
            at("published_j", joules, "published"),
            at("merpsys_j", joules, "published"),
            at("here_j", joules, "estimated"),
            at("error_percent", percentMore, "estimated"),
            at("left_out_j", joules, "predicted"),
            at("less_with_48_w_idle_percent", percentMore, "estimated"),
          ];
        }),
      },
      estimatesTable(table.estimates, `${path}.estimates`),
    ],
  };
}

export function subjectOfM16({ report, file, details }) {
  return {
    title: "Tables III and IV of [M16] again",
    verdicts: [`${count(report.tables.length, "table")}, by models that were fitted to them.`],
    notices: [`${leftOut} Parameters were fitted to the published energies.`],
    facts: [["Tables", report.tables.map(({ title }) => title).join("; ")]],
    blocks: report.tables.map(m16Block),
    details,
    sources: [file],
  };
}
