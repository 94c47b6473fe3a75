// The pace at which a player is shown what the others do: how long each frame stays on the screen.

import { isStill, make } from "./elements.js";
import { keepSetting, readSetting } from "./settings.js";

const SETTING = "pace";
const USUAL = "normal";
const PACES = new Map([
  ["slow", { moveMs: 1500, trickMs: 1500 }],
  [USUAL, { moveMs: 800, trickMs: 700 }],
  ["fast", { moveMs: 300, trickMs: 400 }],
  ["at once", { moveMs: 0, trickMs: 0 }],
]);
const DETAIL = 0.4; // of the time of a move: what follows from it, and one's own move
const LONGEST_MS = 15_000; // for everything that has not been shown yet

/** How long a player looks at moves, and at a trick that is complete. */
export class Pace {
  constructor() {
    this.name = PACES.has(readSetting(SETTING)) ? readSetting(SETTING) : USUAL;
    this.limitMs = LONGEST_MS;
  }

  get isAtOnce() {
    return this.name === "at once";
  }

  /** Let everything that has not been shown yet take no longer than `ms`. */
  limitTo(ms = LONGEST_MS) {
    this.limitMs = ms;
  }

  /** Return a list from which the person chooses the pace. */
  makeSelect() {
    const select = make(
      "select",
      { "aria-label": "pace" },
      ...[...PACES.keys()].map((name) => new Option(name, name, name === this.name, name === this.name)),
    );
    select.addEventListener("change", () => keepSetting(SETTING, this.name = select.value));
    const title = "how quickly you see what the others do";
    return make("label", { class: "look pace", title }, make("span", {}, "Pace "), select);
  }

  /**
   * Return for each frame from `from` to the last but one how long it stays, in milliseconds. `seat` is the player's:
   * a move of one's own need not be read. What is shown `again` is shown at the usual pace, if not at another one.
   */
  listWaits(reel, decisions, from, seat, again = false) {
    const { moveMs, trickMs } = PACES.get(again && this.isAtOnce ? USUAL : this.name);
    const waits = reel.frames.slice(from, -1).map(({ decision }, at) => {
      if (reel.takers.has(from + at)) return trickMs;
      if (isStill()) return 0;
      const isLast = reel.frames[from + at + 1].decision > decision;
      return isLast && decisions(decision)?.seat !== seat ? moveMs : moveMs * DETAIL;
    });
    const whole = waits.reduce((sum, wait) => sum + wait, 0);
    return waits.map((wait) => wait * Math.min(1, this.limitMs / whole));
  }
}
