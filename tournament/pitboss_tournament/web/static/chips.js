// Piles of chips, and the dealer's button.

import { draw, make } from "./elements.js";

/** @type {[number, string][]} value and colour */
const CHIPS = [[10000, "brown"], [5000, "purple"], [1000, "yellow"], [500, "black"], [100, "blue"], [25, "red"], [
  1,
  "white",
]];
const MOST = 7; // chips in a pile

/** Return a pile of chips that stands for a number: the largest chips, as many as fit. */
export function drawChips(number) {
  const colours = [];
  let left = Math.round(number);
  for (const [value, colour] of CHIPS) {
    for (; left >= value && colours.length < MOST; left -= value) colours.push(colour);
  }
  const height = 14 + 5 * colours.length;
  const discs = colours.flatMap((colour, at) => {
    const y = height - 8 - 5 * at;
    return [
      draw("path", { d: `M2 ${y - 4}v4a12 5 0 0 0 24 0v-4z`, class: `chip fill-${colour}` }),
      draw("ellipse", { cx: 14, cy: y - 4, rx: 12, ry: 5, class: `chip chip-top fill-${colour}` }),
    ];
  });
  return draw("svg", { viewBox: `0 0 28 ${height}`, class: "chips", "aria-hidden": "true" }, ...discs);
}

/** Return the dealer's button. */
export function makeDealer() {
  return make("span", { class: "dealer", "aria-hidden": "true" }, "D");
}
