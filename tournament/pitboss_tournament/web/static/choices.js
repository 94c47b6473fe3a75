// What a person has picked on the table, and the actions that it may mean. Plain values, no page.

const FEW = 12; // actions that are shown as buttons once something is picked, though all take as many cards

/** The picks of a question: faces of cards, and a slot, a zone or a seat. */
export class Choices {
  /** `actions` are those of the question; `drawn` the names of the zones that can be clicked. */
  constructor(actions, drawn) {
    this.actions = actions;
    this.drawn = drawn;
    this.clear();
  }

  /** Pick nothing. */
  clear() {
    this.cards = []; // [token, face]
    this.slot = undefined;
    this.zone = undefined;
    this.seat = undefined;
    this.named = this.actions.length === 1 ? 0 : undefined; // the action that was chosen by its name
  }

  get isEmpty() {
    return !this.cards.length && this.slot === undefined && this.zone === undefined && this.seat === undefined &&
      this.named === undefined;
  }

  /** Return the indexes of the actions that have all that is picked. */
  list() {
    return [...this.actions.keys()].filter((index) => this.fits(this.actions[index]));
  }

  fits({ cards = [], zones = [], seats = [], slot }) {
    return holds(cards, this.cards.map(([, face]) => face)) && (this.slot === undefined || slot === this.slot) &&
      (this.zone === undefined || zones.includes(this.zone)) && (this.seat === undefined || seats.includes(this.seat));
  }

  /** Return the index of the one action that is meant; undefined if several may be. */
  find() {
    if (this.named !== undefined || this.isEmpty) return this.named;
    const found = this.list();
    if (found.length === 1) return found[0];
    const exact = found.filter((index) => this.isComplete(this.actions[index]));
    return exact.length === 1 ? exact[0] : undefined;
  }

  /** Whether nothing that a click could say is left open. */
  isComplete({ cards = [], zones = [], seats = [], slot }) {
    const isPlaced = this.zone !== undefined || !zones.some((name) => this.drawn.has(name)) ||
      (cards.length > 0 && this.hasOneWay(cards));
    return cards.length === this.cards.length && slot === this.slot && isPlaced &&
      (this.seat !== undefined || !seats.length);
  }

  /** Return the indexes of the actions that stand as buttons: those that no click says, else what is left. */
  listButtons() {
    if (this.isEmpty) return [...this.actions.keys()].filter((index) => this.isPlain(this.actions[index]));
    const fitting = this.list();
    const sizes = new Set(fitting.map((index) => this.actions[index].cards?.length));
    return fitting.length < FEW || sizes.size > 1 ? fitting : []; // cards that are still to be picked say the rest
  }

  /** Whether nothing on the table stands for an action. */
  isPlain({ cards = [], zones = [], seats = [], slot }) {
    return !cards.length && slot === undefined && !seats.length && !zones.some((name) => this.drawn.has(name));
  }

  /** Whether no other action has just these cards. */
  hasOneWay(cards) {
    return this.actions.filter((one) => one.cards?.length === cards.length && holds(one.cards, cards)).length === 1;
  }

  /** Pick a card of a hand, or pick it no more; if no action has it beside the others, pick it alone. */
  pickCard(token, face) {
    this.named = undefined;
    if (this.hasCard(token)) this.cards = this.cards.filter(([one]) => one !== token);
    else this.cards = [...this.cards, [token, face]];
    if (this.list().length) return;
    this.clear();
    this.cards = [[token, face]];
  }

  /** Pick a slot, a zone or a seat, or pick it no more; if no action has it beside the rest, pick it alone. */
  pickPlace(kind, value) {
    this.named = undefined;
    this[kind] = this[kind] === value ? undefined : value;
    if (this.list().length) return;
    this.clear();
    this[kind] = value;
  }

  hasCard(token) {
    return this.cards.some(([one]) => one === token);
  }

  /** Whether an action has a face that may be picked now. */
  takesCard(token, face) {
    if (this.hasCard(token)) return true;
    return this.actions.some((action) => (action.cards ?? []).includes(face));
  }

  /**
   * Whether all that is picked would go with a slot, a zone or a seat. A zone of cards that are still to be picked does
   * not.
   */
  takesPlace(kind, value) {
    const rest = Object.assign(new Choices(this.actions, this.drawn), {
      cards: this.cards,
      slot: this.slot,
      zone: this.zone,
      seat: this.seat,
      [kind]: undefined,
    });
    return rest.list().some((index) => {
      const { cards = [], zones = [], seats = [], slot } = this.actions[index];
      if (kind === "slot") return slot === value;
      if (kind === "seat") return seats.includes(value);
      return zones.includes(value) && cards.length === this.cards.length;
    });
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

/** Return the sizes of a bet that have names, within its bounds: half the pot, the pot, all that the seat has. */
export function nameSizes([least, most], tableCounts, seatCounts, seat) {
  const count = (counts, role) => counts.find((one) => one[2] === role)?.[1] ?? 0;
  const pot = count(tableCounts, "pot");
  if (!pot) return [["least", least], ["most", most]];
  const bets = seatCounts.map((counts) => count(counts, "bet"));
  const highest = Math.max(...bets);
  const called = pot + highest - bets[seat];
  const all = bets[seat] + count(seatCounts[seat], "stack");
  const sizes = [["½ pot", highest + Math.round(called / 2)], ["pot", highest + called]].filter(([, size]) =>
    size > least && size < most
  );
  return [["min", least], ...sizes, [most === all ? "all in" : "max", most]];
}
