// Numbers as a reader wants them. Test: tests/cli/report/browser.py reads them back.

const prefixes = [
  [1e9, "G"],
  [1e6, "M"],
  [1e3, "k"],
  [1, ""],
  [1e-3, "m"],
  [1e-6, "µ"],
];

/** 4 significant digits, and no exponent for what has fewer than 7 before the point. */
export function number(value, digits = 4) {
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e7 || size < 1e-4) return value.toExponential(digits - 1);
  const before = Math.floor(Math.log10(size)) + 1;
  return value.toFixed(Math.max(0, digits - before));
}

/** "1.234 kJ" */
export function withPrefix(value, unit) {
  const size = Math.abs(value);
  const [factor, prefix] = prefixes.find(([least]) => size >= least) ?? [1, ""];
  return `${number(value / factor)} ${prefix}${unit}`;
}

/** The same in few characters: for axes. */
export function brief(value) {
  const size = Math.abs(value);
  const [factor, prefix] = prefixes.find(([least]) => size >= least) ?? [1, ""];
  return `${Number((value / factor).toPrecision(3))}${prefix ? ` ${prefix}` : ""}`;
}

/** Seconds; small ones with a prefix, large ones as they are. */
export function seconds(value) {
  return Math.abs(value) >= 1 ? `${number(value, 5)} s` : withPrefix(value, "s");
}

export const joules = (value) => withPrefix(value, "J");
export const watts = (value) => withPrefix(value, "W");
export const gigahertz = (value) => `${Number(value.toFixed(3))} GHz`;
export const plain = (value) => String(value);

/** "+4.7 %" for 4.7 */
export function percentMore(value) {
  const text = value.toFixed(2);
  return `${value >= 0 && !text.startsWith("-") ? "+" : ""}${text} %`;
}

/** "+4.7 %" for 1.047 */
export const ratioMore = (ratio) => percentMore(100 * (ratio - 1));
export const share = (value) => `${Number((100 * value).toFixed(1))} %`;
export const points = (value) => value.toFixed(2);

/** "1 node", "8 nodes", "10,000 nodes" */
export function count(value, what) {
  const plural = what.endsWith("s") || what.endsWith("x") ? `${what}es` : `${what}s`;
  return `${value.toLocaleString("en")} ${value === 1 ? what : plural}`;
}

/** "64KiB", "1000B", as the text reports have it. */
export function bytes(value) {
  const [factor, unit] = [
    [2 ** 30, "GiB"],
    [2 ** 20, "MiB"],
    [2 ** 10, "KiB"],
    [1, "B"],
  ].find(([size]) => value >= size && value % size === 0) ?? [1, "B"];
  return `${value / factor}${unit}`;
}

/** A text that no line ends in. */
export const together = (text) => text.replaceAll(" ", "\u00a0");
