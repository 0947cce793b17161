// Parts of options that charts share.
import { brief } from "../format.js";

/** An axis of values. */
export function valueAxis(colours, name, more = {}) {
  return {
    type: "value",
    name,
    nameLocation: "middle",
    nameGap: 28,
    nameTextStyle: { color: colours.quiet },
    axisLabel: { color: colours.quiet, hideOverlap: true },
    axisLine: { onZero: false, lineStyle: { color: colours.line } },
    axisTick: { show: false },
    splitLine: { lineStyle: { color: colours.line } },
    ...more,
  };
}

/** The same of quantities that may be large: "2 M" for 2,000,000. */
export const briefAxis = (colours, unit, more, label = {}) =>
  valueAxis(colours, unit, {
    ...more,
    axisLabel: { color: colours.quiet, hideOverlap: true, formatter: brief, ...label },
  });

/** An axis of names, which have so many pixels each. */
export function nameAxis(colours, names, width, { axisLabel, ...more } = {}) {
  return {
    type: "category",
    data: names,
    axisLabel: { color: colours.text, width, overflow: "break", lineHeight: 15, ...axisLabel },
    axisTick: { show: false },
    axisLine: { lineStyle: { color: colours.line } },
    ...more,
  };
}

export function tooltip(colours, formatter) {
  return {
    confine: true,
    backgroundColor: colours.ground,
    borderColor: colours.line,
    textStyle: { color: colours.text, fontSize: 13 },
    formatter: (at) => lines(formatter(at)),
  };
}

/** Texts as lines of an element, so that no name in them becomes markup. */
function lines(texts) {
  const box = document.createElement("div");
  for (const text of [texts].flat()) {
    const line = document.createElement("div");
    line.textContent = text;
    box.append(line);
  }
  return box;
}

export const grid = (more = {}) => ({
  left: 8,
  right: 16,
  top: 12,
  bottom: 36,
  outerBoundsMode: "same",
  outerBoundsContain: "axisLabel",
  outerBoundsClampWidth: "45%",
  ...more,
});

export const legend = (colours, names) => ({
  data: names,
  top: 0,
  left: 0,
  textStyle: { color: colours.text },
  itemWidth: 14,
  itemHeight: 10,
});
