// "?" on a table: the goal of the game, what its cards do, and the way to its rule book.

import { make, makeButton } from "./elements.js";

const LISTED_CARDS = 3; // of one meaning; of more only the first and the last are named

export class GameHelp {
  /** Take the message that begins a game, and the looks of its cards by face. */
  constructor({ goal = [], about }, looks) {
    this.node = make("aside", { class: "side help", "aria-label": "about this game", hidden: true });
    this.button = makeButton("?", () => this.toggle(), {
      class: "look",
      "aria-label": "about this game",
      "aria-expanded": "false",
    });
    const cards = groupCards(about, looks).map(([names, told]) => [make("dt", {}, names), make("dd", {}, told)]);
    const rules = { href: `${location.pathname}/rules`, target: "_blank", class: "page" };
    this.close = makeButton("×", () => this.toggle(), { class: "toggle", "aria-label": "close" });
    this.node.append(
      this.close,
      make("h2", {}, "The game"),
      ...goal.map((line) => make("p", {}, line)),
      make("p", {}, make("a", rules, "The rule book")),
      ...(cards.length ? [make("h2", {}, "What the cards do"), make("dl", {}, ...cards.flat())] : []),
    );
    this.node.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.toggle();
    });
  }

  toggle() {
    this.node.hidden = !this.node.hidden;
    this.button.setAttribute("aria-expanded", String(!this.node.hidden));
    (this.node.hidden ? this.button : this.close).focus();
  }
}

/** Return names of cards with what they do; cards of one meaning stand together, rare ones first. */
function groupCards(about, looks) {
  const groups = new Map();
  for (const [face, told] of Object.entries(about)) {
    groups.set(told, [...(groups.get(told) ?? []), looks[face]?.name ?? face]);
  }
  return [...groups].sort((one, other) => one[1].length - other[1].length).map(([told, names]) => [
    names.length > LISTED_CARDS ? `${names[0]} to ${names.at(-1)}` : names.join(", "),
    told,
  ]);
}
