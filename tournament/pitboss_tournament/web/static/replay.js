// The viewer of a game, recorded or still being played. It names no game: it draws the zones, cards and events of a
// sequence (pitboss.records.frames).

const KEYFRAME = 64; // frames from one kept table to the next
const STEP_MS = 700; // from one frame to the next while it plays
const MOVE_MS = 380; // of a card on its way
const CATCH_UP_MS = 1800; // to show what has happened meanwhile in a game that goes on
const SEAT_HUES = [205, 28, 275, 130, 350, 55, 175, 320, 90, 235];

/** The tables of a sequence, frame by frame. */
export class Reel {
  constructor(sequence) {
    this.frames = [];
    this.keyframes = [];
    this.last = {
      zones: sequence.zones.map(() => []),
      secrets: sequence.secrets.map(() => []),
      faces: new Map(),
      known: new Map(),
      tableCounts: [],
      seatCounts: Array.from({ length: sequence.seats }, () => []),
    };
    this.extend(sequence.frames);
  }

  /** Add the next frames. */
  extend(frames) {
    for (const frame of frames) {
      if (this.frames.length % KEYFRAME === 0) this.keyframes.push(copyTable(this.last));
      applyFrame(this.last, frame);
      this.frames.push(frame);
    }
  }

  /** Return the table after frame `number`. */
  tableAt(number) {
    const key = Math.floor(number / KEYFRAME);
    const table = copyTable(this.keyframes[key]);
    for (let at = key * KEYFRAME; at <= number; at++) applyFrame(table, this.frames[at]);
    return table;
  }
}

function copyTable(table) {
  return {
    zones: table.zones.slice(),
    secrets: table.secrets.slice(),
    faces: new Map(table.faces),
    known: new Map(table.known),
    tableCounts: table.tableCounts,
    seatCounts: table.seatCounts.slice(),
  };
}

function applyFrame(table, frame) {
  for (const [zone, tokens] of Object.entries(frame.zones ?? {})) table.zones[zone] = tokens;
  for (const [token, face] of Object.entries(frame.faces ?? {})) table.faces.set(+token, face);
  for (const [token, seats] of Object.entries(frame.known ?? {})) table.known.set(+token, seats);
  for (const [secret, values] of Object.entries(frame.secrets ?? {})) table.secrets[secret] = values;
  for (const [seat, counts] of Object.entries(frame.seat_counts ?? {})) table.seatCounts[seat] = counts;
  table.tableCounts = frame.table_counts ?? table.tableCounts;
}

export function element(tag, className = "", text = "") {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text !== "") made.textContent = text;
  return made;
}

function svg(tag, attributes) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

/** A card on the screen; what it shows can change. */
class Card {
  constructor(looks) {
    this.looks = looks;
    this.node = element("li", "card");
    this.shown = undefined;
  }

  show(face) {
    if (face === this.shown) return;
    this.shown = face;
    this.node.replaceChildren();
    const look = face === null ? null : this.looks[String(face)];
    this.node.className = look === null ? "card back" : "card";
    this.node.setAttribute("aria-label", look === null ? "a hidden card" : look.name);
    const body = element("span", "body");
    body.setAttribute("aria-hidden", "true");
    if (look !== null) {
      body.append(half(look));
      if (look.second) body.append(half(look.second));
      if (look.level !== undefined) body.append(level(look.level));
    }
    this.node.append(body);
  }
}

function half(look) {
  const made = element("span", `half ${look.is_filled ? "filled" : "plain"} ink-${look.colour ?? "black"}`);
  if (look.corner) made.append(element("span", "corner", look.corner));
  const text = element("span", "text", look.text);
  text.dataset.length = look.text.length;
  made.append(text);
  return made;
}

function level(share) {
  const bar = element("span", "level");
  bar.style.setProperty("--level", share);
  return bar;
}

/** Pot, stacks, scores: what everybody sees beside the cards. */
class Counts {
  constructor(title) {
    this.node = element("ul", "counts");
    this.node.setAttribute("aria-label", title);
  }

  show(counts) {
    this.node.replaceChildren(...counts.map(([name, value]) => countItem(name, value)));
  }
}

function countItem(name, value) {
  const item = element("li", "count", value === "" ? name : `${name} `);
  const text = typeof value === "number" ? value.toLocaleString("en") : value;
  if (value !== "") item.append(element("b", "", text));
  return item;
}

/** A zone, or the place of a secret, on the screen. */
class Place {
  constructor(title, kind, labels) {
    this.node = element("section", `zone ${kind}`);
    this.title = title;
    this.kind = kind;
    this.labels = labels ?? [];
    this.list = element("ul");
    this.caption = element("p", "zone-name");
    this.node.append(this.list, this.caption);
  }

  describe(count) {
    const text = this.kind === "slots" ? this.title : count > 1 || this.kind === "pile" ? `${this.title} · ${count}` : this.title;
    this.caption.textContent = text;
    this.node.setAttribute("aria-label", `${this.title}, ${count} ${count === 1 ? "card" : "cards"}`);
    this.node.classList.toggle("empty", count === 0);
  }
}

/** The page of one game. It tells its node `frame` when another frame is shown, and `pick` when a card or zone is clicked. */
export class Replay {
  constructor(root, data) {
    this.root = root;
    this.data = data;
    this.sequence = data.sequence;
    this.reel = new Reel(data.sequence);
    this.frames = this.reel.frames;
    this.cards = new Map();
    this.frame = 0;
    this.eyes = this.sequence.viewer ?? -1; // -1: every card
    this.timer = 0;
    this.listening = new AbortController();
    this.order = new Map(Object.keys(this.sequence.looks).map((face, number) => [face, number]));
    this.asked = []; // seats that are to decide now, in a game that goes on
    this.used = new Set();
    this.markUsedZones(this.frames);
    this.build(root);
    this.seat();
    this.listen();
    this.go(frameFromHash(location.hash, this.frames), true);
  }

  /** Whether the frame on the screen is the last one so far. */
  get isAtEnd() {
    return this.frame === this.frames.length - 1;
  }

  /** Add what has happened since; who looks at the last frame is led on. */
  extend({ frames, decisions }) {
    const follows = this.isAtEnd || this.isLed;
    this.reel.extend(frames);
    if (this.markUsedZones(frames)) {
      this.seat();
      this.draw(true);
    }
    this.data.decisions.push(...decisions);
    this.addMoves(decisions);
    this.drawTimes();
    this.slider.max = this.frames.length - 1;
    if (follows) this.catchUp();
    this.describe();
  }

  /** Step on to what happens now, the quicker the more there is. */
  catchUp() {
    if (this.isAtEnd) return;
    if (isStill()) return this.go(this.frames.length - 1, true);
    const stepMs = Math.min(STEP_MS, CATCH_UP_MS / (this.frames.length - 1 - this.frame));
    if (this.isLed && this.stepMs <= stepMs) return; // a timer that is always set anew never goes off
    this.play(stepMs);
    this.isLed = true;
  }

  /** Show who is to decide now: on the last frame they are marked, and on an earlier one who decided then. */
  showAsked(seats) {
    this.asked = seats;
    this.describe();
  }

  /** Show how the game has ended. */
  finish({ places, results }) {
    Object.assign(this.data, { places, results });
    this.describe();
  }

  // ---- the page

  build(root) {
    const { data } = this;
    this.table = element("div", "table");
    this.table.setAttribute("role", "group");
    this.table.setAttribute("aria-label", "the table");
    this.said = element("p", "said");
    this.said.setAttribute("aria-live", "polite");
    const heading = element("header");
    heading.append(element("h1", "", data.title), element("p", "subtitle", data.subtitle));
    this.moves = element("ol", "moves");
    this.addMoves(data.decisions);
    this.table.addEventListener("click", (click) => this.pick(click.target));
    const side = element("details", "side");
    side.open = matchMedia("(min-width: 60rem)").matches;
    side.append(element("summary", "", "Decisions"), this.moves);
    const stage = element("main", "stage");
    stage.append(this.table, side);
    root.replaceChildren(heading, stage, this.buildControls());
  }

  buildControls() {
    const bar = element("footer", "controls");
    const button = (text, label, act) => {
      const made = element("button", "", text);
      made.type = "button";
      made.title = label;
      made.setAttribute("aria-label", label);
      made.addEventListener("click", act);
      return made;
    };
    this.playButton = button("▶", "play (space)", () => this.toggle());
    this.slider = element("input");
    Object.assign(this.slider, { type: "range", min: 0, max: this.frames.length - 1, value: 0 });
    this.slider.setAttribute("aria-label", "frame");
    this.slider.addEventListener("input", () => this.go(+this.slider.value, true));
    this.position = element("output", "position");
    const buttons = element("div", "buttons");
    buttons.append(
      button("|◀", "to the deal (Home)", () => this.go(0, true)),
      button("‹", "back (left arrow)", () => this.go(this.frame - 1)),
      this.playButton,
      button("›", "on (right arrow)", () => this.go(this.frame + 1)),
      button("▶|", "to the end (End)", () => this.go(this.frames.length - 1, true)),
      this.position,
    );
    if (this.sequence.viewer === undefined || this.sequence.viewer === null) buttons.append(this.buildEyes());
    bar.append(this.said, this.buildTimes(), this.slider, buttons);
    return bar;
  }

  buildEyes() {
    const label = element("label", "eyes", "seen by ");
    this.select = element("select");
    const players = this.data.players.map((name, seat) => [`${name} (seat ${seat})`, seat]);
    for (const [text, value] of [["every card", -1], ...players, ["a spectator", this.sequence.seats]])
      this.select.add(new Option(text, value));
    this.select.addEventListener("change", () => this.lookAs(+this.select.value));
    label.append(this.select);
    return label;
  }

  /** Show what a seat knew; -1: every card. */
  lookAs(eyes) {
    this.eyes = eyes;
    this.select.value = eyes;
    this.seat();
    this.draw(true);
  }

  /** Thinking times: a bar a decision. */
  buildTimes() {
    this.times = svg("svg", { class: "times", preserveAspectRatio: "none", "aria-hidden": "true" });
    this.cursor = svg("rect", { y: 0, width: 1, height: 30, class: "cursor" });
    this.times.addEventListener("click", (click) => {
      const count = this.data.decisions.length;
      const share = click.offsetX / this.times.clientWidth;
      this.goToDecision(Math.min(count, 1 + Math.floor(share * count)));
    });
    this.drawTimes();
    return this.times;
  }

  drawTimes() {
    const { decisions } = this.data;
    const most = Math.log1p(Math.max(1, ...decisions.map((one) => one.us ?? 0)));
    const bars = decisions.map((one, number) => {
      const height = one.us === undefined ? 2 : 3 + (27 * Math.log1p(one.us)) / most;
      const bar = svg("rect", { x: number + 0.05, y: 30 - height, width: 0.9, height, class: one.fault ? "fault" : "time" });
      if (one.seat !== undefined) bar.style.setProperty("--hue", SEAT_HUES[one.seat % SEAT_HUES.length]);
      return bar;
    });
    this.times.setAttribute("viewBox", `0 0 ${Math.max(1, decisions.length)} 30`);
    this.times.replaceChildren(...bars, this.cursor);
  }

  /** Add the last decisions to the list. */
  addMoves(decisions) {
    const before = this.data.decisions.length - decisions.length;
    decisions.forEach((one, at) => {
      const number = before + at + 1;
      if (one.text === undefined) return;
      const item = element("li");
      const link = element("button", one.fault ? "move fault" : "move");
      link.type = "button";
      link.dataset.decision = number;
      link.append(element("span", "number", `${number}`), element("b", "who", this.data.players[one.seat]), element("span", "what", one.text));
      if (one.note) link.append(element("q", "note", one.note));
      if (one.fault) link.append(element("em", "", one.fault));
      link.addEventListener("click", () => this.goToDecision(number));
      item.append(link);
      this.moves.append(item);
    });
  }

  // ---- where zones lie

  /** Note which zones hold a card in these frames; tell whether they are new among those that ever do. */
  markUsedZones(frames) {
    const before = this.used.size;
    for (const frame of frames)
      for (const [zone, tokens] of Object.entries(frame.zones ?? {})) if (tokens.some((token) => token >= 0)) this.used.add(+zone);
    return this.used.size > before;
  }

  /** Lay out seats and zones: who looks on sits in front. */
  seat() {
    const { sequence, data } = this;
    const near = this.eyes >= 0 && this.eyes < sequence.seats ? this.eyes : 0;
    this.places = sequence.zones.map((zone) => new Place(titleOf(zone), zone.kind, zone.labels));
    this.secretPlaces = sequence.secrets.map((secret) => new Place(titleOf(secret), "secret"));
    this.seatCounts = data.players.map((name) => new Counts(`counts of ${name}`));
    const seats = Array.from({ length: sequence.seats }, (_, seat) => this.buildSeat(seat, data.players[seat]));
    const centre = element("div", "centre");
    const beside = element("div", "beside");
    const groups = new Map();
    sequence.zones.forEach((zone, number) => {
      const place = this.places[number].node;
      if (!this.used.has(number) || zone.place === "hidden") return;
      if (zone.place === "owner" && zone.owner !== undefined) return seats[zone.owner].querySelector(".own-zones").append(place);
      if (zone.place === "beside") return beside.append(place);
      if (!groups.has(zone.group)) {
        groups.set(zone.group, element("div", "group"));
        centre.append(groups.get(zone.group));
      }
      groups.get(zone.group).append(place);
    });
    sequence.secrets.forEach((secret, number) => {
      const home = secret.owner === undefined ? centre : seats[secret.owner].querySelector(".own-zones");
      home.append(this.secretPlaces[number].node);
    });
    const others = element("div", "others");
    for (let step = 1; step < sequence.seats; step++) others.append(seats[(near + step) % sequence.seats]);
    seats[near].classList.add("near");
    this.tableCounts = new Counts("counts of the table");
    const middle = element("div", "middle");
    middle.append(this.tableCounts.node, centre, beside);
    this.seats = seats;
    this.table.replaceChildren(others, middle, seats[near]);
  }

  buildSeat(seat, name) {
    const panel = element("section", "seat");
    panel.style.setProperty("--hue", SEAT_HUES[seat % SEAT_HUES.length]);
    panel.setAttribute("aria-label", `${name}, seat ${seat}`);
    const heading = element("h2");
    heading.append(element("span", "name", name), element("span", "number", `seat ${seat}`), element("span", "result"));
    const head = element("div", "head");
    head.append(heading, this.seatCounts[seat].node);
    panel.append(head, element("div", "own-zones"));
    return panel;
  }

  // ---- stepping

  listen() {
    const { signal } = this.listening;
    document.addEventListener("keydown", (event) => {
      const tag = event.target instanceof Element ? event.target.tagName : "";
      if (["SELECT", "INPUT"].includes(tag) && event.target !== this.slider) return;
      if (event.ctrlKey || event.altKey || event.metaKey) return;
      const steps = { ArrowRight: 1, ArrowLeft: -1 };
      const onButton = event.target instanceof HTMLButtonElement || tag === "SUMMARY";
      if (event.key in steps && event.target !== this.slider) this.go(this.frame + steps[event.key]);
      else if (event.key === "Home") this.go(0, true);
      else if (event.key === "End") this.go(this.frames.length - 1, true);
      else if (event.key === " " && !onButton) this.toggle();
      else return;
      event.preventDefault();
    }, { signal });
    addEventListener("hashchange", () => this.go(frameFromHash(location.hash, this.frames), true), { signal });
  }

  /** Do nothing more: another game takes the place. */
  close() {
    this.pause();
    this.listening.abort();
  }

  toggle() {
    if (this.timer) return this.pause();
    if (this.isAtEnd) this.go(0, true);
    this.play();
  }

  /** Step on to the last frame. */
  play(stepMs = STEP_MS) {
    this.pause();
    this.stepMs = stepMs;
    this.playButton.textContent = "❚❚";
    this.playButton.setAttribute("aria-label", "pause (space)");
    const [from, began] = [this.frame, performance.now()];
    this.timer = setInterval(() => {
      const due = from + Math.round((performance.now() - began) / stepMs); // a hidden page is woken less often
      this.go(Math.max(due, this.frame + 1), due > this.frame + 1);
      if (this.isAtEnd) this.pause();
    }, stepMs);
  }

  pause() {
    clearInterval(this.timer);
    this.timer = 0;
    this.isLed = false; // whether it plays because something has happened
    this.playButton.textContent = "▶";
    this.playButton.setAttribute("aria-label", "play (space)");
  }

  goToDecision(decision) {
    this.go(findFrame(this.frames, decision), true);
  }

  /** Show a frame; without moving cards if it is a `jump`. */
  go(frame, jump = false) {
    this.frame = Math.max(0, Math.min(this.frames.length - 1, frame));
    this.draw(jump);
    this.root.dispatchEvent(new CustomEvent("frame"));
  }

  /** Return the token of a card on the screen; undefined if it is none. */
  tokenOf(node) {
    return [...this.cards].find(([, card]) => card.node === node)?.[0];
  }

  /** Tell which card, slot or zone was clicked. */
  pick(target) {
    const place = this.places.findIndex((one) => one.node.contains(target));
    if (place < 0) return;
    const item = target.closest("li");
    const token = this.tokenOf(item);
    const face = token === undefined ? null : this.visibleFace(token, this.reel.tableAt(this.frame));
    this.root.dispatchEvent(new CustomEvent("pick", { detail: { zone: place, token, face, label: item?.dataset.label } }));
  }

  // ---- drawing

  draw(jump) {
    const table = this.reel.tableAt(this.frame);
    const moves = !jump && !isStill();
    const before = moves ? this.measure() : new Map();
    const lying = new Set();
    this.sequence.zones.forEach((zone, number) => this.drawZone(zone, number, table, lying));
    this.sequence.secrets.forEach((_, number) => this.drawSecret(number, table.secrets[number]));
    this.tableCounts.show(table.tableCounts);
    this.seatCounts.forEach((counts, seat) => counts.show(table.seatCounts[seat]));
    for (const [token, card] of this.cards) if (!lying.has(token)) card.node.remove();
    this.describe();
    for (const [token, from] of before) if (lying.has(token)) slide(this.cards.get(token).node, from);
  }

  measure() {
    const found = new Map();
    for (const [token, card] of this.cards) if (card.node.isConnected) found.set(token, card.node.getBoundingClientRect());
    return found;
  }

  drawZone(zone, number, table, lying) {
    const place = this.places[number];
    const tokens = table.zones[number];
    const cards = tokens.filter((token) => token >= 0);
    const items = [];
    const shown = zone.kind === "hand" ? this.sortHand(cards, table) : tokens;
    shown.forEach((token, at) => {
      const card = token < 0 ? null : this.cardOf(token);
      const item = card ? card.node : element("li", "card none");
      if (card) {
        card.show(this.visibleFace(token, table));
        card.node.classList.toggle("unseen", this.eyes < 0 && !table.known.get(token)); // nobody has seen it yet
        lying.add(token);
      }
      item.style.setProperty("--at", Math.min(at, 10));
      if (zone.kind === "slots") item.dataset.label = zone.labels[at];
      else delete item.dataset.label;
      items.push(item);
    });
    place.list.replaceChildren(...items);
    place.describe(cards.length);
  }

  drawSecret(number, values) {
    const place = this.secretPlaces[number];
    const texts = values === null ? ["?"] : values.map((value) => String(value ?? "none"));
    place.list.replaceChildren(...texts.map((text) => element("li", "value", text)));
    place.caption.textContent = place.title;
    place.node.classList.toggle("empty", texts.length === 0);
    place.node.setAttribute("aria-label", `${place.title}: ${texts.join(", ")}`);
  }

  cardOf(token) {
    if (!this.cards.has(token)) this.cards.set(token, new Card(this.sequence.looks));
    return this.cards.get(token);
  }

  visibleFace(token, table) {
    const face = table.faces.get(token) ?? null;
    const mayTell = this.eyes < 0 || this.sequence.viewer === this.eyes || ((table.known.get(token) ?? 0) >> this.eyes) & 1;
    return mayTell ? face : null;
  }

  sortHand(cards, table) {
    const rank = (token) => this.order.get(String(this.visibleFace(token, table))) ?? Infinity;
    return cards.slice().sort((one, other) => rank(one) - rank(other) || one - other);
  }

  /** Say what has happened, and who did it. */
  describe() {
    const { data } = this;
    const frame = this.frames[this.frame];
    const decision = data.decisions[frame.decision - 1];
    const isOver = this.isAtEnd && data.results.length > 0;
    const who = decision?.seat === undefined ? "" : `${data.players[decision.seat]}: `;
    const act = frame.decision === 0 ? "The deal" : `${frame.decision}. ${who}${decision?.text ?? ""}`;
    const us = decision?.us === undefined ? "" : ` (${formatTime(decision.us)})`;
    this.said.replaceChildren(element("b", "", act + us), " ", frame.says ?? "");
    if (decision?.note) this.said.append(" ", element("q", "note", decision.note));
    if (decision?.fault) this.said.append(" ", element("em", "", decision.fault));
    const acting = this.isAtEnd && this.asked.length ? this.asked : [decision?.seat];
    this.seats.forEach((panel, seat) => {
      panel.classList.toggle("acts", acting.includes(seat));
      panel.querySelector(".result").textContent = isOver ? data.results[seat] : "";
      panel.classList.toggle("won", isOver && data.places[seat] === 1);
    });
    this.slider.value = this.frame;
    this.slider.setAttribute("aria-valuetext", act);
    this.position.textContent = `${this.frame + 1} / ${this.frames.length}`;
    this.cursor.setAttribute("x", Math.max(0, frame.decision - 1));
    for (const one of this.moves.querySelectorAll("[aria-current]")) one.removeAttribute("aria-current");
    const current = this.moves.querySelector(`[data-decision="${frame.decision}"]`);
    if (current) {
      current.setAttribute("aria-current", "step");
      const box = this.moves;
      box.scrollTop = current.offsetTop - box.clientHeight / 2;
    }
    document.documentElement.dataset.frame = String(this.frame);
  }
}

function titleOf(place) {
  return place.owner === undefined ? place.name : place.name.replace(new RegExp(` ${place.owner}$`), "");
}

function formatTime(us) {
  return us < 1000 ? `${us} µs` : us < 1e6 ? `${(us / 1000).toPrecision(3)} ms` : `${(us / 1e6).toPrecision(3)} s`;
}

function findFrame(frames, decision) {
  const found = frames.findIndex((frame) => frame.decision >= decision);
  return found < 0 ? frames.length - 1 : found;
}

/** Return the frame that the fragment of an address names: `#frame=12` or `#decision=5`. */
function frameFromHash(hash, frames) {
  const wanted = new URLSearchParams(hash.slice(1));
  if (wanted.has("decision")) return findFrame(frames, +wanted.get("decision") || 0);
  return +wanted.get("frame") || 0;
}

/** Whether the person wants nothing to move. */
function isStill() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** Let a card come from where it was. */
function slide(node, from) {
  const to = node.getBoundingClientRect();
  const [x, y] = [from.left - to.left, from.top - to.top];
  if (Math.abs(x) + Math.abs(y) < 2) return;
  node.animate([{ transform: `translate(${x}px, ${y}px)`, zIndex: 5 }, { transform: "none", zIndex: 5 }], {
    duration: MOVE_MS,
    easing: "cubic-bezier(.3, .8, .3, 1)",
  });
}

const block = document.getElementById("replay-data");
if (block) showPacked(document.getElementById("replay"), block.textContent);

/** Show the game of a page, whose data are JSON, compressed (zlib, base64). */
async function showPacked(root, text) {
  if (!("DecompressionStream" in window)) {
    root.textContent = "This browser is too old for the replay: it takes one of 2023 or later.";
    return;
  }
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const inflate = new window["DecompressionStream"]("deflate"); // by this name: not all compilers know it
  new Replay(root, await new Response(new Blob([bytes]).stream().pipeThrough(inflate)).json());
}
