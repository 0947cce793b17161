import { mark } from "./basis.js";
import { h } from "./element.js";

/**
 * A number of the report with how it is shown and known. `path`: where it is in the JSON; none for
 * what the page has computed.
 */
export function known(value, path, format, basis = null) {
  return { value, path, format, basis };
}

export const isKnown = (quantity) =>
  quantity !== null && quantity.value !== null && quantity.value !== undefined;

/** As text. */
export function text(quantity) {
  return isKnown(quantity) ? quantity.format(quantity.value) : "not known";
}

/** As an element that carries the exact number. */
export function show(quantity) {
  if (!isKnown(quantity)) return h("span", { class: "unknown" }, "not known ", mark("missing"));
  return h(
    "span",
    { class: "quantity" },
    h(
      "data",
      { value: quantity.value, "data-path": quantity.path },
      quantity.format(quantity.value),
    ),
    quantity.basis ? [" ", mark(quantity.basis)] : null,
  );
}

/** The same without a mark: for tables whose head says how their numbers are known. */
export const bare = (quantity) => (isKnown(quantity) ? show({ ...quantity, basis: null }) : "–");
