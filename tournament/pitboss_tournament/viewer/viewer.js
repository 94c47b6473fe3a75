// The viewer of a recorded game. It names no game: it draws the zones, cards and events of a film (pitboss.film).

const KEYFRAME = 64; // scenes from one kept table to the next
const STEP_MS = 700; // from one scene to the next while it plays
const MOVE_MS = 380; // of a card on its way
const SEAT_HUES = [205, 28, 275, 130, 350, 55, 175, 320, 90, 235];

/** The tables of a film, scene by scene. */
export class Reel {
  constructor(film) {
    this.film = film;
    this.keyframes = [];
    const table = {
      zones: film.zones.map(() => []),
      secrets: film.secrets.map(() => []),
      faces: new Map(),
      known: new Map(),
    };
    film.scenes.forEach((scene, number) => {
      if (number % KEYFRAME === 0) this.keyframes.push(copyTable(table));
      applyScene(table, scene);
    });
  }

  /** Return the table after scene `number`. */
  tableAt(number) {
    const key = Math.floor(number / KEYFRAME);
    const table = copyTable(this.keyframes[key]);
    for (let at = key * KEYFRAME; at <= number; at++) applyScene(table, this.film.scenes[at]);
    return table;
  }
}

function copyTable(table) {
  return {
    zones: table.zones.slice(),
    secrets: table.secrets.slice(),
    faces: new Map(table.faces),
    known: new Map(table.known),
  };
}

function applyScene(table, scene) {
  for (const [zone, tokens] of Object.entries(scene.zones ?? {})) table.zones[zone] = tokens;
  for (const [token, face] of Object.entries(scene.faces ?? {})) table.faces.set(+token, face);
  for (const [token, seats] of Object.entries(scene.known ?? {})) table.known.set(+token, seats);
  for (const [secret, values] of Object.entries(scene.secrets ?? {})) table.secrets[secret] = values;
}

function element(tag, className = "", text = "") {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text !== "") made.textContent = text;
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

/** The page of one recorded game. */
export class Replay {
  constructor(root, data) {
    this.data = data;
    this.film = data.film;
    this.reel = new Reel(data.film);
    this.cards = new Map();
    this.scene = 0;
    this.eyes = this.film.viewer ?? -1; // -1: every card
    this.timer = 0;
    this.order = new Map(Object.keys(this.film.looks).map((face, number) => [face, number]));
    this.used = this.findUsedZones();
    this.build(root);
    this.seat();
    this.listen();
    this.go(sceneFromHash(location.hash, this.film.scenes), true);
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
    this.moves = this.buildMoves();
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
    Object.assign(this.slider, { type: "range", min: 0, max: this.film.scenes.length - 1, value: 0 });
    this.slider.setAttribute("aria-label", "scene");
    this.slider.addEventListener("input", () => this.go(+this.slider.value, true));
    this.position = element("output", "position");
    const buttons = element("div", "buttons");
    buttons.append(
      button("|◀", "to the deal (Home)", () => this.go(0, true)),
      button("‹", "back (left arrow)", () => this.go(this.scene - 1)),
      this.playButton,
      button("›", "on (right arrow)", () => this.go(this.scene + 1)),
      button("▶|", "to the end (End)", () => this.go(this.film.scenes.length - 1, true)),
      this.position,
    );
    if (this.film.viewer === undefined || this.film.viewer === null) buttons.append(this.buildEyes());
    bar.append(this.said, this.buildTimes(), this.slider, buttons);
    return bar;
  }

  buildEyes() {
    const label = element("label", "eyes", "seen by ");
    this.select = element("select");
    const players = this.data.players.map((name, seat) => [`${name} (seat ${seat})`, seat]);
    for (const [text, value] of [["every card", -1], ...players, ["a spectator", this.film.seats]])
      this.select.add(new Option(text, value));
    this.select.addEventListener("change", () => {
      this.eyes = +this.select.value;
      this.seat();
      this.draw(true);
    });
    label.append(this.select);
    return label;
  }

  /** Thinking times: a bar a decision. */
  buildTimes() {
    const space = "http://www.w3.org/2000/svg";
    const strip = document.createElementNS(space, "svg");
    const decisions = this.data.decisions;
    strip.setAttribute("class", "times");
    strip.setAttribute("viewBox", `0 0 ${Math.max(1, decisions.length)} 30`);
    strip.setAttribute("preserveAspectRatio", "none");
    strip.setAttribute("aria-hidden", "true");
    const most = Math.log1p(Math.max(1, ...decisions.map((one) => one.us ?? 0)));
    decisions.forEach((one, number) => {
      const bar = document.createElementNS(space, "rect");
      const height = one.us === undefined ? 2 : 3 + (27 * Math.log1p(one.us)) / most;
      const sizes = { x: number + 0.05, y: 30 - height, width: 0.9, height };
      for (const name in sizes) bar.setAttribute(name, sizes[name]);
      bar.setAttribute("class", one.fault ? "fault" : "time");
      if (one.seat !== undefined) bar.style.setProperty("--hue", SEAT_HUES[one.seat % SEAT_HUES.length]);
      strip.append(bar);
    });
    this.cursor = document.createElementNS(space, "rect");
    for (const [name, value] of Object.entries({ y: 0, width: 1, height: 30, class: "cursor" }))
      this.cursor.setAttribute(name, value);
    strip.append(this.cursor);
    strip.addEventListener("click", (click) => {
      const share = click.offsetX / strip.clientWidth;
      this.goToDecision(Math.min(decisions.length, 1 + Math.floor(share * decisions.length)));
    });
    return strip;
  }

  buildMoves() {
    const list = element("ol", "moves");
    this.data.decisions.forEach((one, number) => {
      if (one.text === undefined) return;
      const item = element("li");
      const link = element("button", one.fault ? "move fault" : "move");
      link.type = "button";
      link.dataset.decision = number + 1;
      link.append(element("span", "number", `${number + 1}`), element("b", "who", this.data.players[one.seat]), element("span", "what", one.text));
      if (one.note) link.append(element("q", "note", one.note));
      if (one.fault) link.append(element("em", "", one.fault));
      link.addEventListener("click", () => this.goToDecision(number + 1));
      item.append(link);
      list.append(item);
    });
    return list;
  }

  // ---- where zones lie

  /** Tell which zones ever hold a card. */
  findUsedZones() {
    const used = new Set();
    for (const scene of this.film.scenes)
      for (const [zone, tokens] of Object.entries(scene.zones ?? {})) if (tokens.some((token) => token >= 0)) used.add(+zone);
    return used;
  }

  /** Lay out seats and zones: who looks on sits in front. */
  seat() {
    const { film, data } = this;
    const near = this.eyes >= 0 && this.eyes < film.seats ? this.eyes : 0;
    this.places = film.zones.map((zone) => new Place(titleOf(zone), zone.kind, zone.labels));
    this.secretPlaces = film.secrets.map((secret) => new Place(titleOf(secret), "secret"));
    const seats = Array.from({ length: film.seats }, (_, seat) => this.buildSeat(seat, data.players[seat]));
    const centre = element("div", "centre");
    const beside = element("div", "beside");
    const groups = new Map();
    film.zones.forEach((zone, number) => {
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
    film.secrets.forEach((secret, number) => {
      const home = secret.owner === undefined ? centre : seats[secret.owner].querySelector(".own-zones");
      home.append(this.secretPlaces[number].node);
    });
    const others = element("div", "others");
    for (let step = 1; step < film.seats; step++) others.append(seats[(near + step) % film.seats]);
    seats[near].classList.add("near");
    const middle = element("div", "middle");
    middle.append(centre, beside);
    this.seats = seats;
    this.table.replaceChildren(others, middle, seats[near]);
  }

  buildSeat(seat, name) {
    const panel = element("section", "seat");
    panel.style.setProperty("--hue", SEAT_HUES[seat % SEAT_HUES.length]);
    panel.setAttribute("aria-label", `${name}, seat ${seat}`);
    const heading = element("h2");
    heading.append(element("span", "name", name), element("span", "number", `seat ${seat}`), element("span", "result"));
    panel.append(heading, element("div", "own-zones"));
    return panel;
  }

  // ---- stepping

  listen() {
    document.addEventListener("keydown", (event) => {
      if (event.target instanceof HTMLSelectElement || event.ctrlKey || event.altKey || event.metaKey) return;
      const steps = { ArrowRight: 1, ArrowLeft: -1 };
      const onButton = event.target instanceof HTMLButtonElement || event.target.tagName === "SUMMARY";
      if (event.key in steps && event.target !== this.slider) this.go(this.scene + steps[event.key]);
      else if (event.key === "Home") this.go(0, true);
      else if (event.key === "End") this.go(this.film.scenes.length - 1, true);
      else if (event.key === " " && !onButton) this.toggle();
      else return;
      event.preventDefault();
    });
    addEventListener("hashchange", () => this.go(sceneFromHash(location.hash, this.film.scenes), true));
  }

  toggle() {
    if (this.timer) return this.pause();
    if (this.scene === this.film.scenes.length - 1) this.go(0, true);
    this.playButton.textContent = "❚❚";
    this.playButton.setAttribute("aria-label", "pause (space)");
    this.timer = setInterval(() => {
      if (this.scene < this.film.scenes.length - 1) this.go(this.scene + 1);
      else this.pause();
    }, STEP_MS);
  }

  pause() {
    clearInterval(this.timer);
    this.timer = 0;
    this.playButton.textContent = "▶";
    this.playButton.setAttribute("aria-label", "play (space)");
  }

  goToDecision(decision) {
    this.go(findScene(this.film.scenes, decision), true);
  }

  /** Show a scene; without moving cards if it is a `jump`. */
  go(scene, jump = false) {
    this.scene = Math.max(0, Math.min(this.film.scenes.length - 1, scene));
    this.draw(jump);
  }

  // ---- drawing

  draw(jump) {
    const table = this.reel.tableAt(this.scene);
    const moves = !jump && !matchMedia("(prefers-reduced-motion: reduce)").matches;
    const before = moves ? this.measure() : new Map();
    const lying = new Set();
    this.film.zones.forEach((zone, number) => this.drawZone(zone, number, table, lying));
    this.film.secrets.forEach((_, number) => this.drawSecret(number, table.secrets[number]));
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
    if (!this.cards.has(token)) this.cards.set(token, new Card(this.film.looks));
    return this.cards.get(token);
  }

  visibleFace(token, table) {
    const face = table.faces.get(token) ?? null;
    const mayTell = this.eyes < 0 || this.film.viewer === this.eyes || ((table.known.get(token) ?? 0) >> this.eyes) & 1;
    return mayTell ? face : null;
  }

  sortHand(cards, table) {
    const rank = (token) => this.order.get(String(this.visibleFace(token, table))) ?? Infinity;
    return cards.slice().sort((one, other) => rank(one) - rank(other) || one - other);
  }

  /** Say what has happened, and who did it. */
  describe() {
    const { film, data } = this;
    const scene = film.scenes[this.scene];
    const decision = data.decisions[scene.decision - 1];
    const isOver = this.scene === film.scenes.length - 1;
    const who = decision?.seat === undefined ? "" : `${data.players[decision.seat]}: `;
    const act = scene.decision === 0 ? "The deal" : `${scene.decision}. ${who}${decision?.text ?? ""}`;
    const us = decision?.us === undefined ? "" : ` (${formatTime(decision.us)})`;
    this.said.replaceChildren(element("b", "", act + us), " ", scene.says ?? "");
    if (decision?.note) this.said.append(" ", element("q", "note", decision.note));
    if (decision?.fault) this.said.append(" ", element("em", "", decision.fault));
    this.seats.forEach((panel, seat) => {
      panel.classList.toggle("acts", decision?.seat === seat);
      panel.querySelector(".result").textContent = isOver ? data.results[seat] : "";
      panel.classList.toggle("won", isOver && data.places[seat] === 1);
    });
    this.slider.value = this.scene;
    this.slider.setAttribute("aria-valuetext", act);
    this.position.textContent = `${this.scene + 1} / ${film.scenes.length}`;
    this.cursor.setAttribute("x", Math.max(0, scene.decision - 1));
    for (const one of this.moves.querySelectorAll("[aria-current]")) one.removeAttribute("aria-current");
    const current = this.moves.querySelector(`[data-decision="${scene.decision}"]`);
    if (current) {
      current.setAttribute("aria-current", "step");
      const box = this.moves;
      box.scrollTop = current.offsetTop - box.clientHeight / 2;
    }
    document.documentElement.dataset.scene = this.scene;
  }
}

function titleOf(place) {
  return place.owner === undefined ? place.name : place.name.replace(new RegExp(` ${place.owner}$`), "");
}

function formatTime(us) {
  return us < 1000 ? `${us} µs` : us < 1e6 ? `${(us / 1000).toPrecision(3)} ms` : `${(us / 1e6).toPrecision(3)} s`;
}

function findScene(scenes, decision) {
  const found = scenes.findIndex((scene) => scene.decision >= decision);
  return found < 0 ? scenes.length - 1 : found;
}

/** Return the scene that the fragment of an address names: `#scene=12` or `#decision=5`. */
function sceneFromHash(hash, scenes) {
  const wanted = new URLSearchParams(hash.slice(1));
  if (wanted.has("decision")) return findScene(scenes, +wanted.get("decision") || 0);
  return +wanted.get("scene") || 0;
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
if (block) new Replay(document.getElementById("replay"), JSON.parse(block.textContent));
