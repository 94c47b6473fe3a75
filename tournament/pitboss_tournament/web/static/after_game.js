// What there is to see after a game: result, record against each bot, and the player's costliest decisions.

import { SEAT_COLOURS } from "./board.js";
import { make, makeButton } from "./elements.js";

const WIDE = "(min-width: 1100px)"; // a window in which it lies beside the table

export class AfterGame {
  constructor() {
    this.message = null;
    this.node = make("aside", { class: "side after", "aria-label": "after the game", hidden: true });
  }

  /** Take over what the server tells; tell whether it is the first time in this game. */
  take(message) {
    const isFirst = this.message === null;
    this.message = message;
    return isFirst;
  }

  /** Open it, if it lies beside the table: the hands are to be seen. */
  openIfWide() {
    this.node.hidden = !matchMedia(WIDE).matches;
  }

  /** Return the buttons of the dock: to watch the game again, and to open what stands here. */
  makeButtons() {
    if (!this.message) return [];
    const open = makeButton("How it went", () => {
      this.node.hidden = !this.node.hidden;
      open.setAttribute("aria-expanded", String(!this.node.hidden));
    }, { "data-key": "after", "aria-expanded": String(!this.node.hidden) });
    const watch = { class: "page", href: addressOf(0, 1), target: "_blank", "data-key": "watch" };
    return [make("a", watch, "Watch again"), open];
  }

  /** Draw it; `places` and `results` are those of the game by seat, `names` the players. */
  draw({ places, results }, names) {
    if (!this.message) return;
    const { duels, costly, rating, part_decisions: partDecisions } = this.message;
    const order = results.map((_, seat) => seat).sort((one, other) => places[one] - places[other]);
    const moves = costly.map((one) =>
      make(
        "li",
        {},
        make("b", {}, one.played),
        make("span", {}, ` ${one.better} would have been worth ${one.points} more. `),
        make(
          "a",
          { href: addressOf(one.decision, partDecisions), target: "_blank" },
          `Look at decision ${one.decision}`,
        ),
      )
    );
    const close = makeButton("×", () => this.node.hidden = true, { class: "toggle", "aria-label": "close" });
    this.node.replaceChildren(
      close,
      make("h2", {}, "Result"),
      make("ol", { class: "standing" }, ...order.map((seat) => makeStanding(names[seat], results[seat], places, seat))),
      ...(duels.length ? [make("h2", {}, "All games so far"), ...duels.map((line) => make("p", {}, line))] : []),
      ...(moves.length || rating ? [make("h2", {}, "Your costliest decisions")] : []),
      ...(moves.length ? [make("ol", { class: "costs" }, ...moves)] : []),
      ...(rating ? [make("p", { role: "status" }, rating)] : []),
    );
  }
}

/** Return where the finished game is replayed, from a decision on. */
function addressOf(decision, partDecisions) {
  return `${location.pathname}/replay?part=${Math.floor(Math.max(0, decision - 1) / partDecisions)}#t=${decision}`;
}

function makeStanding(name, result, places, seat) {
  const item = make(
    "li",
    { class: places[seat] === 1 ? "won" : "" },
    make("bdi", { dir: "auto", title: name }, name),
    make("span", {}, result),
  );
  item.style.setProperty("--seat", SEAT_COLOURS[seat % SEAT_COLOURS.length]);
  return item;
}
