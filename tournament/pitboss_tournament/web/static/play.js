// The page of a person at a table, or of a spectator: the table, and what there is to decide.

import { AfterGame } from "./after_game.js";
import { markCards } from "./card_faces.js";
import { Choices, nameSizes } from "./choices.js";
import { formatCount } from "./counts.js";
import { make, makeButton } from "./elements.js";
import { GameHelp } from "./game_help.js";
import { Pace } from "./pace.js";
import { shortName } from "./names.js";
import { OpenForms } from "./open_forms.js";
import { Replay } from "./replay.js";
import { Sounds } from "./sounds.js";
import { Story } from "./story.js";
import { findKind } from "./zone_kinds.js";

const OFFERS = new Map([["new cards", "Rematch"], ["the same cards, one seat on", "The same cards in the next seat"]]);
const AGAIN_MS = 1000; // before another attempt to reach the server
const HURRIED_MS = 1200; // to show what the others have done while one's own clock runs
const FILTERED_FROM = 12; // actions; a longer list can be filtered

class PlayPage {
  constructor(root) {
    this.root = root;
    this.replay = null;
    this.status = null;
    this.choices = new Choices([], new Set());
    this.forms = new OpenForms((action) =>
      this.send({ type: "fill_in", question: this.status.question.number, action })
    );
    this.number = null; // of a range of actions, as it was set
    this.filter = "";
    this.isListed = false; // whether the list of all actions is open
    this.readNotices = 0; // faults that the person has read
    this.pace = new Pace();
    this.sounds = new Sounds();
    this.panel = make("section", { class: "panel", "aria-label": "your decision" });
    this.connection = make("p", { class: "connection", role: "status" }, "Connecting …");
    root.replaceChildren(this.connection);
    root.addEventListener("pick", (event) => this.pick(event.detail));
    root.addEventListener("bid", (event) => this.choose(event.detail));
    root.addEventListener("tight", () => this.status && !this.isDrawing && this.show());
    this.isDrawing = false;
    this.wasOpen = false; // whether there was something to choose when the panel was drawn
    root.addEventListener("frame", () => this.follow());
    document.addEventListener("keydown", (event) => this.obeyKey(event), true);
    setInterval(() => this.showClocks(), 250);
    addEventListener("pagehide", () => this.socket.close()); // a browser may keep the page for a way back
    this.connect();
  }

  // ---- the server

  connect() {
    this.socket = new WebSocket(`${location.href.replace(/^http/, "ws").replace(/[#?].*/, "")}/socket`);
    this.socket.addEventListener("message", (event) => this.receive(JSON.parse(event.data)));
    this.socket.addEventListener("close", ({ reason }) => {
      if (this.status?.closing) return;
      this.connection.textContent = reason || "The server does not answer; trying again …";
      if (!reason) setTimeout(() => this.connect(), AGAIN_MS); // with one the server does not want this page
    });
  }

  send(message) {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  receive(message) {
    if (message.type === "game") this.begin(message);
    else if (message.type === "part") this.extend(message);
    else if (message.type === "after") this.close(message);
    else this.update(message);
  }

  begin(message) {
    if (this.replay !== null) return location.reload(); // another game, or what was missed of this one
    this.connection.textContent = "";
    this.game = message;
    this.replay = new Replay(this.root, message.data, this.pace);
    this.story = new Story(this.replay, message.seat);
    this.after = new AfterGame();
    this.root.querySelector(".stage").append(this.after.node);
    const controls = this.root.querySelector(".controls");
    controls.hidden = true;
    const look = makeButton("Look back", () => {
      controls.hidden = !controls.hidden;
      look.setAttribute("aria-expanded", String(!controls.hidden));
    }, { class: "look", "aria-expanded": "false" });
    const moves = makeButton("Moves", () => this.replay.toggleSide(this.replay.moves.node.hidden), { class: "look" });
    const settings = [this.pace.makeSelect(), this.sounds.makeButton()];
    const { home: way } = this.root.dataset;
    const home = way ? make("a", { href: way, class: "look page" }, "Lobby") : null;
    const help = new GameHelp(message, this.replay.sequence.looks);
    this.root.querySelector(".stage").append(help.node);
    this.root.querySelector("header").append(
      ...[this.connection, ...settings, help.button, moves, look, home].filter((part) => part),
    );
    controls.before(this.panel);
    this.replay.go(this.replay.frames.length - 1, true);
  }

  extend(part) {
    this.replay.extend(part);
    this.follow();
  }

  /** Turn up all hands after the game, and show what else there is to see. */
  close(message) {
    if (this.after.take(message)) {
      if (Object.keys(message.hands.faces ?? {}).length) this.replay.extend({ frames: [message.hands], decisions: [] });
      this.replay.toggleSide(false);
      this.after.openIfWide();
    }
    this.after.draw(this.status, this.game.data.players);
    this.show();
  }

  /** Follow the table: what is said of it, what it sounds like, and whether there is something to choose. */
  follow() {
    if (!this.replay || !this.status) return;
    if (this.story.isNewFrame() && this.replay.isLed) this.sounds.play("card");
    if (this.isOpen !== this.wasOpen || this.replay.isLed !== this.wasLed) this.show(this.isOpen);
    else {
      this.showLine();
      this.mark();
    }
  }

  update(status) {
    const before = this.status?.question;
    this.status = status;
    this.receivedAt = performance.now();
    this.pace.limitTo(this.hasClock() ? HURRIED_MS : undefined);
    const isNew = status.question?.number !== before?.number;
    if (isNew) this.put(status.question?.actions ?? []);
    this.replay.showAsked(status.asked);
    if (status.results.length && !this.replay.data.results.length) this.replay.finish(status);
    this.show(status.question && isNew);
  }

  // ---- choosing

  /** Begin with the choices of a question. */
  put(actions) {
    const { sequence, reel } = this.replay;
    const drawn = sequence.zones.filter((zone, number) => zone.place !== "hidden" && reel.most[number]).map((zone) =>
      zone.name
    );
    this.choices = new Choices(actions, new Set(drawn));
    this.holder = this.findHolder(actions);
    this.forget();
  }

  /** Whether one's own time runs. */
  hasClock() {
    const { question, people } = this.status;
    return Boolean(question) && people.some(({ seat, left_ms: left }) => seat === this.game.seat && left !== undefined);
  }

  /** Return the seat whose hand cards are picked from: one's own, or a dummy's if all that may be played lies there. */
  findHolder(actions) {
    const { sequence, reel } = this.replay;
    const faces = [...new Set(actions.flatMap(({ cards = [] }) => cards))];
    const facesOf = (seat) => {
      const isHand = (_, number) =>
        sequence.zones[number].owner === seat && findKind(sequence.zones[number]).hidesPlaces;
      return new Set(reel.last.zones.filter(isHand).flat().map((token) => this.faceOf(token)));
    };
    const own = facesOf(this.game.seat);
    if (!faces.length || faces.some((face) => own.has(face))) return this.game.seat;
    const found = this.game.data.players.findIndex((_, seat) => faces.every((face) => facesOf(seat).has(face)));
    return found < 0 ? this.game.seat : found;
  }

  /** Whether there is something to choose, on the table as it is. */
  get isOpen() {
    return Boolean(this.status?.question) && this.replay.isAtEnd;
  }

  /**
   * Pick a card, slot, zone or seat that was clicked, or give it back. A second click plays what is meant by the picks.
   */
  pick({ zone, token, face, label, seat }) {
    if (this.replay.isLed) return this.skip();
    if (!this.isOpen) return;
    const { choices } = this;
    const at = this.replay.sequence.zones[zone];
    const who = seat ?? at?.owner; // the cards of a seat are clicked for the seat
    const isAgain = choices.find() !== undefined && choices.named === undefined &&
      this.isPicked(at, token, label, who);
    if (isAgain) return this.confirm();
    if (label !== undefined && at.owner === this.game.seat && choices.takesPlace("slot", +label)) {
      choices.pickPlace("slot", +label);
    } else if (token !== undefined && face !== null && this.isHand(at) && choices.takesCard(token, String(face))) {
      choices.pickCard(token, String(face));
    } else if (at && choices.takesPlace("zone", at.name)) choices.pickPlace("zone", at.name);
    else if (who !== undefined && choices.takesPlace("seat", who)) choices.pickPlace("seat", who);
    else return;
    this.show();
    if (!choices.isEmpty && choices.find() === undefined) this.focusNext();
  }

  /** Give the keyboard what may be picked next: what the picks may mean, else something on the table. */
  focusNext() {
    const next = this.panel.querySelector(".action") ?? this.root.querySelector('.table .touch[aria-pressed="false"]');
    if (next instanceof HTMLElement) next.focus();
  }

  /** Whether cards of a zone are picked one by one. */
  isHand(at) {
    return at.owner === this.holder && !findKind(at).isStacked;
  }

  isPicked(at, token, label, seat) {
    const { choices } = this;
    return (label !== undefined && choices.slot === +label) || (token !== undefined && choices.hasCard(token)) ||
      (at && choices.zone === at.name) || (seat !== undefined && choices.seat === seat);
  }

  /** Choose an action by its name. */
  choose(index, number = null) {
    this.choices.clear();
    this.choices.named = index;
    this.number = number;
    this.show();
    this.panel.querySelector(".confirm")?.focus();
  }

  undo() {
    if (!this.isOpen || this.choices.isEmpty) return;
    this.forget();
    this.show(true);
  }

  /** Nothing is chosen any more. */
  forget() {
    this.choices.clear();
    this.filter = "";
    this.number = null;
    this.isListed = false;
  }

  confirm() {
    const index = this.choices.find();
    if (!this.isOpen || index === undefined) return;
    const message = { type: "choose", question: this.status.question.number, action: index };
    const { bounds } = this.choices.actions[index];
    if (bounds) message.number = this.readNumber(bounds);
    if (message.number === null) return;
    this.status.question = null;
    this.put([]);
    this.show();
    this.send(message);
  }

  /** Return the number that was set for the chosen range; null, and a word about it, if it is not in the range. */
  readNumber([least, most]) {
    const input = this.panel.querySelector('[data-key="number"]');
    const number = input.valueAsNumber;
    if (Number.isInteger(number) && number >= least && number <= most) return number;
    input.reportValidity();
    return null;
  }

  /** Escape takes back what is picked; the arrows lead from card to card. */
  obeyKey(event) {
    if (event.key === "Escape" && !this.replay?.isLed) this.undo();
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const all = [...this.root.querySelectorAll(".table .touch")];
    const at = all.indexOf(document.activeElement);
    if (!step || !all.length || (at < 0 && document.activeElement !== this.heading)) return;
    all[at < 0 ? (step > 0 ? 0 : all.length - 1) : (at + step + all.length) % all.length].focus();
    event.preventDefault();
  }

  // ---- what is shown

  /** Draw the panel; a new question takes the keyboard if nothing else has it. */
  show(isNew = false) {
    const { board } = this.replay;
    const { instruments } = board;
    if (instruments.offer(this.isOpen ? this.choices.actions : [], this.choices.find())) board.redraw();
    instruments.isTight = false;
    this.isDrawing = true;
    this.draw(isNew);
    board.redraw(); // it tells whether the grid has room
    if (instruments.isTight) this.draw(isNew); // there is no room for the grid: its bids stand as buttons
    this.isDrawing = false;
  }

  draw(isNew) {
    const { status, isOpen } = this;
    const active = document.activeElement;
    const held = this.panel.contains(active) || active === document.body;
    const focus = active instanceof HTMLElement && this.panel.contains(active) ? active.dataset.key : undefined;
    if (isOpen && !this.wasOpen && status.question.number !== this.soundedFor) {
      this.soundedFor = status.question.number;
      this.sounds.play("turn");
    }
    this.wasOpen = isOpen;
    this.wasLed = this.replay.isLed;
    if (status.results.length && !this.wasLed && !this.hasEnded) {
      this.hasEnded = true;
      this.sounds.play("end");
    }
    const isWaiting = status.question || this.replay.isLed;
    const main = isOpen ? this.makeChoice() : isWaiting ? this.makeWait() : this.makeOffers();
    this.line = make("div", { class: "line" });
    this.panel.replaceChildren(
      make("div", { class: "heading" }, this.makeHeading(), this.makePeople()),
      main,
      this.makeTools(),
      this.line,
      ...(isOpen && this.isListed ? [this.makeList()] : []),
    );
    this.showLine();
    this.mark();
    if (isNew && held) {
      (this.panel.querySelector(".confirm") ?? this.heading).focus(); // two presses of Enter play nothing by accident
    } else if (focus) this.panel.querySelector(`[data-key="${CSS.escape(focus)}"]`)?.focus();
  }

  /** Show the line under the heading: a fault, advice, how the game ended, or what the others do or have done. */
  showLine() {
    this.line.replaceChildren(
      ...[this.makeNotice() ?? this.makeAdvice() ?? this.makeResult() ?? this.makeStory()].filter((part) => part),
    );
  }

  /** Return what the others do now or, at one's turn, have done since the last one. */
  makeStory() {
    const { replay, story } = this;
    if (replay.isLed) return make("p", { class: "story" }, story.tellFrame());
    const text = story.tellSince();
    if (!text) return null;
    const again = makeButton("Again", () => {
      replay.retell(story.begin);
      this.follow();
    }, {
      class: "quiet",
      "data-key": "again",
      "aria-label": "show once more what has happened since your last turn",
    });
    const name = this.game.seat === null ? "So far: " : "Since your last turn: ";
    return make("div", { class: "story" }, make("p", { title: text }, make("b", {}, name), text), again);
  }

  /** Return the buttons that are always there, each in its place. */
  makeTools() {
    const { status, isOpen, choices, game } = this;
    const count = isOpen ? choices.actions.length : 0;
    const named = count > 1 ? `All ${count} actions` : "All actions";
    const list = makeButton(this.isListed ? "Close the list" : named, () => this.toggleList(), {
      "data-key": "list",
      class: "quiet",
      disabled: count < 2,
      "aria-expanded": String(this.isListed),
    });
    const advise = makeButton(`Ask ${shortName(game.adviser)}`, () => this.ask(), {
      "data-key": "advise",
      class: "quiet",
      title: game.adviser,
      disabled: !isOpen || status.question.is_advising === true,
    });
    const back = makeButton("Take back", () => this.send({ type: "take_back" }), {
      "data-key": "take back",
      class: "quiet",
      title: "take back my last move",
      disabled: !status.can_take_back,
    });
    const tools = [list, ...(game.adviser ? [advise] : []), back];
    return make("div", { class: "tools", hidden: game.seat === null }, ...tools);
  }

  ask() {
    this.send({ type: "advise", question: this.status.question.number });
  }

  /** Show the table as it is now. */
  skip() {
    this.replay.go(this.replay.frames.length - 1, true);
  }

  makeHeading() {
    const { status } = this;
    const others = status.asked.filter((seat) => seat !== this.game.seat).map((seat) => this.nameOf(seat));
    let text = "";
    if (status.closing) text = status.closing;
    else if (status.results.length && !this.replay.isLed) text = `The game is over: ${this.nameWinners()}`;
    else if (status.question) text = `Your turn: ${status.question.phase}`;
    else if (others.length) text = `Waiting for ${others.join(", ")}`;
    else text = "The others play";
    document.title = status.question ? `● ${text}` : this.game.data.title;
    if (this.heading?.textContent !== text || this.heading.className !== (this.isOpen ? "turn" : "")) {
      const attributes = { class: this.isOpen ? "turn" : "", role: "status", tabindex: "-1", title: text };
      this.heading = make("h2", attributes, text);
    }
    return this.heading;
  }

  nameWinners() {
    const winners = this.status.places.flatMap((place, seat) => (place === 1 ? [this.nameOf(seat)] : []));
    return `${winners.join(" and ")} won.`;
  }

  /** Return the result of the finished game, by place. */
  makeResult() {
    const { places, results } = this.status;
    if (!results.length || this.replay.isLed) return null;
    const order = results.map((_, seat) => seat).sort((one, other) => places[one] - places[other]);
    return make(
      "ol",
      { class: "final" },
      ...order.map((seat) => make("li", {}, make("bdi", {}, this.nameOf(seat)), ` ${results[seat]}`)),
    );
  }

  /** Return the latest fault, and how many there were, until the person has read it. */
  makeNotice() {
    const { notices } = this.status;
    if (notices.length <= this.readNotices) return null;
    const text = notices.at(-1);
    const count = notices.filter((one) => one === text).length;
    const dismiss = makeButton("×", () => {
      this.readNotices = notices.length;
      this.show();
    }, { "aria-label": "I have read it", class: "quiet", "data-key": "read" });
    return make("p", { class: "notice" }, count > 1 ? `${text} (${count} times)` : text, " ", dismiss);
  }

  makePeople() {
    const { status } = this;
    const shown = status.people.filter((person) =>
      !person.is_here || person.left_ms !== undefined || status.people.length > 1
    );
    if (!shown.length) return null;
    const items = shown.map((person) => {
      const state = person.is_here ? "" : " (away)";
      const clock = person.left_ms === undefined
        ? null
        : make("time", { "data-seat": person.seat }, formatClock(this.leftMs(person)));
      return make(
        "li",
        { class: status.asked.includes(person.seat) ? "asked" : "" },
        this.nameOf(person.seat) + state,
        clock,
      );
    });
    return make("ul", { class: "people", "aria-label": "people at the table" }, ...items);
  }

  /** Return what stands in place of the actions while the table still shows what was played before. */
  makeWait() {
    const { isLed, sheet } = this.replay;
    const now = makeButton(isLed ? "Skip" : "To the table as it is (End)", () => this.skip(), {
      "data-key": "now",
      class: "skip",
      title: isLed ? "show the table as it is now (space, Enter or Escape)" : undefined,
    });
    const past = sheet.hidden ? "The table shows what was played before." : "A part is over.";
    const text = isLed ? "The others play …" : past;
    return make("div", { class: "choice" }, make("p", { class: "hint" }, text), make("div", { class: "buttons" }, now));
  }

  makeChoice() {
    const chosen = this.choices.actions[this.choices.find()];
    const [hint, ...parts] = chosen ? ["", ...this.makeConfirmation(chosen)] : this.makeActions();
    const { refused = "" } = this.status.question; // why what was filled in cannot be played
    const line = refused
      ? make("p", { class: "hint refused", role: "alert", title: refused }, refused)
      : make("p", { class: "hint", title: hint }, hint);
    return make(
      "div",
      { class: "choice" },
      line,
      make("div", { class: "buttons" }, ...parts, ...this.forms.make(this.status.question)),
    );
  }

  makeConfirmation(chosen) {
    const undo = this.choices.actions.length > 1
      ? makeButton("Undo (Esc)", () => this.undo(), { "data-key": "undo" })
      : null;
    const play = makeButton(this.wordAction(chosen), () => this.confirm(), { class: "confirm", "data-key": "confirm" });
    return [play, undo, ...this.makeNumber(chosen, play)].filter((part) => part !== null);
  }

  /** Return an action in words, a range with the number that is set. */
  wordAction({ text, bounds }) {
    return bounds ? text.replace(/[\d,]+(–[\d,]+)?$/, formatCount(+(this.number ?? bounds[0]))) : text;
  }

  /** Return actions as buttons: those that no click on the table says and, if something is picked, what it may mean. */
  makeActions() {
    const { choices } = this;
    const all = choices.actions;
    const { hasGrid } = this.replay.board.instruments; // its bids are clicked there
    const isInGrid = (action) => hasGrid && Boolean(action.cell);
    const shown = choices.listButtons().filter((index) => !isInGrid(all[index]));
    const isOnTable = all.some((action) => !choices.isPlain(action));
    const hint = all.some(isInGrid) ? "Click it in the middle." : isOnTable ? this.wordHint() : "Choose.";
    const undo = choices.isEmpty ? null : makeButton("Undo (Esc)", () => this.undo(), { "data-key": "undo" });
    const buttons = shown.map((index) => this.makeAction(index));
    return [hint, ...buttons, undo].filter((part) => part !== null);
  }

  /** Say what is to be clicked next: cards, if all that is meant takes as many of them, or what is framed. */
  wordHint() {
    const { choices } = this;
    const meant = choices.list().map((index) => choices.actions[index]).filter((action) => !choices.isPlain(action));
    const counts = new Set(meant.map(({ cards = [] }) => cards.length - choices.cards.length));
    const [count] = counts;
    if (counts.size === 1 && count > 0) {
      const noun = count === 1 ? "card" : "cards";
      return choices.isEmpty ? `Choose ${count === 1 ? "a" : count} ${noun}.` : `${count} more ${noun}.`;
    }
    if (!choices.isEmpty) return "What is it to be?";
    return counts.has(0) ? "Click what is framed on the table." : "Choose cards.";
  }

  makeAction(index) {
    const { text, bounds } = this.choices.actions[index];
    const button = makeButton(text, () => this.choose(index), { class: "action", "data-key": `action ${index}` });
    if (this.replay.board.instruments.hasWrittenCards) button.replaceChildren(...markCards(text));
    if (!bounds) return button;
    return make(
      "span",
      { class: "range" },
      button,
      ...this.makeSizes(bounds, (size) => this.choose(index, String(size))),
    );
  }

  toggleList() {
    this.isListed = !this.isListed;
    this.show();
    this.panel.querySelector(this.isListed ? ".actions .action" : '[data-key="list"]')?.focus();
  }

  /** Return what chooses the number of a range: sizes that have names, a slider, a field; nothing for other actions. */
  makeNumber({ bounds, text }, play) {
    if (!bounds) return [];
    const [min, max] = bounds;
    const range = { min, max, step: 1, value: this.number ?? min, required: true };
    const input = make("input", { type: "number", "aria-label": text, "data-key": "number", ...range });
    const slider = make("input", { type: "range", "aria-label": text, "data-key": "slider", ...range });
    const set = (value) => {
      this.number = input.value = slider.value = value;
      play.textContent = this.wordAction({ text, bounds });
    };
    input.addEventListener("input", () => set(input.value));
    slider.addEventListener("input", () => set(slider.value));
    input.addEventListener("keydown", (event) => {
      if (event.key === "Enter") this.confirm();
    });
    return [make("span", { class: "range" }, ...this.makeSizes(bounds, (size) => set(String(size))), slider, input)];
  }

  /** Return a button for each size of a bet that has a name. */
  makeSizes(bounds, act) {
    const { tableCounts, seatCounts } = this.replay.reel.last;
    return nameSizes(bounds, tableCounts, seatCounts, this.game.seat).map(([name, size]) =>
      makeButton(name, () => act(size), { class: "size", "data-key": `size ${name}`, title: formatCount(size) })
    );
  }

  makeAdvice() {
    const { question } = this.status;
    if (!this.isOpen || !(question.is_advising || question.advice)) return null;
    const take = question.advised === undefined
      ? null
      : makeButton("choose that", () => this.choose(question.advised, question.advised_number ?? null), {
        "data-key": "take",
      });
    return make(
      "p",
      { class: "advice" },
      make("span", { role: "status", title: question.advice }, question.is_advising ? "thinking …" : question.advice),
      take,
    );
  }

  /** Return the list of all actions that fit, in words: it lies over the table. */
  makeList() {
    const words = this.filter.toLowerCase().split(/\s+/).filter(Boolean);
    const { actions } = this.choices;
    const fitting = this.choices.list().filter((index) =>
      words.every((word) => actions[index].text.toLowerCase().includes(word))
    );
    const items = fitting.map((index) => make("li", {}, this.makeAction(index)));
    const list = make(
      "ul",
      { class: "actions", "aria-label": `${fitting.length} of ${actions.length} actions` },
      ...items,
    );
    if (actions.length < FILTERED_FROM) return make("div", { class: "all-actions" }, list);
    const input = make("input", {
      type: "search",
      placeholder: `filter ${actions.length} actions`,
      "aria-label": "filter the actions",
      "data-key": "filter",
    });
    input.value = this.filter;
    input.addEventListener("input", () => {
      this.filter = input.value;
      const [at] = [input.selectionStart];
      this.show();
      this.panel.querySelector("input").setSelectionRange(at, at);
    });
    return make("div", { class: "all-actions" }, input, list);
  }

  makeOffers() {
    const { offers } = this.status;
    const buttons = offers.map((offer, at) =>
      makeButton(OFFERS.get(offer), () => this.send({ type: "next", offer }), {
        "data-key": offer,
        class: at ? "" : "confirm",
      })
    );
    return make(
      "div",
      { class: "choice" },
      make("p", { class: "hint" }, offers.length ? "Another game?" : ""),
      make("div", { class: "buttons" }, ...buttons, ...this.after.makeButtons()),
    );
  }

  // ---- what can be clicked

  /** Mark the cards, slots, zones and seats that an action means, and those that were picked. */
  mark() {
    if (!this.replay || !this.status) return;
    const { isOpen, choices } = this;
    const { board } = this.replay;
    for (const zone of board.zones) if (zone) this.markZone(zone, isOpen);
    board.seats.forEach(({ node, plate }, seat) => {
      const isMeant = isOpen && choices.takesPlace("seat", seat);
      node.classList.toggle("can", isMeant);
      node.classList.toggle("picked", isOpen && choices.seat === seat);
      touch(plate, isMeant ? this.nameOf(seat) : null);
    });
  }

  markZone(zone, isOpen) {
    const { choices } = this;
    const isOwn = zone.at.owner === this.game.seat;
    const isHand = this.isHand(zone.at);
    const cards = zone.shown.map((node) => ({
      node,
      token: this.replay.board.tokenOf(node),
      label: node.dataset.label,
    }));
    const states = cards.map(({ token, label }) => {
      const isSlot = isOpen && isOwn && label !== undefined && choices.takesPlace("slot", +label);
      return {
        isSlot,
        isMeant: isSlot || (isOpen && isHand && token !== undefined && choices.takesCard(token, this.faceOf(token))),
      };
    });
    const isForeign = this.holder !== this.game.seat; // then all of a hand is framed too
    const some = isHand && states.some(({ isMeant }) => isMeant) &&
      (isForeign || !states.every(({ isMeant }) => isMeant));
    cards.forEach(({ node, token, label }, at) => {
      const { isSlot, isMeant } = states[at];
      const isPicked = isOpen &&
        ((token !== undefined && choices.hasCard(token)) || (isSlot && choices.slot === +label));
      node.classList.toggle("can", isMeant);
      node.classList.toggle("slot", isSlot);
      node.classList.toggle("raised", isMeant && some && !isPicked);
      node.classList.toggle("dim", isOpen && some && !isMeant && !zone.kind.hasSlots);
      node.classList.toggle("picked", isPicked);
      touch(
        node,
        isMeant ? `${isSlot ? `slot ${label}, ` : ""}${node.getAttribute("aria-label") ?? "empty"}` : null,
        isPicked,
      );
      if (token !== undefined) node.title = this.game.about[this.faceOf(token)] ?? "";
    });
    const isZone = isOpen && choices.takesPlace("zone", zone.at.name);
    zone.node.classList.toggle("can", isZone);
    zone.node.classList.toggle("picked", isOpen && choices.zone === zone.at.name);
    touch(zone.place, isZone ? zone.title : null, choices.zone === zone.at.name);
  }

  faceOf(token) {
    return String(this.replay.reel.last.faces.get(token));
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

/** Lay a button over what can be clicked, for the keyboard and screen readers; null: take it away. */
function touch(node, label, isPressed = false) {
  let button = [...node.children].find((one) => one.matches(".touch"));
  if (label === null) return button?.remove();
  if (!button) node.append(button = make("button", { type: "button", class: "touch" }));
  button.setAttribute("aria-label", label);
  button.setAttribute("aria-pressed", String(isPressed));
}

function formatClock(ms) {
  const seconds = Math.ceil(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

new PlayPage(document.getElementById("replay"));
