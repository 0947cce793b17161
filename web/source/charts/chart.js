import { BarChart, CustomChart, LineChart, ScatterChart } from "echarts/charts";
import {
  GridComponent,
  LegendComponent,
  MarkAreaComponent,
  TooltipComponent,
  VisualMapComponent,
} from "echarts/components";
import { init, use } from "echarts/core";
import { CanvasRenderer, SVGRenderer } from "echarts/renderers";

import { h } from "../element.js";
import { theme } from "../theme.js";

use([
  BarChart,
  CustomChart,
  LineChart,
  ScatterChart,
  GridComponent,
  LegendComponent,
  MarkAreaComponent,
  TooltipComponent,
  VisualMapComponent,
  CanvasRenderer,
  SVGRenderer,
]);

const most_marks_of_svg = 2000;
const charts = [];

function draw(chart) {
  chart.instance?.dispose();
  const renderer = chart.marks > most_marks_of_svg ? "canvas" : "svg";
  chart.instance = init(chart.box, null, { renderer });
  const colours = theme();
  chart.instance.setOption({
    animation: false,
    textStyle: { color: colours.text, fontFamily: colours.font },
    ...chart.option(colours, chart.box.clientWidth),
  });
  chart.box.dataset.drawn = renderer;
}

/**
 * A chart with its description. `option(colours, width)` makes the option of ECharts; `marks`: about how many
 * things it draws; many are drawn on a canvas.
 */
export function figure({ label, caption, height, marks, option }) {
  const box = h("div", { class: "chart", role: "img", "aria-label": label });
  box.style.height = `${height}px`;
  const chart = { box, marks, option, instance: null };
  charts.push(chart);
  const element = h("figure", {}, box, caption ? h("figcaption", {}, caption) : null);
  return element;
}

/** Draws the charts that are not drawn yet, one at a time, so that the page can be read meanwhile. */
function drawInTurn(done) {
  const chart = charts.find(({ instance }) => instance === null);
  if (!chart) {
    done();
    return;
  }
  draw(chart);
  setTimeout(() => drawInTurn(done));
}

/** Draws all charts, and again when colours or sizes change. `done` is called when all are there. */
export function drawAll(done) {
  const all = () => charts.forEach(draw);
  drawInTurn(done);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", all);
  const sizes = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      const chart = charts.find(({ box }) => box === target);
      if (chart.instance && chart.instance.getWidth() !== target.clientWidth) draw(chart);
    }
  });
  charts.forEach(({ box }) => sizes.observe(box));
  for (const moment of ["beforeprint", "afterprint"])
    addEventListener(moment, () => {
      document.documentElement.classList.toggle("print", moment === "beforeprint");
      all();
    });
}
