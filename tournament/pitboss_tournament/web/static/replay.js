// The page of a game, recorded or still being played. It names no game: it draws the zones, cards and events of a
// sequence (pitboss.records.frames).

import { Board } from "./board.js";
import { isStill, make, makeButton } from "./elements.js";
import { formatTime, MoveList } from "./move_list.js";
import { Reel } from "./reel.js";
import { Timeline } from "./timeline.js";

const STEP_MS = 700; // from one frame to the next while it plays
const CATCH_UP_MS = 1200; // to show what has happened meanwhile in a game that goes on
const ADDRESS_MS = 300; // from a step to the address that leads there
const SPEEDS = [0.25, 0.5, 1, 2, 4];
const SPEED_TEXTS = ["¼×", "½×", "1×", "2×", "4×"];

/** Tells its root `frame` when another frame is shown, and `pick` when a card, a zone or a seat is clicked. */
export class Replay {
  /** With a `pace` the person decides on this page: they are shown at that pace what happens, and may look back. */
  constructor(root, data, pace = null) {
    this.root = root;
    this.data = data;
    this.pace = pace;
    this.isPlay = pace !== null;
    this.sequence = data.sequence;
    this.reel = new Reel(data.sequence);
    this.frames = this.reel.frames;
    this.frame = 0;
    this.eyes = this.sequence.viewer ?? -1; // -1: every card
    this.timer = 0;
    this.addressTimer = 0;
    this.speed = 1;
    this.isResultHidden = false;
    this.listening = new AbortController();
    this.asked = []; // seats that are to decide now, in a game that goes on
    this.parts = [];
    this.readSheets = this.isPlay ? this.frames.length : 0; // frames whose score sheets the person has read
    this.build(root);
    this.addParts(this.frames);
    this.moves.add(data.decisions, this.first, this.parts);
    this.timeline.show(data.decisions, this.parts);
    this.board.seat(this.eyes);
    this.listen();
    this.showResult();
    this.go(this.frameFromHash(), true);
  }

  /** The number of the first decision of this page. */
  get first() {
    return 1 + (this.data.before ?? 0);
  }

  /** Whether the frame on the screen is the last one so far. */
  get isAtEnd() {
    return this.frame === this.frames.length - 1;
  }

  /** Add what has happened since; who looks at the last frame is led on. */
  extend({ frames, decisions }) {
    const follows = this.isAtEnd || this.isLed;
    const isNew = this.reel.extend(frames);
    if (isNew) this.board.seat(this.eyes);
    const from = this.first + this.data.decisions.length;
    this.data.decisions.push(...decisions);
    this.addParts(frames);
    this.moves.add(decisions, from, this.parts);
    this.timeline.show(this.data.decisions, this.parts);
    if (follows) this.catchUp();
    this.describe();
  }

  /** Step on to what happens now, the quicker the more there is. */
  catchUp() {
    if (this.isAtEnd) return;
    if (this.isPlay) return this.isLed ? undefined : this.lead();
    if (isStill()) return this.go(this.frames.length - 1, true);
    const stepMs = Math.min(STEP_MS, CATCH_UP_MS / (this.frames.length - 1 - this.frame));
    if (this.isLed && this.stepMs <= stepMs) return; // a timer that is reset each time never goes off
    this.play(stepMs);
    this.isLed = true;
  }

  /** Step on to what happens now, at the pace of the player; `again`: it has been shown before. */
  lead(again = false) {
    this.pause();
    this.isLed = true;
    this.isAgain = again;
    this.leadOn();
  }

  /** Show once more what has happened since a frame. */
  retell(frame) {
    this.go(frame, true);
    if (!this.isAtEnd) this.lead(true);
  }

  /** Wait as long as this frame has still to be seen, and go on; a score sheet waits until it has been read. */
  leadOn() {
    if (this.isAtEnd) return this.stopLeading();
    const waits = this.pace.listWaits(
      this.reel,
      (number) => this.decisionAt(number),
      this.frame,
      this.sequence.viewer,
      this.isAgain,
    );
    waits[0] -= performance.now() - this.shownAt;
    const [from, isAtOnce] = [this.frame, this.pace.isAtOnce && !this.isAgain];
    const isSheet = (at) => !isAtOnce && at >= this.readSheets && this.frames[at].sheet !== undefined;
    const isStop = (wait, at) => wait > 0 || isSheet(from + at);
    const found = waits.findIndex(isStop);
    const at = found < 0 ? this.frames.length - 1 : from + found;
    if (at > from) this.step(at, isAtOnce || isStill());
    if (this.isAtEnd || isSheet(at)) return this.stopLeading();
    this.stepMs = waits[found + 1] ?? STEP_MS;
    this.timer = setTimeout(() => {
      this.step(this.frame + 1, isStill());
      this.leadOn();
    }, waits[found]);
  }

  /** Let the person decide, now that everything has been shown, or read a score sheet. */
  stopLeading() {
    this.pause();
    this.root.dispatchEvent(new CustomEvent("frame"));
  }

  /** Show who is to decide now: on the last frame they are marked. */
  showAsked(seats) {
    this.asked = seats;
    this.show(0);
  }

  /** Show how the game has ended. */
  finish({ places, results }) {
    Object.assign(this.data, { places, results });
    this.showResult();
    this.show(0);
  }

  // ---- the page

  build(root) {
    const { data } = this;
    this.table = make("section", { class: "table", "aria-label": "the table" });
    this.board = new Board(this.table, this.reel, data.players);
    this.board.isPlayed = this.isPlay;
    this.said = make("p", { class: "said", "aria-live": "polite" });
    this.timeline = new Timeline(data.players);
    this.moves = new MoveList(data.players);
    this.timeline.node.addEventListener("jump", (event) => this.goToDecision(this.first - 1 + event.detail));
    this.moves.node.addEventListener("jump", (event) => this.goToDecision(event.detail));
    const heading = make(
      "header",
      {},
      make("h1", { title: data.title }, data.title),
      make("p", { class: "subtitle", title: data.subtitle }, data.subtitle),
    );
    this.controls = make(
      "footer",
      { class: "controls", "aria-label": "replay" },
      this.said,
      this.timeline.node,
      this.buildButtons(),
    );
    root.classList.toggle("play", this.isPlay);
    this.sheet = make("section", { class: "sheet", "aria-label": "score sheet", hidden: true });
    root.replaceChildren(
      heading,
      make("main", { class: "stage" }, this.table, this.sheet, this.moves.node),
      this.controls,
    );
    this.toggleSide(matchMedia("(min-width: 1100px)").matches && !this.isPlay);
  }

  buildButtons() {
    const button = (text, label, act, kind = "") => makeButton(text, act, { "aria-label": label, class: kind });
    this.playButton = button("▶", "play (space)", () => this.toggle(), "main");
    this.position = make("output", { class: "position" });
    this.faultButton = button("⚑", "to the next fault", () => this.goToFault(), "bad");
    this.costButton = button(
      "◆",
      "to the decision that cost most",
      () => this.goToDecision(this.data.costliest),
      "costly",
    );
    this.partButtons = [
      button("‹‹", "to the part before (shift and left arrow)", () => this.goToPart(-1), "part"),
      button("››", "to the next part (shift and right arrow)", () => this.goToPart(1), "part"),
    ];
    this.listButton = button("☰", "result and moves", () => this.toggleSide(this.moves.node.hidden), "list");
    const speed = make(
      "select",
      { "aria-label": "speed" },
      ...SPEED_TEXTS.map((text, at) => new Option(text, String(at), at === 2, at === 2)),
    );
    speed.addEventListener("change", () => this.setSpeed(SPEEDS[+speed.value]));
    return make(
      "div",
      { class: "buttons" },
      button("|◀", "to the deal (Home)", () => this.goToDecision(this.first - 1), "far"),
      this.partButtons[0],
      button("‹", "back (left arrow)", () => this.go(this.frame - 1)),
      this.playButton,
      button("›", "on (right arrow)", () => this.go(this.frame + 1)),
      this.partButtons[1],
      button("▶|", "to the end (End)", () => this.go(this.frames.length - 1, true), "far"),
      this.faultButton,
      this.costButton,
      this.position,
      ...this.buildLinks(),
      speed,
      this.buildEyes(),
      this.listButton,
    );
  }

  /** Return links to the pages with the decisions before and after those of this one. */
  buildLinks() {
    const links = [["previous", "decisions before"], ["next", "decisions after"]];
    return links.filter(([name]) => this.data[name]).map(([name, text]) =>
      make("a", { class: "page", href: this.data[name], rel: name === "next" ? "next" : "prev" }, text)
    );
  }

  buildEyes() {
    if (this.sequence.viewer !== undefined && this.sequence.viewer !== null) return null;
    const players = this.data.players.map((name, seat) => [`as ${name}`, seat]);
    this.select = make(
      "select",
      { class: "eyes", "aria-label": "seen by" },
      ...[["every card", -1], ...players, ["as a spectator", this.sequence.seats]].map(([text, value]) =>
        new Option(String(text), String(value))
      ),
    );
    this.select.addEventListener("change", () => this.lookAs(+this.select.value));
    return this.select;
  }

  /** Show what a seat knew; -1: every card. */
  lookAs(eyes) {
    this.eyes = eyes;
    this.select.value = String(eyes);
    this.board.seat(eyes);
    this.show(0);
  }

  setSpeed(speed) {
    this.speed = speed;
    if (this.timer && !this.isLed) this.play();
  }

  toggleSide(isOpen) {
    this.moves.node.hidden = !isOpen;
    this.listButton.setAttribute("aria-expanded", String(isOpen));
    this.moves.point(this.frames[this.frame]?.decision ?? 0, undefined);
  }

  showResult() {
    this.moves.showResult(this.data.places, this.data.results, this.isResultHidden, () => {
      this.isResultHidden = !this.isResultHidden;
      this.showResult();
    });
  }

  /** Note where parts of the game begin: at a deal, a hand, a trick, as the counts of the table tell. */
  addParts(frames) {
    for (const { decision, table_counts: counts } of frames) {
      const told = new Map((counts ?? []).filter((count) => count[2] === "part").map(([name, value]) => [name, value]));
      const changed = [...told].filter(([name, value]) => this.told?.get(name) !== value);
      if (!counts) continue;
      this.told = told;
      if (changed.length) {
        this.parts.push({
          decision,
          title: changed.map(([name, value]) => `${name} ${value}`).join(", "),
        });
      }
    }
    for (const button of this.partButtons) button.hidden = this.parts.length < 2;
    this.faultButton.hidden = !this.data.decisions.some((one) => one.fault);
    this.costButton.hidden = !this.data.costliest;
  }

  // ---- stepping

  listen() {
    const { signal } = this.listening;
    document.addEventListener("keydown", (event) => this.obeyKey(event), { signal });
    const goThere = (event) => this.go(this.frameFromHash(new URL(event.newURL).hash), true); // keepAddress may be due
    addEventListener("hashchange", goThere, { signal });
  }

  obeyKey(event) {
    const tag = event.target instanceof Element ? event.target.tagName : "";
    if (
      (["SELECT", "INPUT"].includes(tag) && event.target !== this.timeline.slider) || event.ctrlKey || event.altKey ||
      event.metaKey || event.defaultPrevented
    ) return;
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const isOnButton = event.target instanceof HTMLButtonElement || tag === "SUMMARY";
    if (this.isLed && [" ", "Enter", "Escape"].includes(event.key)) this.go(this.frames.length - 1, true);
    else if (step && event.shiftKey) this.goToPart(step);
    else if (step && event.target !== this.timeline.slider) this.go(this.frame + step);
    else if (event.key === "Home") this.goToDecision(this.first - 1);
    else if (event.key === "End") this.go(this.frames.length - 1, true);
    else if (event.key === " " && !isOnButton && !this.isPlay) this.toggle();
    else return;
    event.preventDefault();
  }

  /** Do nothing more: another game takes the place. */
  close() {
    this.pause();
    clearTimeout(this.addressTimer);
    this.listening.abort();
    this.board.close();
  }

  toggle() {
    if (this.timer) return this.pause();
    if (this.isAtEnd) this.goToDecision(this.first - 1);
    this.play();
  }

  /** Step on to the last frame. */
  play(stepMs = STEP_MS / this.speed) {
    this.pause();
    this.stepMs = stepMs;
    this.showPlaying(true);
    const [from, began] = [this.frame, performance.now()];
    this.timer = setInterval(() => {
      const due = from + Math.round((performance.now() - began) / stepMs); // a hidden page is woken less often
      this.step(Math.max(due, this.frame + 1), due > this.frame + 1);
      if (this.isAtEnd) this.pause();
    }, stepMs);
  }

  pause() {
    clearInterval(this.timer);
    const wasPlaying = this.timer !== 0 && !this.isLed;
    this.timer = 0;
    this.isLed = false; // whether it plays because something has happened
    this.showPlaying(false);
    if (wasPlaying) this.keepAddress();
  }

  showPlaying(isPlaying) {
    this.playButton.textContent = isPlaying ? "❚❚" : "▶";
    this.playButton.setAttribute("aria-label", isPlaying ? "pause (space)" : "play (space)");
  }

  /** Show the table after a decision. */
  goToDecision(decision) {
    this.go(this.reel.lastFrameOf(decision), true);
  }

  goToPart(way) {
    const { decision } = this.frames[this.frame];
    const found = way > 0
      ? this.parts.find((part) => part.decision > decision)
      : this.parts.filter((part) => part.decision < decision).at(-1);
    this.goToDecision(found ? found.decision : way > 0 ? this.first + this.data.decisions.length : this.first - 1);
  }

  goToFault() {
    const faults = this.data.decisions.flatMap((one, at) => (one.fault ? [this.first + at] : []));
    this.goToDecision(faults.find((number) => number > this.frames[this.frame].decision) ?? faults[0]);
  }

  /** Show a frame as the person has chosen it; without moving cards if it is a `jump`. */
  go(frame, jump = false) {
    this.pause();
    this.step(frame, jump);
    this.keepAddress();
  }

  step(frame, jump) {
    this.frame = Math.max(0, Math.min(this.frames.length - 1, frame));
    this.show(jump ? 0 : this.timer ? this.stepMs * 0.8 : STEP_MS);
    this.root.dispatchEvent(new CustomEvent("frame"));
    this.shownAt = performance.now(); // the time that a slow machine needs to draw is no time to look at it
  }

  /** Let the address lead to what is shown: `#t=40` is the table after decision 40. */
  keepAddress() {
    clearTimeout(this.addressTimer); // a browser lets no page change it often
    if (!this.isPlay && this.data.results.length) {
      this.addressTimer = setTimeout(
        () => history.replaceState(null, "", `#t=${this.frames[this.frame].decision}`),
        ADDRESS_MS,
      );
    }
  }

  frameFromHash(hash = location.hash) {
    const wanted = new URLSearchParams(hash.slice(1)).get("t");
    return this.reel.lastFrameOf(wanted === null ? this.first - 1 : +wanted || 0);
  }

  // ---- what is shown

  /** Draw the frame; cards move for `ms`. */
  show(ms) {
    const table = this.reel.tableAt(this.frame);
    const isOver = this.isAtEnd && this.data.results.length > 0 && !this.data.next;
    this.board.show(table, {
      acting: this.findActing(),
      lasts: this.findLasts(),
      taker: this.reel.takers.get(this.frame),
      results: isOver ? this.data.results : [],
      places: isOver ? this.data.places : [],
    }, ms);
    this.describe();
    this.showSheet();
  }

  /** Show the score sheet of this frame; a player is shown the latest one until it has been read. */
  showSheet() {
    let at = this.frame;
    while (this.isPlay && at >= this.readSheets && !this.frames[at]?.sheet) at--;
    if (this.isPlay && at < this.readSheets) at = -1;
    const { sheet } = this.frames[at] ?? {};
    const wasHidden = this.sheet.hidden;
    this.sheet.hidden = !sheet;
    if (!sheet || this.shownSheet === sheet && !wasHidden) return;
    this.shownSheet = sheet;
    const read = this.isPlay
      ? makeButton("Continue", () => {
        this.readSheets = this.frame + 1;
        this.sheet.hidden = true;
        this.catchUp();
        this.root.dispatchEvent(new CustomEvent("frame"));
      }, { class: "read" })
      : null;
    this.sheet.replaceChildren(
      make("h2", {}, sheet.title),
      ...sheet.lines.map((line) => make("p", {}, line)),
      this.makeSheetTable(sheet),
      ...(read ? [read] : []),
    );
    read?.focus();
  }

  makeSheetTable({ columns, rows }) {
    const head = make("tr", {}, make("th", {}), ...columns.map((column) => make("th", { scope: "col" }, column)));
    const lines = rows.map((row, seat) =>
      make(
        "tr",
        {},
        make("th", { scope: "row" }, make("bdi", { dir: "auto" }, this.data.players[seat])),
        ...row.map((value) => make("td", {}, value)),
      )
    );
    return make("table", {}, make("thead", {}, head), make("tbody", {}, ...lines));
  }

  decisionAt(number) {
    return this.data.decisions[number - this.first];
  }

  /** Return the seats to be marked: who decides next or, as long as its cards move, who has decided. */
  findActing() {
    if (this.reel.takers.has(this.frame)) return []; // one thing glows at a time: who takes the trick
    if (this.isAtEnd && this.asked.length) return this.asked;
    const { decision } = this.frames[this.frame];
    const isDone = this.isAtEnd || this.frames[this.frame + 1].decision > decision;
    return [this.decisionAt(isDone ? decision + 1 : decision)?.seat].filter((seat) => seat !== undefined);
  }

  /** Return the last move of each seat in this part of the game, if it is not long ago. */
  findLasts() {
    const { decision } = this.frames[this.frame];
    // the next part may lie there already
    const isDone = this.isAtEnd || this.frames[this.frame + 1].decision > decision;
    const began = this.parts.filter((part) => part.decision < decision + Number(isDone)).at(-1)?.decision ?? 0;
    const lasts = [];
    for (let number = decision; number > Math.max(began, decision - 4 * this.sequence.seats); number--) {
      const one = this.decisionAt(number);
      if (one?.text !== undefined && one.seat !== undefined) lasts[one.hand ?? one.seat] ??= one.text;
    }
    return lasts;
  }

  /** Return whose card was played, if it was another seat's: a dummy's. */
  tellHand({ hand }) {
    return hand === undefined ? "" : ` of ${this.data.players[hand]}`;
  }

  /** Say what has happened, and who did it. */
  describe() {
    const frame = this.frames[this.frame];
    const decision = this.decisionAt(frame.decision);
    const who = decision?.seat === undefined ? "" : this.data.players[decision.seat];
    const isDeal = frame.decision === this.first - 1 && this.first === 1;
    const act = isDeal
      ? "The deal"
      : `${frame.decision}. ${who}${decision?.text ? `: ${decision.text}${this.tellHand(decision)}` : ""}`;
    const parts = [
      make("b", {}, make("bdi", {}, act)),
      decision?.us === undefined ? null : make("span", { class: "time" }, formatTime(decision.us)),
      frame.says && !isDeal ? make("span", { class: "says" }, frame.says) : null,
      decision?.note ? make("q", { class: "note" }, decision.note) : null,
      decision?.fault ? make("em", {}, `⚑ ${decision.fault}`) : null,
    ];
    this.said.replaceChildren(...parts.flatMap((part) => (part ? [part, " "] : [])));
    this.timeline.point(frame.decision - this.first + 1, act);
    this.moves.point(frame.decision, decision);
    this.position.textContent = `${this.frame + 1} / ${this.frames.length}`;
    document.documentElement.dataset.frame = String(this.frame);
  }
}
