/**
 * A series of coloured cells on two axes of names: what a heatmap is, drawn at once. (The heatmap of
 * ECharts 6.1 draws large canvases bit by bit, and a print would come before the end.) `label(i)`: the
 * text in cell i; none if it is not given.
 */
export function cells({ data, border, ground, label }) {
  const renderItem = (params, api) => {
    const [x, y] = api.coord([api.value(0), api.value(1)]);
    const [width, height] = api.size([1, 1]);
    const text = label && {
      type: "text",
      style: { text: label(params.dataIndex), fontSize: 11, ...textOn(api.visual("color")) },
    };
    return {
      type: "rect",
      shape: onPixels(x - width / 2, y - height / 2, width, height),
      style: { fill: api.visual("color"), stroke: ground, lineWidth: border },
      ...(text ? { textContent: text, textConfig: { position: "inside" } } : {}),
    };
  };
  return { type: "custom", data, renderItem, progressive: 0, encode: { x: 0, y: 1, value: 2 } };
}

/** Cells that touch would show their seams between pixels. */
function onPixels(left, top, width, height) {
  const [x, y] = [Math.round(left), Math.round(top)];
  return { x, y, width: Math.round(left + width) - x, height: Math.round(top + height) - y };
}

/** Black or white, whatever can be read on this colour. */
function textOn(colour) {
  const parts = colour.startsWith("#")
    ? [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16))
    : colour.match(/[\d.]+/g).map(Number);
  const [red, green, blue] = parts;
  const light = 0.299 * red + 0.587 * green + 0.114 * blue > 140;
  return { fill: light ? "#10151a" : "#ffffff" };
}
