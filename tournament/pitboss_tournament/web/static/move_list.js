// The list of a game's decisions, and the result above it.

import { SEAT_COLOURS } from "./board.js";
import { make, makeButton } from "./elements.js";
import { shortName } from "./names.js";

const LONG_ANSWER = 400; // characters
const LONG_LINES = 8;

/** Tells `jump` with a number of decisions when one is chosen. */
export class MoveList {
  constructor(players) {
    this.players = players;
    this.result = make("div", { class: "outcome" });
    this.list = make("ol", { class: "moves" });
    this.thought = make("div", { class: "thought" });
    this.items = new Map(); // by number of the decision
    this.node = make(
      "aside",
      { class: "side", "aria-label": "result and moves" },
      this.result,
      make("h2", {}, "Moves"),
      this.list,
      this.thought,
    );
    this.list.addEventListener("click", (event) => {
      const found = event.target instanceof Element ? event.target.closest("button") : null;
      if (found) this.node.dispatchEvent(new CustomEvent("jump", { detail: +found.dataset.decision }));
    });
  }

  /** Add decisions, the first of them number `from`; `parts` as on the line of the game. */
  add(decisions, from, parts) {
    const titles = new Map(parts.map((part) => [part.decision + 1, part.title]));
    const items = [];
    decisions.forEach((one, at) => {
      const number = from + at;
      if (titles.has(number)) items.push(make("li", { class: "part" }, titles.get(number)));
      if (one.text !== undefined) items.push(this.makeItem(one, number));
    });
    this.list.append(...items);
  }

  makeItem({ seat, text, us, note, fault, hand }, number) {
    const move = make(
      "button",
      { type: "button", class: fault ? "move fault" : "move", "data-decision": number },
      make("span", { class: "number" }, String(number)),
      make(
        "span",
        { class: "what" },
        make("bdi", { class: "who", title: this.players[seat] }, shortName(this.players[seat])),
        ` ${text}`,
        hand === undefined ? null : ` of ${shortName(this.players[hand])}`, // a dummy's card
      ),
      make("span", { class: "time" }, us === undefined ? "" : formatTime(us)),
      note ? make("q", { class: "note" }, note) : "",
      fault ? make("em", {}, fault) : "",
    );
    move.style.setProperty("--seat", SEAT_COLOURS[seat % SEAT_COLOURS.length]);
    this.items.set(number, move);
    return make("li", {}, move);
  }

  /** Show which decision is on the table, and what its bot wrote then. */
  point(number, decision) {
    this.current?.removeAttribute("aria-current");
    this.current = this.items.get(number);
    this.current?.setAttribute("aria-current", "step");
    requestAnimationFrame(() => this.scroll()); // when the page is laid out anyway
    const [errors, answers] = [decision?.errors ?? "", decision?.answers ?? []];
    const who = this.players[decision?.seat];
    this.thought.replaceChildren(
      ...(answers.length ? [make("h2", {}, `Model of ${who}`), ...answers.map(makeAnswer)] : []),
      ...(errors ? [make("h2", {}, `Standard error of ${who}`), make("pre", { tabindex: "0" }, errors)] : []),
    );
  }

  scroll() {
    if (!this.current || !this.list.clientHeight) return;
    this.list.scrollTop = this.current.parentElement.offsetTop - this.list.offsetTop - this.list.clientHeight * 0.6;
  }

  /** Show how a game has ended, unless the person does not want to know it. */
  showResult(places, results, isHidden, toggle) {
    if (!results.length) return this.result.replaceChildren();
    const label = isHidden ? "Show the result" : "Hide the result";
    const order = results.map((_, seat) => seat).sort((one, other) => places[one] - places[other]);
    const lines = order.map((seat) => {
      const item = make(
        "li",
        { class: places[seat] === 1 ? "won" : "" },
        make("bdi", { dir: "auto" }, this.players[seat]),
        make("span", {}, results[seat]),
      );
      item.style.setProperty("--seat", SEAT_COLOURS[seat % SEAT_COLOURS.length]);
      return item;
    });
    const button = makeButton(label, toggle, { class: "toggle" });
    return this.result.replaceChildren(
      make("h2", {}, "Result"),
      button,
      ...(isHidden ? [] : [make("ol", { class: "standing" }, ...lines)]),
    );
  }
}

/** Return what a model answered, folded if it is long. */
function makeAnswer({ title, text }) {
  const said = text ? make("pre", { tabindex: "0" }, text) : "";
  const isLong = text && (text.length > LONG_ANSWER || text.split("\n").length > LONG_LINES);
  return make(
    "div",
    { class: "answer" },
    make("p", {}, title),
    isLong
      ? make("details", {}, make("summary", {}, `The answer, ${text.length.toLocaleString("en")} characters`), said)
      : said,
  );
}

export function formatTime(us) {
  return us < 1000 ? `${us} µs` : us < 1e6 ? `${+(us / 1000).toPrecision(3)} ms` : `${+(us / 1e6).toPrecision(3)} s`;
}
