// Colours of the charts: those of style.css, so that both follow the colour scheme.

export function theme() {
  const style = getComputedStyle(document.documentElement);
  const colour = (name) => style.getPropertyValue(`--${name}`).trim();
  return {
    font: getComputedStyle(document.body).fontFamily,
    text: colour("text"),
    quiet: colour("quiet"),
    line: colour("line"),
    ground: colour("ground"),
    before: colour("before"),
    after: colour("after"),
    other: colour("other"),
    computing: colour("computing"),
    waiting: colour("waiting"),
    series: [colour("after"), colour("other"), colour("third"), colour("fourth"), colour("before")],
    slow: [colour("ramp-0"), colour("ramp-1"), colour("ramp-2"), colour("ramp-3")],
  };
}
