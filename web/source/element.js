/**
 * An element: h("p", { class: "note" }, "Text ", h("b", {}, "bold")). Texts never become markup.
 * Attributes that are null or false are left out, as are children that are null.
 */
export function h(name, attributes, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? "" : String(value));
  }
  const known = children.flat(Infinity).filter((child) => child !== null && child !== undefined);
  element.append(...known);
  return element;
}

let ids = 0;

/** An id that nothing else on the page has. */
export function newId(prefix) {
  ids += 1;
  return `${prefix}-${ids}`;
}
