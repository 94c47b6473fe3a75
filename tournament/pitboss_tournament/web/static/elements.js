// Elements of pages.

/** Return an element. An attribute that is true has no value. False, null and empty parts are left out. */
export function make(tag, attributes = {}, ...content) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) node.setAttribute(name, "");
    else if (value !== false && value !== undefined && value !== null) node.setAttribute(name, value);
  }
  node.append(...content.filter((part) => part !== null && part !== undefined && part !== ""));
  return node;
}

/** Return an element of a drawing, with other elements or text in it. */
export function draw(tag, attributes = {}, ...content) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...content);
  return node;
}

/** Return a button; its label is what a screen reader says, and its title. */
export function makeButton(text, act, attributes = {}) {
  const made = make("button", { type: "button", title: attributes["aria-label"], ...attributes }, text);
  made.addEventListener("click", act);
  return made;
}

/** Return how wide a text is in pixels, in a font as CSS writes it. */
export function measureText(text, font) {
  const key = `${font} ${text}`;
  if (!measured.has(key)) {
    pen.font = font;
    measured.set(key, pen.measureText(text).width);
  }
  return measured.get(key);
}

const measured = new Map();
const pen = document.createElement("canvas").getContext("2d");

/** Whether the person wants nothing to move. */
export function isStill() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
