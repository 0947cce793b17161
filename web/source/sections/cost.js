import { h, newId } from "../element.js";
import { note, section, table } from "../table.js";
import { mark } from "../basis.js";
import { isKnown } from "../value.js";
import { number } from "../format.js";
import { estimatedBefore } from "./head.js";

const joules_per_kwh = 3.6e6;

function field(label, attributes) {
  const id = newId("factor");
  const input = h("input", { id, ...attributes });
  return { input, element: h("div", { class: "field" }, h("label", { for: id }, label), input) };
}

function factorsOf(data) {
  const amount = { type: "number", min: 0, step: "any", inputmode: "decimal" };
  return {
    price: field("Price of a kWh", {
      ...amount,
      value: data.price_per_kwh ?? "",
      placeholder: "0.30",
    }),
    currency: field("Currency", {
      type: "text",
      size: 6,
      value: data.currency,
      placeholder: "EUR",
    }),
    co2: field("g CO₂ for a kWh", {
      ...amount,
      value: data.co2_g_per_kwh ?? "",
      placeholder: "400",
    }),
    runs: field("Number of runs", { ...amount, value: 1000 }),
  };
}

/** A number in a field; null where there is none that makes sense. */
function read({ input }) {
  const value = Number.parseFloat(input.value);
  return Number.isFinite(value) && value >= 0 ? value : null;
}

const grams = (value) =>
  Math.abs(value) >= 1e6
    ? `${number(value / 1e6)} t`
    : Math.abs(value) >= 1e3
      ? `${number(value / 1e3)} kg`
      : `${number(value)} g`;

function rowOf({ label, energy }, before, factors) {
  const runs = read(factors.runs) ?? 0;
  const kwh = (energy.value / joules_per_kwh) * runs;
  const saved = ((before - energy.value) / joules_per_kwh) * runs;
  const price = read(factors.price);
  const co2 = read(factors.co2);
  const money = (amount) =>
    price === null ? "–" : `${number(amount * price)} ${factors.currency.input.value}`.trim();
  const mass = (amount) => (co2 === null ? "–" : grams(amount * co2));
  const no = before === null || label === "in gear 0" || label === "unscaled";
  return [
    h("span", {}, label, " ", mark(energy.basis)),
    `${number(kwh)} kWh`,
    money(kwh),
    mass(kwh),
    no ? "–" : money(saved),
    no ? "–" : mass(saved),
  ];
}

const columns = ["run", ">energy", ">cost", ">CO₂", ">cost saved", ">CO₂ saved"];

/** Money and CO2, by what the reader says of them. */
export function cost(subject, data) {
  const before = isKnown(subject.unscaled.energy)
    ? subject.unscaled
    : { ...subject.unscaled, energy: estimatedBefore(subject) };
  const runs = [before, ...subject.runs].filter(({ energy }) => isKnown(energy));
  if (subject.powerAssumed || runs.length === 0)
    return section(
      "cost",
      "Cost and CO₂",
      note(
        subject.powerAssumed
          ? "The power of some node is assumed. An energy in kWh would mean nothing."
          : "No energy is known.",
      ),
    );
  const factors = factorsOf(data);
  const place = h("div", { "aria-live": "polite" });
  const fill = () =>
    place.replaceChildren(
      table(
        `Of ${number(read(factors.runs) ?? 0)} runs like these`,
        columns,
        runs.map((run) => rowOf(run, before.energy?.value ?? null, factors)),
      ),
    );
  const fields = Object.values(factors);
  fields.forEach(({ input }) => input.addEventListener("input", fill));
  fill();
  return section(
    "cost",
    "Cost and CO₂",
    note(
      "By the factors that you set here; they are of the grid and the contract, not of the run.",
    ),
    h(
      "div",
      { class: "fields" },
      fields.map(({ element }) => element),
    ),
    place,
  );
}
