// Results of `hypermile reproduce` in the form that the sections show.
import { mark } from "../basis.js";
import { count, joules, percentMore, points, seconds } from "../format.js";
import { known, show } from "../value.js";
import { deviationBars } from "../charts/bars.js";

const nameOf = (line) => (line.published ? `published, ${line.method}` : line.method);
const basisOf = (line) => (line.published ? "published" : "simulated");

/** Slowdown, saving and distance of a line. */
function effects(line, path) {
  const basis = basisOf(line);
  const at = (key, format) => show(known(line[key], `${path}.${key}`, format, basis));
  return [
    at("slowdown_percent", percentMore),
    at("saving_percent", percentMore),
    at("distance_points", points),
  ];
}

const effectColumns = [">slowdown", ">energy saved", ">distance, points"];

const isKnownLine = (line) => line.distance_points !== null;

function distances(rows) {
  const names = [...new Set(rows.flatMap(({ lines }) => lines.map(nameOf)))];
  const shown = rows.filter(({ lines }) => lines.some(isKnownLine));
  if (shown.length === 0 || names.length === 0) return null;
  const valueOf = (lines, name) =>
    lines.find((line) => nameOf(line) === name)?.distance_points ?? null;
  return deviationBars({
    title: "distance of performance and energy, published and simulated",
    caption: "Distance in points: the larger the better.",
    rows: shown.map(({ label, lines }) => ({
      label,
      values: names.map((name) => valueOf(lines, name)),
    })),
    names,
    unit: "points",
  });
}

function why({ status, reason, program }) {
  if (status === "done") return "";
  if (status === "no program") return `there was no program ${program}`;
  return reason ? `${status}: ${reason}` : status;
}

const labelOf = ({ program, ranks }) => `${program} ${ranks}`;

function programRows(table, path) {
  return table.programs.flatMap((program, i) =>
    program.lines
      .map((line, k) => [line, k])
      .filter(([line]) => line.published || program.status === "done")
      .map(([line, k]) => [
        labelOf(program),
        nameOf(line),
        ...effects(line, `${path}.programs.${i}.lines.${k}`),
      ]),
  );
}

/** Time and energy in gear 0, here and there. */
function unscaledRows(table, path) {
  return table.programs.map((program, i) => {
    const at = (key, format, basis) =>
      show(known(program[key], `${path}.programs.${i}.${key}`, format, basis));
    return [
      labelOf(program),
      at("published_time_s", seconds, "published"),
      at("time_s", seconds, "simulated"),
      at("published_energy_j", joules, "published"),
      at("energy_j", joules, "simulated"),
      why(program) || "done",
    ];
  });
}

function errorRows(name, errors, path) {
  return errors.map((one, k) => {
    const at = (key) => show(known(one[key], `${path}.${k}.${key}`, percentMore, "simulated"));
    return [
      name,
      one.model,
      at("largest_time_error_percent"),
      at("mean_time_error_percent"),
      at("largest_energy_error_percent"),
      at("mean_energy_error_percent"),
    ];
  });
}

function allErrorRows(table, path) {
  return [
    ...table.programs.flatMap((program, i) =>
      errorRows(labelOf(program), program.errors, `${path}.programs.${i}.errors`),
    ),
    ...errorRows(`all ${table.compared}`, table.errors, `${path}.errors`),
  ];
}

/** What a paper says of its own predictions. */
const publishedError = (table) =>
  table.published_time_error_percent === null
    ? []
    : [
        `The paper says that its times are off by ${table.published_time_error_percent.toFixed(2)} %.`,
      ];

const classes = (table) =>
  table.published_class === null
    ? `class ${table.class}`
    : `class ${table.class}, in the paper ${table.published_class}`;

function blockOf(table, t) {
  const path = `tables.${t}`;
  const rows = table.programs.map((program) => ({ ...program, label: labelOf(program) }));
  return {
    title: `${table.table}: ${table.title}`,
    notes: [
      [
        `${table.source}; here on platform ${table.platform}, ${classes(table)}. Lines of the paper: `,
        mark("published"),
        ", lines of this machine: ",
        mark("simulated"),
        ".",
      ],
      ...publishedError(table),
    ],
    charts: [distances(rows)],
    tables: [
      {
        caption: "Methods, by program",
        columns: ["program", "method", ...effectColumns],
        rows: programRows(table, path),
      },
      {
        caption: `Means over ${count(table.compared, "program")}`,
        columns: ["method", ...effectColumns],
        rows: table.means.map((line, k) => [nameOf(line), ...effects(line, `${path}.means.${k}`)]),
      },
      {
        caption: "Errors of the predictions",
        columns: [
          "program",
          "model",
          ">largest, time",
          ">mean, time",
          ">largest, energy",
          ">mean, energy",
        ],
        rows: allErrorRows(table, path),
      },
      {
        caption: "In gear 0",
        columns: [
          "program",
          ">time, paper",
          ">time, here",
          ">energy, paper",
          ">energy, here",
          "done",
        ],
        rows: unscaledRows(table, path),
      },
    ],
    listTitle: "What differs in the set-up",
    list: table.differences,
  };
}

const verdictOf = (table) =>
  `${table.table}: ${table.compared} of ${count(table.programs.length, "program")} compared ` +
  `with ${table.source}.`;

const notices = [
  "Lines of papers are what was printed there; all others on this page came out of simulations.",
];

export function subjectOfReproduction({ report, file, details }) {
  return {
    title: `Tables of the literature again, ${file}`,
    verdicts: report.tables.map(verdictOf),
    notices,
    facts: [["Tables", report.tables.map(({ table }) => table).join(", ")]],
    blocks: report.tables.map(blockOf),
    details,
    sources: [file],
  };
}

function gridRows({ grids }, path) {
  return grids.flatMap((grid, i) =>
    grid.lines.map((line, k) => {
      const spread = known(
        line.iterations_standard_deviation,
        `${path}.grids.${i}.lines.${k}.iterations_standard_deviation`,
        points,
        basisOf(line),
      );
      return [
        grid.ranks === null ? grid.grid : `${grid.grid}, ${count(grid.ranks, "rank")}`,
        line.apply ? `${line.program}, gears ${line.apply}` : line.program,
        nameOf(line),
        ...effects(line, `${path}.grids.${i}.lines.${k}`),
        show(spread),
      ];
    }),
  );
}

function multisplittingBlock(table, t) {
  const failed = table.grids.filter(({ failure }) => failure);
  const rows = table.grids.map(({ grid, lines }) => ({
    label: grid,
    lines: lines.map((line) => ({
      ...line,
      method: [line.program, line.apply, line.method].filter(Boolean).join(" "),
    })),
  }));
  return {
    title: `${table.table}: ${table.title}`,
    notes: [`${table.source}; simulated with a reference speed of ${table.reference_speed}.`],
    charts: [distances(rows)],
    tables: [
      {
        caption: "Methods, by grid",
        columns: ["grid", "program", "method", ...effectColumns, ">spread of iterations"],
        rows: gridRows(table, `tables.${t}`),
      },
      {
        caption: "Grids that failed",
        columns: ["grid", "why"],
        rows: failed.map(({ grid, failure }) => [grid, failure]),
      },
    ],
    listTitle: "What differs in the set-up",
    list: table.differences,
  };
}

export function subjectOfMultisplitting({ report, file, details }) {
  return {
    title: `Tables of the literature again, ${file}`,
    verdicts: report.tables.map(
      ({ table, grids, source }) => `${table}: ${count(grids.length, "row")} beside ${source}.`,
    ),
    notices,
    facts: [["Tables", report.tables.map(({ table }) => table).join(", ")]],
    blocks: report.tables.map(multisplittingBlock),
    details,
    sources: [file],
  };
}
