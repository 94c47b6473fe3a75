// Elements of pages.

/** Return an element; an attribute that is true has no value, one that is false or null is left out, as are empty parts. */
export function make(tag, attributes = {}, ...content) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) node.setAttribute(name, "");
    else if (value !== false && value !== undefined && value !== null) node.setAttribute(name, value);
  }
  node.append(...content.filter((part) => part !== null && part !== undefined && part !== ""));
  return node;
}
