// Counts of a table and of seats: pot, stacks, scores.

import { drawChips } from "./chips.js";
import { make } from "./elements.js";

/** Return an item of a list of counts. `isOpen`: it stands on the felt. A card as a value has the sign of its suit. */
export function countItem([name, value, role], looks, isOpen) {
  const look = looks[value];
  const text = look?.corner ? `${look.text}${look.corner}` : formatCount(value);
  const item = make("li", { class: `count ${role ?? ""}` }, value === "" ? name : `${name} `);
  if (value !== "") item.append(make("b", {}, text));
  if (isOpen && role === "pot" && value > 0) item.prepend(drawChips(value));
  return item;
}

export function formatCount(value) {
  return typeof value === "number" ? value.toLocaleString("en") : value;
}
