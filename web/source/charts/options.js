// Parts of options that charts share.

/** An axis of values. */
export function valueAxis(colours, name, more = {}) {
  return {
    type: "value",
    name,
    nameLocation: "middle",
    nameGap: 28,
    nameTextStyle: { color: colours.quiet },
    axisLabel: { color: colours.quiet, hideOverlap: true },
    splitLine: { lineStyle: { color: colours.line } },
    ...more,
  };
}

/** An axis of names. */
export function nameAxis(colours, names, more = {}) {
  return {
    type: "category",
    data: names,
    axisLabel: { color: colours.text, width: 110, overflow: "truncate" },
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
