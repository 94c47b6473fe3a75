// The page of a person at a table, or of a spectator: the viewer of the game, and what there is to decide.

import { make } from "./elements.js";
import { Replay } from "./viewer.js";

const AGAIN_MS = 1000; // before another attempt to reach the server
const FILTERED_FROM = 12; // actions; a longer list can be filtered

function makeButton(text, act, attributes = {}) {
  const made = make("button", { type: "button", ...attributes }, text);
  made.addEventListener("click", act);
  return made;
}

class PlayPage {
  constructor(root) {
    this.root = root;
    this.replay = null;
    this.status = null;
    this.picked = []; // tokens of cards
    this.place = null; // the slot or zone that was clicked
    this.choice = null; // index of the action that waits to be confirmed
    this.number = null; // of a range of actions, as it was typed
    this.filter = "";
    this.panel = make("section", { class: "panel", "aria-label": "your decision" });
    this.connection = make("p", { class: "connection", role: "status" }, "Connecting …");
    root.replaceChildren(this.connection);
    root.addEventListener("pick", (event) => this.pick(event.detail));
    this.wasOpen = false; // whether there was something to choose when the panel was drawn
    root.addEventListener("frame", () => (this.isOpen === this.wasOpen ? this.markCards() : this.show(this.isOpen)));
    document.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.undo();
    });
    setInterval(() => this.showClocks(), 250);
    this.connect();
  }

  // ---- the server

  connect() {
    this.socket = new WebSocket(`${location.href.replace(/^http/, "ws").replace(/[#?].*/, "")}/socket`);
    this.socket.addEventListener("message", (event) => this.receive(JSON.parse(event.data)));
    this.socket.addEventListener("close", () => {
      if (this.status?.closing) return;
      this.connection.textContent = "The server does not answer; trying again …";
      setTimeout(() => this.connect(), AGAIN_MS);
    });
  }

  send(message) {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  receive(message) {
    if (message.type === "game") this.begin(message);
    else if (message.type === "part") this.extend(message);
    else this.update(message);
  }

  begin(message) {
    if (this.replay !== null) return location.reload(); // another game, or what was missed of this one
    this.connection.textContent = "";
    this.game = message;
    this.replay = new Replay(this.root, message.data);
    this.root.querySelector("header").after(this.connection);
    this.dock = make("div", { class: "dock" });
    this.root.querySelector(".controls").before(this.dock);
    this.dock.append(this.panel, this.root.querySelector(".controls"));
    this.replay.go(this.replay.frames.length - 1, true);
  }

  extend(part) {
    this.replay.extend(part);
    if (this.isOpen !== this.wasOpen) this.show(this.isOpen);
  }

  update(status) {
    const before = this.status?.question;
    this.status = status;
    this.receivedAt = performance.now();
    if (status.question?.number !== before?.number) this.forget();
    this.replay.showAsked(status.asked);
    if (status.results.length && !this.replay.data.results.length) this.replay.finish(status);
    this.show(status.question && status.question.number !== before?.number);
  }

  // ---- choosing

  /** The actions of the question; none as long as the table shows the past: one chooses on the table as it is. */
  get actions() {
    return this.isOpen ? this.status.question.actions : [];
  }

  /** Whether there is something to choose, on the table as it is. */
  get isOpen() {
    return Boolean(this.status?.question) && this.replay.isAtEnd;
  }

  /** Return the indexes of the actions that fit what was clicked and typed. */
  fitting() {
    const words = this.filter.toLowerCase().split(/\s+/).filter(Boolean);
    const faces = this.picked.map((token) => this.faceOf(token));
    return [...this.actions.keys()]
      .filter((index) => {
        const action = this.actions[index];
        const text = action.text.toLowerCase();
        return words.every((word) => text.includes(word)) && holds(action.cards ?? [], faces) && this.fitsPlace(action);
      });
  }

  fitsPlace(action) {
    if (this.place === null) return true;
    if (this.place.slot !== undefined) return action.slot === this.place.slot;
    return (action.zones ?? []).includes(this.place.zone);
  }

  /** A card, slot or zone was clicked: it is chosen, or not any more. */
  pick({ zone, token, face, label }) {
    if (!this.actions.length) return;
    const { name } = this.replay.sequence.zones[zone] ?? {};
    const before = [this.picked, this.place];
    if (token !== undefined && face !== null && this.actions.some((action) => (action.cards ?? []).includes(String(face))))
      this.picked = this.picked.includes(token) ? this.picked.filter((one) => one !== token) : [...this.picked, token];
    else if (label !== undefined && this.actions.some((action) => action.slot === +label))
      this.place = this.place?.slot === +label ? null : { slot: +label };
    else if (this.actions.some((action) => (action.zones ?? []).includes(name)))
      this.place = this.place?.zone === name ? null : { zone: name };
    else return;
    if (!this.fitting().length) [this.picked, this.place] = token === undefined ? before : [[token], null];
    const found = this.fitting();
    const exact = found.filter((index) => (this.actions[index].cards ?? []).length === this.picked.length);
    this.choice = found.length === 1 ? found[0] : this.picked.length && exact.length === 1 ? exact[0] : null;
    if (!this.picked.length && this.place === null) this.choice = null;
    this.show();
  }

  faceOf(token) {
    return String(this.replay.reel.last.faces.get(token));
  }

  choose(index, number = null) {
    this.choice = index;
    this.number = number;
    this.show();
    this.panel.querySelector(".confirm")?.focus();
  }

  undo() {
    if (!this.actions.length) return;
    this.forget();
    this.show(true);
  }

  /** Nothing is chosen any more. */
  forget() {
    this.picked = [];
    this.place = null;
    this.filter = "";
    this.number = null;
    this.choice = this.status?.question?.actions.length === 1 ? 0 : null;
  }

  confirm() {
    if (!this.isOpen) return;
    const { number } = this.status.question;
    const action = this.choice;
    const message = { type: "choose", question: number, action };
    if (this.actions[action].bounds) message.number = this.readNumber(this.actions[action].bounds);
    if (message.number === null) return;
    this.status.question = null;
    this.forget();
    this.show();
    this.send(message);
  }

  /** Return the number that was typed for the chosen range; null, and a word about it, if it is not in the range. */
  readNumber([least, most]) {
    const input = this.panel.querySelector('[data-key="number"]');
    const number = input.valueAsNumber;
    if (Number.isInteger(number) && number >= least && number <= most) return number;
    input.reportValidity();
    return null;
  }

  // ---- what is shown

  /** Draw the panel; a new question takes the keyboard if nothing else has it. */
  show(isNew = false) {
    const { status } = this;
    const held = this.panel.contains(document.activeElement) || document.activeElement === document.body;
    const focus = document.activeElement instanceof HTMLElement ? document.activeElement.dataset.key : undefined;
    const { isOpen } = this;
    this.wasOpen = isOpen;
    this.panel.replaceChildren(
      ...[
        this.makeHeading(),
        this.makePeople(),
        ...status.notices.map((text) => make("p", { class: "notice" }, text)),
        status.question && !isOpen ? this.makeWait() : null,
        isOpen ? this.makeConfirmation() : null,
        isOpen ? this.makeAdvice() : null,
        isOpen ? this.makeList() : null,
        this.makeOffers(),
      ].filter((part) => part !== null),
    );
    this.markCards();
    if (isNew && isOpen) this.showOwnSeat();
    if (isNew && held) (this.panel.querySelector(".confirm") ?? this.panel.querySelector(".action"))?.focus();
    else if (focus) this.panel.querySelector(`[data-key="${CSS.escape(focus)}"]`)?.focus();
  }

  makeHeading() {
    const { status } = this;
    const others = status.asked.filter((seat) => seat !== this.game.seat).map((seat) => this.nameOf(seat));
    let text = "";
    if (status.closing) text = status.closing;
    else if (status.results.length) text = "The game is over.";
    else if (status.question) text = `Your turn: ${status.question.phase}`;
    else if (others.length) text = `Waiting for ${others.join(", ")}`;
    else text = "The others play";
    document.title = status.question ? `● ${text}` : this.game.data.title;
    if (this.heading?.textContent !== text || this.heading.className !== (this.isOpen ? "turn" : "")) this.heading = make("h2", { class: this.isOpen ? "turn" : "", role: "status" }, text);
    return this.heading;
  }

  makePeople() {
    const { status } = this;
    const shown = status.people.filter((person) => !person.is_here || person.left_ms !== undefined || status.people.length > 1);
    if (!shown.length) return null;
    const items = shown.map((person) => {
      const state = person.is_here ? "" : " (away)";
      const clock = person.left_ms === undefined ? null : make("time", { "data-seat": person.seat }, formatClock(this.leftMs(person)));
      return make("li", { class: status.asked.includes(person.seat) ? "asked" : "" }, this.nameOf(person.seat) + state, clock);
    });
    return make("ul", { class: "people", "aria-label": "people at the table" }, ...items);
  }

  /** Return what stands in place of the actions while the table still shows what was played before. */
  makeWait() {
    const now = makeButton("to the table as it is (End)", () => this.replay.go(this.replay.frames.length - 1, true), { "data-key": "now" });
    return make("p", { class: "buttons hint" }, "The table shows what was played before.", now);
  }

  /** Scroll so that one's own cards are seen above the panel. */
  showOwnSeat() {
    const seat = this.replay.seats[this.game.seat];
    if (!seat) return;
    seat.style.scrollMarginBottom = `${this.dock.offsetHeight + 8}px`;
    seat.scrollIntoView({ block: "nearest" });
  }

  makeConfirmation() {
    const chosen = this.actions[this.choice];
    const isFramed = this.actions.some((action) => action.cards || action.zones || action.slot !== undefined);
    if (!chosen) return make("p", { class: "hint" }, isFramed ? "Click what is framed, or choose from the list." : "Choose from the list.");
    const undo = this.actions.length > 1 ? makeButton("undo (Esc)", () => this.undo(), { "data-key": "undo" }) : null;
    const play = makeButton(`play: ${chosen.text}`, () => this.confirm(), { class: "confirm", "data-key": "confirm" });
    return make("p", { class: "buttons" }, play, ...this.makeNumber(chosen), undo);
  }

  /** Return what the number of a range is chosen with: a field, and a slider; nothing for other actions. */
  makeNumber({ bounds, text }) {
    if (!bounds) return [];
    const [min, max] = bounds;
    const range = { min, max, step: 1, value: this.number ?? min, required: true };
    const input = make("input", { type: "number", "aria-label": text, "data-key": "number", ...range });
    const slider = make("input", { type: "range", "aria-label": text, "data-key": "slider", ...range });
    const follow = (from, to) => from.addEventListener("input", () => (this.number = to.value = from.value));
    follow(input, slider);
    follow(slider, input);
    input.addEventListener("keydown", (event) => {
      if (event.key === "Enter") this.confirm();
    });
    return [input, slider];
  }

  makeAdvice() {
    const { question } = this.status;
    if (!this.game.adviser) return null;
    const ask = makeButton(`ask ${this.game.adviser}`, () => this.send({ type: "advise", question: question.number }), { "data-key": "advise", disabled: question.is_advising === true });
    const take = question.advised === undefined ? null : makeButton("choose that", () => this.choose(question.advised, question.advised_number), { "data-key": "take" });
    return make("p", { class: "buttons advice" }, ask, make("span", { role: "status" }, question.is_advising ? "thinking …" : (question.advice ?? "")), take);
  }

  makeList() {
    const fitting = this.fitting();
    const items = fitting.map((index) =>
      make("li", {}, makeButton(this.actions[index].text, () => this.choose(index), { class: "action", "aria-pressed": String(index === this.choice), "data-key": `action ${index}` })));
    const list = make("ul", { class: "actions", "aria-label": `${fitting.length} of ${this.actions.length} actions` }, ...items);
    if (this.actions.length < FILTERED_FROM) return list;
    const input = make("input", { type: "search", placeholder: `filter ${this.actions.length} actions`, "aria-label": "filter the actions", "data-key": "filter" });
    input.value = this.filter;
    input.addEventListener("input", () => {
      this.filter = input.value;
      const [at] = [input.selectionStart];
      this.show();
      this.panel.querySelector("input").setSelectionRange(at, at);
    });
    return make("div", {}, input, list);
  }

  makeOffers() {
    const { offers } = this.status;
    if (!offers.length) return null;
    const buttons = offers.map((offer) => makeButton(offer, () => this.send({ type: "next", offer }), { "data-key": offer }));
    return make("p", { class: "buttons" }, make("span", {}, "Another game?"), ...buttons);
  }

  /** Mark the cards and slots that an action names, and those that were clicked. */
  markCards() {
    if (!this.replay || !this.status) return;
    const isOpen = this.actions.length > 0;
    const fitting = isOpen ? this.fitting().map((index) => this.actions[index]) : [];
    const faces = new Set(fitting.flatMap((action) => action.cards ?? []));
    const slots = new Set(fitting.map((action) => action.slot));
    const own = this.game.seat;
    this.replay.sequence.zones.forEach((zone, number) => {
      const place = this.replay.places[number].node;
      place.classList.toggle("playable-zone", isOpen && fitting.some((action) => (action.zones ?? []).includes(zone.name)));
      for (const item of place.querySelectorAll("li")) {
        const token = this.replay.tokenOf(item);
        const isFace = token !== undefined && faces.has(this.faceOf(token)) && (zone.owner === own || zone.owner === undefined);
        const isSlot = zone.owner === own && item.dataset.label !== undefined && slots.has(+item.dataset.label);
        item.classList.toggle("playable", isOpen && (isFace || isSlot));
        item.classList.toggle("picked", isOpen && (this.picked.includes(token) || (isSlot && this.place?.slot === +item.dataset.label)));
        if (token !== undefined) item.title = this.game.about[this.faceOf(token)] ?? "";
      }
    });
  }

  // ---- clocks

  leftMs(person) {
    const runs = this.status.asked.includes(person.seat);
    return Math.max(0, person.left_ms - (runs ? performance.now() - this.receivedAt : 0));
  }

  showClocks() {
    for (const person of this.status?.people ?? []) {
      const shown = this.panel.querySelector(`time[data-seat="${person.seat}"]`);
      if (shown) shown.textContent = formatClock(this.leftMs(person));
    }
  }

  nameOf(seat) {
    return seat === this.game.seat ? "you" : this.game.data.players[seat];
  }
}

/** Tell whether a list has all of some faces, each as often. */
function holds(list, faces) {
  const left = [...list];
  return faces.every((face) => {
    const at = left.indexOf(face);
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
}

function formatClock(ms) {
  const seconds = Math.ceil(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

new PlayPage(document.getElementById("replay"));
