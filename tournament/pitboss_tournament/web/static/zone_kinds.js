// The kinds of zones: all that a page does otherwise for one kind than for another. No other script names a kind.

import { sortHand, sortMeld } from "./card_order.js";
import { layPile, layRack, layRow } from "./zone_layout.js";

const PILE_SHOWN = 3; // uppermost cards of a pile that are drawn

/**
 * How cards lie in a zone: in a row, unless a kind says otherwise.
 *
 * A `zone` is one of the view that `Board.describeZone` makes, or of a sequence where that is said.
 */
class ZoneKind {
  constructor(name) {
    this.name = name; // in a sequence, and as a class of the zone's element
    this.isStacked = false; // cards lie on each other: only the top can be reached
    this.hidesPlaces = false; // a hand: its owner sorts it
    this.hasSlots = false; // places are fixed, and may be empty
    this.isLaidOut = false; // side by side on the table: melds, tricks, boards
    this.isHeld = false; // by its owner, whatever the game says
  }

  /**
   * Return a zone laid out: its box, at the origin, and the place of each card in it.
   *
   * A row may be `room` wide, and its cards lie `most` of a width apart at most. A rack has `rows`.
   *
   * @param {any} zone
   * @param {number} card
   * @param {{room?: number, most?: number, rows?: number}} bounds
   * @returns {any}
   */
  lay(zone, card, bounds) {
    return layRow(zone, card, bounds.room ?? 0, bounds.most ?? 1);
  }

  /** Whether a zone takes place where its seat lies. */
  takesPlace(_zone) {
    return true;
  }

  /** Return how many cards to expect in a held zone. */
  weigh(zone) {
    return Math.max(1, zone.count);
  }

  /** Return how many of the uppermost cards are drawn. */
  countDrawn(count) {
    return count;
  }

  /** Return cards in the order in which they are shown. `isOneOfMany`: the zone is one of a group in the middle. */
  sort(tokens, _rank, _isOneOfMany) {
    return tokens;
  }

  /** Return what is printed at a place, undefined for nothing. `zone` is one of a sequence. */
  labelAt(zone, place) {
    return zone.labels?.[place];
  }

  /** Whether a zone that has an owner shows a number of cards. `isNear`: it belongs to the seat in front. */
  isCounted(count, isNear) {
    return !isNear && count > 2;
  }
}

class Pile extends ZoneKind {
  constructor() {
    super("pile");
    this.isStacked = true;
  }

  lay(zone, card) {
    return layPile(zone, card);
  }

  countDrawn(count) {
    return Math.min(count, PILE_SHOWN);
  }

  isCounted(count) {
    return count > 0;
  }
}

class Hand extends ZoneKind {
  constructor() {
    super("hand");
    this.hidesPlaces = true;
    this.isHeld = true;
  }

  weigh(zone) {
    return Math.max(1, zone.reserve);
  }

  sort(tokens, rank) {
    return sortHand(tokens, rank);
  }
}

class Slots extends ZoneKind {
  constructor() {
    super("slots");
    this.hasSlots = true;
    this.isHeld = true;
  }

  lay(zone, card, bounds) {
    return layRack(zone, card, bounds.rows ?? 1);
  }

  isCounted() {
    return false;
  }
}

class Spread extends ZoneKind {
  constructor() {
    super("spread");
    this.isLaidOut = true;
  }

  /** What is only sometimes laid aside takes no place while it is empty. */
  takesPlace(zone) {
    return zone.count > 0;
  }

  sort(tokens, rank, isOneOfMany) {
    return isOneOfMany ? sortMeld(tokens, rank) : tokens;
  }

  /** All can see the places of a hand that is a spread: they have numbers. */
  labelAt(zone, place) {
    return zone.owner === undefined ? super.labelAt(zone, place) : place + 1;
  }
}

const ZONE_KINDS = new Map([new Pile(), new Hand(), new Slots(), new Spread()].map((kind) => [kind.name, kind]));

/** Return the kind of a zone of a sequence. */
export function findKind(zone) {
  return ZONE_KINDS.get(zone.kind);
}
