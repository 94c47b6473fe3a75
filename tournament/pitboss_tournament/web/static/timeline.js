// The line of a game: a bar a decision for its thinking time, where parts begin, faults, and the evaluation.

import { SEAT_COLOURS } from "./board.js";
import { draw, make, measureText } from "./elements.js";

const HEIGHT = 36; // of the bars, in units of the drawing
const STRIP = 30; // of the strip of evaluations
const MARK_FONT = "12px Arial, sans-serif";

/** Tells `jump` with a number of decisions when a place on it is chosen. */
export class Timeline {
  constructor(players) {
    this.players = players;
    this.bars = draw("svg", { class: "bars", preserveAspectRatio: "none", "aria-hidden": "true" });
    this.strip = draw("svg", { class: "strip", preserveAspectRatio: "none", role: "img" });
    this.strip.append(draw("title", {}, "the game's evaluation, by seat"));
    this.slider = make("input", { type: "range", min: 0, value: 0, step: 1, "aria-label": "decision" });
    this.head = make("i", { class: "head" });
    this.marks = make("div", { class: "marks", "aria-hidden": "true" });
    this.node = make(
      "div",
      { class: "timeline" },
      make("div", { class: "track" }, this.bars, this.slider, this.head),
      this.strip,
      this.marks,
    );
    this.slider.addEventListener(
      "input",
      () => this.node.dispatchEvent(new CustomEvent("jump", { detail: +this.slider.value })),
    );
  }

  /** Draw all decisions so far; `parts` have the decision after which they begin, and a title. */
  show(decisions, parts) {
    const count = Math.max(1, decisions.length);
    this.count = count;
    this.slider.max = decisions.length;
    this.bars.setAttribute("viewBox", `0 0 ${count} ${HEIGHT}`);
    this.bars.replaceChildren(...this.drawBars(decisions));
    const faults = decisions.flatMap((one, number) => (one.fault ? [this.mark("fault", number + 0.5, "⚑")] : []));
    this.marks.replaceChildren(...this.drawParts(parts), ...faults);
    this.drawStrip(decisions);
  }

  drawBars(decisions) {
    const most = Math.log10(Math.max(1000, ...decisions.map((one) => one.us ?? 0))) - 1.5;
    return decisions.map(({ seat, us }, number) => {
      const height = us === undefined
        ? 3
        : 4 + (HEIGHT - 5) * Math.min(1, Math.max(0, Math.log10(us + 1) - 1.5) / most);
      return colour(draw("rect", { x: number + 0.06, y: HEIGHT - height, width: 0.88, height, class: "time" }), seat);
    });
  }

  drawParts(parts) {
    const width = this.node.clientWidth || innerWidth - 40;
    let free = 0;
    return parts.filter((part) => part.decision < this.count).map(({ decision, title }) => {
      const at = (decision / this.count) * width;
      const isTold = at >= free && at + measureText(title, MARK_FONT) < width;
      if (isTold) free = at + measureText(title, MARK_FONT) + 14;
      return this.mark("part", decision, isTold ? title : "");
    });
  }

  mark(kind, decision, text) {
    const made = make("span", { class: `mark ${kind}` }, text);
    made.style.left = `${(100 * decision) / this.count}%`;
    return made;
  }

  drawStrip(decisions) {
    const told = decisions.flatMap((one, number) => (one.values ? [[number + 1, one.values]] : []));
    this.node.classList.toggle("has-strip", told.length > 1);
    if (told.length < 2) return;
    const all = told.flatMap(([, values]) => values);
    const [low, high] = [Math.min(...all), Math.max(...all)];
    const y = (value) => 1.5 + (STRIP - 3) * (1 - (value - low) / (high - low || 1));
    this.strip.setAttribute("viewBox", `0 0 ${this.count} ${STRIP}`);
    const lines = this.players.map((_, seat) =>
      colour(
        draw("polyline", {
          points: told.map(([number, values]) => `${number - 0.5},${y(values[seat]).toFixed(1)}`).join(" "),
          "vector-effect": "non-scaling-stroke",
        }),
        seat,
      )
    );
    this.strip.replaceChildren(this.strip.firstElementChild, ...lines);
  }

  /** Show a decision as the one on the table. */
  point(decision, text) {
    this.slider.value = String(decision);
    this.slider.setAttribute("aria-valuetext", text);
    this.head.style.left = `${(100 * Math.max(0, decision - 0.5)) / this.count}%`;
    this.bars.querySelector(".now")?.classList.remove("now");
    this.bars.children[decision - 1]?.classList.add("now");
  }
}

function colour(node, seat) {
  if (seat !== undefined) node.style.setProperty("--seat", SEAT_COLOURS[seat % SEAT_COLOURS.length]);
  return node;
}
