// The table on the screen: felt, seats, zones and cards. It draws one table of a sequence after the other.

import { drawFace } from "./card_faces.js";
import { drawChips, makeDealer } from "./chips.js";
import { countItem, formatCount } from "./counts.js";
import { isStill, make, measureText } from "./elements.js";
import { Instruments } from "./instruments.js";
import { initialOf, shortName, titleOf } from "./names.js";
import { arrangeTable } from "./seating.js";
import { findKind } from "./zone_kinds.js";
import { PHONE, SMALL_FACE } from "./zone_layout.js";

export const SEAT_COLOURS = [
  "#1f5fae",
  "#b3451b",
  "#6a3fb0",
  "#16724a",
  "#a82255",
  "#7a5a00",
  "#0d6b7d",
  "#8a2fa0",
  "#4e5d18",
  "#5b4636",
];
const MOVE_MS = 460; // of a card on its way
const DEAL_MS = 14; // from one card to the next where many move at once
const LIFT = 34; // pixels that a card rises on its way
const SHOWN_FROM = 6; // cards of an open hand, as a dummy's, that needs much room until it is played
const LONGEST_NAME = 172; // pixels
const TITLE_FONT = '700 16px "Segoe UI", Roboto, Lato, "Helvetica Neue", Arial, sans-serif';

/** Tells `pick` with {zone, token, face, label, seat} when a card, a zone or a seat is clicked. */
export class Board {
  constructor(node, reel, players) {
    this.node = node;
    this.reel = reel;
    this.sequence = reel.sequence;
    this.players = players;
    this.order = new Map(this.sequence.order.map((face, place) => [face, place]));
    this.hasHalves = Object.values(this.sequence.looks).some((look) => look.second); // both must be seen
    this.cards = new Map(); // by token
    this.isPlayed = false; // whether somebody decides on this page
    this.table = null;
    this.size = null; // of the table, and of its text
    this.shown = new Set(); // numbers of zones: hands that lie open, as a dummy's
    this.hasBets = false; // whether bets have lain before the seats
    this.before = null; // the table that was drawn before
    this.scene = { acting: [], lasts: [], taker: undefined, results: [], places: [] };
    node.addEventListener("click", (event) => this.pick(event.target));
    this.watcher = new ResizeObserver(() => this.resize());
    this.watcher.observe(node);
  }

  /** Draw nothing more. */
  close() {
    this.watcher.disconnect();
  }

  /** Lay out seats and zones again: the viewer sits in front. `eyes` is a seat, or -1 for every card. */
  seat(eyes) {
    const { sequence, reel } = this;
    this.eyes = eyes;
    this.near = eyes >= 0 && eyes < sequence.seats ? eyes : 0;
    this.zones = sequence.zones.map((zone, number) => {
      const isDrawn = reel.most[number] && zone.place !== "hidden";
      return isDrawn ? this.buildZone(zone, number) : null;
    });
    this.felt = make("div", { class: "felt" });
    this.instruments = new Instruments(this.players, SEAT_COLOURS, this.near);
    this.instruments.isPlayed = this.isPlayed;
    this.facts = { node: make("ul", { class: "counts facts", "aria-label": "counts of the table" }), told: null };
    this.secrets = sequence.secrets.map((secret) =>
      make("ul", { class: "secret", "aria-label": titleOf(secret), "data-title": titleOf(secret) })
    );
    const open = this.secrets.filter((_, number) => sequence.secrets[number].owner === undefined);
    const middle = make(
      "section",
      { class: "middle", "aria-label": "the middle" },
      this.instruments.arrows,
      this.facts.node,
      this.instruments.node,
      ...open,
      ...this.zonesOf(undefined),
    );
    this.seats = this.players.map((name, seat) => this.buildSeat(seat, name));
    const others = this.seats.map((_, step) => this.seats[(this.near + step + 1) % sequence.seats].node);
    this.widest = this.players.map(() => 0);
    this.node.replaceChildren(this.felt, ...others.slice(0, -1), middle, others.at(-1));
    if (this.table) this.redraw();
  }

  zonesOf(owner) {
    return this.zones.filter((zone) => zone && zone.at.owner === owner).map((zone) => zone.node);
  }

  buildZone(at, number) {
    const kind = findKind(at);
    const zone = {
      at,
      kind,
      number,
      title: titleOf(at),
      shown: [],
      empties: [],
      labels: [],
      place: make("div", { class: "place" }),
      list: make("ul", { class: "cards" }),
      caption: make("p", { class: "zone-name" }),
      badge: make("span", { class: "badge", "aria-hidden": "true" }),
      isOneOfMany: at.owner === undefined && Boolean(at.group) &&
        this.sequence.zones.filter((one) => one.owner === undefined && one.group === at.group).length > 1,
    };
    zone.labels = (at.labels ?? []).map((label) =>
      make("span", { class: "label", "aria-hidden": "true" }, String(label))
    );
    zone.spots = Array.from({ length: at.size ?? 0 }, () => make("span", { class: "spot" }));
    return {
      ...zone,
      node: make(
        "section",
        { class: `zone ${kind.name}`, role: "group", "data-zone": number, "data-name": at.name },
        zone.place,
        ...zone.labels,
        ...zone.spots,
        zone.list,
        zone.caption,
        zone.badge,
      ),
    };
  }

  buildSeat(seat, name) {
    const isNear = seat === this.near;
    const title = make("bdi", { class: "name", dir: "auto", title: name }, name);
    const result = make("span", { class: "result" });
    const counts = make("ul", { class: "counts", "aria-label": `counts of ${name}` });
    const secrets = this.secrets.filter((_, number) => this.sequence.secrets[number].owner === seat);
    const bar = make("div", { class: "race", hidden: true, "aria-hidden": "true" });
    const [dealer, turn] = [
      make("span", { class: "dealer-spot" }),
      make("span", { class: "turn-number", "aria-hidden": "true", title: "turns from now" }),
    ];
    const plate = make(
      "div",
      { class: "plate" },
      make("span", { class: "avatar", "aria-hidden": "true" }, initialOf(name)),
      make("div", { class: "who" }, title, counts, ...secrets, bar),
      result,
      dealer,
      turn,
    );
    const [last, bet] = [make("p", { class: "last" }), make("div", { class: "bet", "aria-hidden": "true" })];
    const node = make(
      "section",
      { class: isNear ? "seat near" : "seat", "data-seat": seat, "aria-label": `${name}, seat ${seat}` },
      plate,
      last,
      bet,
      ...this.zonesOf(seat),
    );
    node.style.setProperty("--seat", SEAT_COLOURS[seat % SEAT_COLOURS.length]);
    return { node, plate, title, counts, result, dealer, turn, last, bet, bar, told: null };
  }

  // ---- drawing

  /** Draw a table. `scene` has who acts or takes a trick, the last moves and the results; with `ms` cards move. */
  show(table, scene, ms = 0) {
    this.before = this.table;
    this.table = table;
    this.scene = scene;
    this.redraw(isStill() ? 0 : ms);
  }

  /** Lay out the table in the room that it has now. */
  resize() {
    const text = Math.max(1, parseFloat(getComputedStyle(document.documentElement).fontSize) / 16);
    this.size = { width: this.node.clientWidth, height: this.node.clientHeight, text };
    this.redraw();
  }

  redraw(ms = 0) {
    if (!this.size) return this.resize();
    const { width, height } = this.size;
    if (!this.table || !width || !height) return;
    this.instruments.show(this.table.instruments);
    this.showWords();
    const layout = arrangeTable(this.describeView(width, height));
    this.node.classList.toggle("phone", layout.sizes.isPhone);
    this.node.classList.toggle("low", layout.sizes.isLow);
    this.node.classList.toggle("crowd", layout.sizes.isPhone && this.players.length > 3);
    this.node.classList.toggle("over", this.scene.places.length > 0);
    this.seats.forEach((one, seat) =>
      say(one.title, layout.sizes.isPhone ? shortName(this.players[seat]) : this.players[seat])
    );
    const moves = ms && !document.hidden
      ? new Map(
        [...this.cards].map(([token, card]) => [token, { x: card.x, y: card.y, width: card.width, zone: card.zone }]),
      )
      : null;
    place(this.felt, layout.felt);
    for (const zone of this.zones) if (zone) this.drawZone(zone, layout.zones.get(zone.number));
    this.seats.forEach((one, seat) => this.placeSeat(one, layout.seats[seat], seat));
    if (layout.facts) moveTo(this.facts.node, layout.facts.x, layout.facts.y, layout.facts.width);
    this.instruments.place(layout.block?.way ?? null, layout.block);
    this.instruments.placeArrows(layout.middle);
    if (moves) this.animate(moves, ms);
    this.layout = layout;
  }

  describeView(width, height) {
    const { sequence, table, near } = this;
    const isOpen = this.eyes < 0;
    const slots = Math.max(
      0,
      ...this.zones.filter((zone) => zone && zone.at.owner === near && zone.kind.hasSlots).map((zone) =>
        zone.at.labels.length
      ),
    );
    const roles = new Set([...table.tableCounts, ...table.seatCounts.flat()].map((count) => count[2]));
    this.hasBets ||= roles.has("bet");
    const { text } = this.size;
    return {
      width,
      height,
      near,
      text,
      slots,
      isOpen,
      seats: sequence.seats,
      hasBets: this.hasBets,
      hasPot: roles.has("pot"),
      isBidding: Boolean(table.instruments.bidding),
      blocks: this.instruments.listWays(width < PHONE),
      hasSpreads: this.zones.some((zone) => zone && zone.kind.isLaidOut && zone.at.owner === undefined),
      plates: this.players.map((name, seat) => this.measureWords(name, seat)),
      facts: table.tableCounts.filter((count) => count[2] !== "order").map(([name, value]) =>
        (measureText(`${name} ${value}`, TITLE_FONT) + 30) * text
      ),
      zones: this.zones.filter((zone) => zone !== null).map((zone) => this.describeZone(zone)),
    };
  }

  describeZone({ at, kind, number, isOneOfMany }) {
    const tokens = this.table.zones[number];
    const held = tokens.filter((token) => token >= 0);
    const isSeen = this.eyes >= 0 && !this.scene.places.length; // by a player, while the game goes on
    const isFaceUp = isSeen && held.length > 0 && held.every((token) => this.visibleFace(token) !== null);
    if (isFaceUp && kind.hidesPlaces && held.length >= SHOWN_FROM) this.shown.add(number);
    else if (!isFaceUp) this.shown.delete(number);
    const isOpen = this.eyes < 0 || held.some((token) => this.visibleFace(token) !== null);
    return {
      caption: at.owner === undefined && kind.isStacked
        ? measureText(`${titleOf(at)} 00`, TITLE_FONT) * 0.84 * this.size.text
        : 0,
      number,
      kind,
      owner: at.owner,
      labels: at.labels ?? [],
      place: at.place ?? "centre",
      size: at.size ?? 0,
      isOneOfMany,
      drop: this.hasHalves ? 1.43 : 0.66,
      count: tokens.length,
      reserve: this.reel.most[number],
      isHeld: (at.is_held === true && at.place !== "beside") || kind.isHeld,
      isOpen,
      isFaceUp,
      isShown: this.shown.has(number),
      players: tokens.map((token) => this.table.players.get(token)),
    };
  }

  /** Return how wide the name of a seat and its counts are; all counts never less than before, or plates would jump. */
  measureWords(name, seat) {
    const { text } = this.size;
    const counts = this.table.seatCounts[seat].filter((count) => !["bet", "button"].includes(count[2]));
    const isPhone = this.size.width < PHONE;
    const measure = (words) => measureText(words, TITLE_FONT) * (isPhone ? 0.74 : 0.86) * text;
    const parts = counts.map(([title, value]) => measure(`${title} ${formatCount(value)}`));
    this.widest[seat] = Math.max(this.widest[seat], parts.reduce((sum, part) => sum + part + measure(" · "), 0));
    const shown = `${this.scene.places[seat] === 1 ? "★ " : ""}${isPhone ? shortName(name) : name}`;
    return { name: Math.min(LONGEST_NAME, measureText(shown, TITLE_FONT)) * text, counts: this.widest[seat], parts };
  }

  // ---- zones and cards

  drawZone(zone, box) {
    zone.node.hidden = box === undefined;
    zone.node.dataset.count = String(this.table.zones[zone.number].filter((token) => token >= 0).length);
    if (!box) return zone.list.replaceChildren(...(zone.shown = []));
    const tokens = this.sort(zone, this.table.zones[zone.number]);
    const held = tokens.filter((token) => token >= 0);
    const first = tokens.length - zone.kind.countDrawn(tokens.length);
    const depth = zone.at.owner === this.near ? 10 : 4;
    const items = tokens.slice(first).map((token, at) =>
      this.layCard(zone, token, box, first + at, depth + Math.min(at, 40))
    );
    tokens.slice(0, first).forEach((token) => this.bury(zone, token, box));
    if (items.length !== zone.shown.length || items.some((item, at) => item !== zone.shown[at])) {
      zone.list.replaceChildren(...items);
    }
    zone.shown = items;
    zone.node.classList.toggle("empty", !held.length);
    zone.node.classList.toggle("deep", zone.kind.isStacked && held.length > 2);
    zone.node.classList.toggle("marked", this.instruments.hasMarks(zone.at.name));
    zone.node.classList.toggle("tight", Boolean(box.isTight));
    zone.node.classList.toggle("rack", Boolean(box.isRack));
    zone.node.setAttribute("aria-label", `${zone.title}, ${held.length} ${held.length === 1 ? "card" : "cards"}`);
    place(zone.place, box);
    zone.node.style.setProperty("--card", `${box.card}px`);
    zone.labels.forEach((label, at) =>
      moveTo(label, box.x + box.cards[at][0], box.y + box.cards[at][1] + box.card * 1.4, box.card)
    );
    zone.spots.forEach((spot, at) =>
      place(spot, { x: box.x + box.places[at][0], y: box.y, width: box.card, height: box.card * 1.4 })
    );
    this.captionZone(zone, box, held);
  }

  captionZone(zone, box, held) {
    const { at, kind, number } = zone;
    const isPile = kind.isStacked && at.owner === undefined;
    const [first, second] = this.table.zones[number].map((token) => this.table.players.get(token));
    const isMeld = zone.isOneOfMany && kind.isLaidOut;
    const maker = isMeld && first === second ? first : undefined; // nobody, if all build
    const text = isPile ? zone.title : maker === undefined ? "" : shortName(this.players[maker]);
    const told = isPile ? `${text} ${held.length}` : text;
    if (zone.caption.textContent !== told) {
      zone.caption.replaceChildren(
        ...(text ? [make("bdi", {}, text)] : []),
        ...(isPile ? [" ", make("b", {}, String(held.length))] : []),
      );
    }
    const half = measureText(`${text} 00`, TITLE_FONT) * 0.46 * this.size.text + 6; // a caption at the rim is not cut
    moveTo(
      zone.caption,
      Math.max(half, Math.min(this.size.width - half, box.x + box.width / 2)),
      box.y + box.height + 3,
    );
    const isCounted = at.owner !== undefined && kind.isCounted(held.length, at.owner === this.near);
    say(zone.badge, isCounted ? String(held.length) : "");
    zone.place.title = `${zone.title}: ${held.length}`;
    const right = Math.max(0, ...box.cards.map(([x]) => x)) + box.card;
    const top = box.y + Math.min(...box.cards.map(([, y]) => y), box.height);
    moveTo(zone.badge, Math.min(box.x + right - 4, this.size.width - 16), Math.max(2, top - 8));
  }

  layCard(zone, token, box, at, depth) {
    const [dx, dy] = box.cards[at];
    if (token < 0) {
      const empty = (zone.empties[at] ??= make("li", { class: "card none" }));
      empty.dataset.label = String(zone.at.labels[at]);
      place(empty, { x: box.x + dx, y: box.y + dy, width: box.card, height: box.card * 1.4 });
      return empty;
    }
    const card = this.cards.get(token) ?? this.makeCard(token);
    const face = this.showsBack(zone, token) ? null : this.visibleFace(token);
    this.drawCard(card, face, box.card);
    const isUnseen = face !== null && this.eyes < 0 && !this.table.known.get(token); // by any seat
    card.node.classList.toggle("unseen", isUnseen);
    const by = box.isTrick ? this.table.players.get(token) : undefined;
    this.nameCard(card, by);
    this.markCard(card, this.instruments.markOf(zone.at.name, this.table.zones[zone.number].indexOf(token)));
    const label = zone.kind.labelAt(zone.at, at);
    if (label !== undefined) card.node.dataset.label = String(label);
    else delete card.node.dataset.label;
    Object.assign(card, { x: box.x + dx, y: box.y + dy, width: box.card, zone: zone.number });
    writeStyle(card.node, { transform: `translate(${card.x}px, ${card.y}px)`, width: `${box.card}px`, zIndex: depth });
    return card.node;
  }

  /** Note where a card lies that is not drawn, as it lies in a pile. */
  bury(zone, token, box) {
    const card = this.cards.get(token);
    if (!card) return;
    Object.assign(card, { x: box.x, y: box.y, width: box.card, zone: zone.number });
    card.node.remove();
  }

  makeCard(token) {
    const card = {
      token,
      node: make("li", { class: "card" }),
      face: undefined,
      kind: "",
      by: undefined,
      x: NaN,
      y: NaN,
      width: 0,
      zone: -1,
      tag: null,
      mark: "",
      markNode: null,
      drawing: null,
    };
    this.cards.set(token, card);
    const source = this.findSource(token);
    if (source) Object.assign(card, source);
    return card;
  }

  /** Return where a card was that had not been drawn: in a pile of the layout before. */
  findSource(token) {
    const zone = this.before?.zones.findIndex((tokens) => tokens.includes(token)) ?? -1;
    const box = this.layout?.zones.get(zone);
    return box && { x: box.x, y: box.y, width: box.card, zone };
  }

  drawCard(card, face, width) {
    const kind = `${face}${width < SMALL_FACE}`;
    if (card.kind === kind && card.drawing) return;
    const look = face === null ? null : this.sequence.looks[String(face)];
    card.drawing?.remove();
    card.drawing = drawFace(look, width);
    card.node.prepend(card.drawing);
    Object.assign(card, { face, kind });
    card.node.setAttribute("aria-label", look === null ? "a hidden card" : look.name);
  }

  /** Let a card show what everybody knows of it. */
  markCard(card, words) {
    if (card.mark === words) return;
    card.mark = words;
    card.markNode?.remove();
    card.markNode = words ? make("span", { class: "mark-of-card" }, words) : null;
    if (card.markNode) card.node.append(card.markNode);
  }

  nameCard(card, by) {
    if (card.by === by) return;
    card.by = by;
    card.tag?.remove();
    card.tag = by === undefined
      ? null
      : make("bdi", { class: "by", "aria-hidden": "true", title: this.players[by] }, shortName(this.players[by]));
    if (!card.tag) return;
    card.tag.style.setProperty("--seat", SEAT_COLOURS[by % SEAT_COLOURS.length]);
    card.node.append(card.tag);
  }

  /** Whether a card shows its back, though the viewer may know it: unseen in a pile, or among the tricks of a seat. */
  showsBack({ at, kind }, token) {
    const isTaken = at.owner !== undefined && at.place === "beside";
    return kind.isStacked && (isTaken || (this.eyes < 0 && !this.table.known.get(token)));
  }

  visibleFace(token) {
    const { table, eyes } = this;
    const face = table.faces.get(token) ?? null;
    const mayTell = eyes < 0 || this.sequence.viewer === eyes || ((table.known.get(token) ?? 0) >> eyes) & 1;
    return mayTell ? face : null;
  }

  /** Return the cards of a zone as they are shown: hands and melds in the order of their faces. */
  sort({ kind, isOneOfMany }, tokens) {
    const rank = (token) => this.order.get(String(this.visibleFace(token))) ?? Infinity;
    return kind.sort(tokens, rank, isOneOfMany);
  }

  /** Let cards come from where they were. */
  animate(from, ms) {
    const moved = [...this.cards.values()].filter((card) =>
      card.node.isConnected && this.hasMoved(card, from.get(card.token))
    );
    const duration = Math.min(MOVE_MS, ms);
    const pause = moved.length > 4 ? Math.min(DEAL_MS, (ms * 0.6) / moved.length) : 0;
    moved.forEach((card, at) => {
      const start = from.get(card.token) ?? this.findSource(card.token);
      const shrink = start.width / card.width;
      const isFlight = start.zone !== card.zone;
      const steps = [
        `translate(${start.x}px, ${start.y}px) scale(${shrink})`,
        `translate(${card.x}px, ${card.y}px) scale(1)`,
      ];
      const middle = `translate(${(start.x + card.x) / 2}px, ${(start.y + card.y) / 2 - LIFT}px) scale(${
        ((1 + shrink) / 2) * 1.06
      })`;
      const frames = isFlight ? [steps[0], middle, steps[1]] : steps;
      if (isFlight) card.node.classList.add("flying"); // above all others; only transforms are animated
      const flight = card.node.animate(frames.map((transform) => ({ transform })), {
        duration: isFlight ? duration : duration * 0.6,
        delay: at * pause,
        easing: "cubic-bezier(.3,.7,.2,1)",
        fill: "backwards",
      });
      flight.finished.then(() => card.node.classList.remove("flying"), () => undefined);
    });
  }

  hasMoved(card, before) {
    const start = before && !Number.isNaN(before.x) ? before : this.findSource(card.token);
    return Boolean(start) && Math.abs(start.x - card.x) + Math.abs(start.y - card.y) > 1;
  }

  // ---- words

  showWords() {
    const { table, scene } = this;
    this.showFacts(table.tableCounts);
    this.sequence.secrets.forEach((_, number) => {
      const values = table.secrets[number];
      const texts = values === null ? ["?"] : values.map((value) => String(value ?? "none"));
      this.secrets[number].replaceChildren(...texts.map((text) => make("li", {}, text)));
    });
    this.seats.forEach((one, seat) => {
      this.showCounts(one, table.seatCounts[seat]);
      this.instruments.markPlate(one.bar, seat);
      say(one.result, scene.results[seat] ?? "");
      say(one.last, scene.lasts[seat] ?? "");
      one.last.title = scene.lasts[seat] ?? "";
      one.node.classList.toggle("acts", scene.acting.includes(seat));
      one.node.classList.toggle("takes", scene.taker === seat);
      one.node.classList.toggle("won", scene.places[seat] === 1);
    });
  }

  /** Show the counts of the table, if they are not those that are shown, and how many turns away each seat is. */
  showFacts(counts) {
    if (this.facts.told === counts) return;
    this.facts.told = counts;
    this.facts.node.replaceChildren(...counts.map((count) => countItem(count, this.sequence.looks, true)));
    const order = String(counts.find((count) => count[2] === "order")?.[1] ?? "").split(" ");
    this.seats.forEach((one, seat) =>
      say(one.turn, order.indexOf(String(seat)) > 0 ? String(order.indexOf(String(seat))) : "")
    );
  }

  /** Show the counts of a seat, if they are not those that are shown. */
  showCounts(one, counts) {
    if (one.told === counts) return;
    one.told = counts;
    one.counts.replaceChildren(...counts.map((count) => countItem(count, this.sequence.looks, false)));
    const bet = counts.find((count) => count[2] === "bet");
    one.bet.replaceChildren(...(bet ? [drawChips(bet[1]), make("b", {}, formatCount(bet[1]))] : []));
    one.dealer.replaceChildren(...(counts.some((count) => count[2] === "button") ? [makeDealer()] : []));
    one.node.classList.toggle("out", counts.some((count) => count[2] === "out"));
  }

  placeSeat(one, at, seat) {
    moveTo(one.plate, at.x, at.y);
    one.plate.style.maxWidth = `${at.width}px`;
    one.node.classList.toggle("tall", Boolean(at.isTall));
    if (at.last) moveTo(one.last, at.last.x, at.last.y);
    one.last.hidden = !at.last || !this.scene.lasts[seat];
    if (at.bet) moveTo(one.bet, at.bet.x, at.bet.y);
  }

  // ---- clicks

  /** Return the token of a card on the screen; undefined if it is none. */
  tokenOf(node) {
    return [...this.cards.values()].find((card) => card.node === node)?.token;
  }

  pick(target) {
    const section = target.closest(".zone");
    const item = target.closest(".card");
    const seat = target.closest(".plate")?.parentElement.dataset.seat;
    if (!section && seat === undefined) return;
    const token = item ? this.tokenOf(item) : undefined;
    const face = token === undefined ? null : this.visibleFace(token);
    this.node.dispatchEvent(
      new CustomEvent("pick", {
        bubbles: true,
        detail: {
          zone: section ? +section.dataset.zone : -1,
          token,
          face,
          label: item?.dataset.label,
          seat: seat === undefined ? undefined : +seat,
        },
      }),
    );
  }
}

function place(node, { x, y, width, height }) {
  writeStyle(node, { left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px` });
}

function moveTo(node, x, y, width) {
  writeStyle(node, { left: `${x}px`, top: `${y}px`, ...(width === undefined ? {} : { width: `${width}px` }) });
}

const written = new WeakMap(); // styles of nodes, as text

/** Let a node have styles; those that it has already cost nothing. */
function writeStyle(node, styles) {
  const text = Object.values(styles).join(" ");
  if (written.get(node) === text) return;
  written.set(node, text);
  Object.assign(node.style, styles);
}

/** Let a node have a text; one that it has already costs nothing. */
function say(node, text) {
  if (node.textContent !== text) node.textContent = text;
}
