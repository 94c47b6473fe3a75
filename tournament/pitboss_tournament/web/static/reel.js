// The tables of a game, frame by frame (pitboss.records.frames).

import { findKind } from "./zone_kinds.js";

const KEYFRAME = 64; // frames from one kept table to the next

/** The tables of a sequence. */
export class Reel {
  constructor(sequence) {
    this.sequence = sequence;
    this.frames = [];
    this.keyframes = [];
    this.most = sequence.zones.map(() => 0); // cards that each zone has held at once
    this.takers = new Map(); // by number of a frame after which a trick is taken: the seat
    this.last = {
      zones: sequence.zones.map(() => []),
      secrets: sequence.secrets.map(() => []),
      faces: new Map(),
      known: new Map(),
      players: new Map(), // by token of a card that lies with nobody: the seat whose cards it was among
      tableCounts: [],
      instruments: {},
      seatCounts: Array.from({ length: sequence.seats }, () => []),
    };
    this.extend(sequence.frames);
  }

  /** Add the next frames; tell whether a zone holds cards for the first time. */
  extend(frames) {
    let isNew = false;
    for (const frame of frames) {
      if (this.frames.length % KEYFRAME === 0) this.keyframes.push(copyTable(this.last));
      const taker = this.findTaker(frame);
      if (taker !== undefined) this.takers.set(this.frames.length - 1, taker);
      this.apply(this.last, frame);
      this.frames.push(frame);
      for (const zone of Object.keys(frame.zones ?? {})) {
        const count = this.last.zones[zone].filter((token) => token >= 0).length;
        isNew ||= count > 0 && this.most[zone] === 0;
        this.most[zone] = Math.max(this.most[zone], count);
      }
    }
    return isNew;
  }

  /** Return the seat that takes all that has been laid into the middle, in the next frame; undefined if none does. */
  findTaker(frame) {
    const { zones } = this.sequence;
    const changed = Object.entries(frame.zones ?? {});
    const [trick] = changed.filter(([zone, left]) =>
      !left.length && zones[zone].owner === undefined && findKind(zones[zone]).isLaidOut
    ).map(([zone]) => this.last.zones[zone]);
    if (!trick || trick.length < 2) return undefined;
    const [target] = changed.find(([, now]) => trick.every((token) => now.includes(token))) ?? [];
    return zones[target]?.owner;
  }

  /** Return the table after frame `number`. */
  tableAt(number) {
    const key = Math.floor(number / KEYFRAME);
    const table = copyTable(this.keyframes[key]);
    for (let at = key * KEYFRAME; at <= number; at++) this.apply(table, this.frames[at]);
    return table;
  }

  /** Return the first frame of a decision or, if the viewer has seen nothing of it, of the next one. */
  frameOf(decision) {
    const found = this.frames.findIndex((frame) => frame.decision >= decision);
    return found < 0 ? this.frames.length - 1 : found;
  }

  /** Return the frame after which nothing more has happened at a decision. */
  lastFrameOf(decision) {
    const found = this.frames.findIndex((frame) => frame.decision > decision);
    return found < 0 ? this.frames.length - 1 : Math.max(0, found - 1);
  }

  apply(table, frame) {
    if (frame.zones) this.moveTokens(table, frame.zones);
    for (const [token, face] of Object.entries(frame.faces ?? {})) table.faces.set(+token, face);
    for (const [token, seats] of Object.entries(frame.known ?? {})) table.known.set(+token, seats);
    for (const [secret, values] of Object.entries(frame.secrets ?? {})) table.secrets[secret] = values;
    for (const [seat, counts] of Object.entries(frame.seat_counts ?? {})) table.seatCounts[seat] = counts;
    table.tableCounts = frame.table_counts ?? table.tableCounts;
    table.instruments = frame.instruments ?? table.instruments;
  }

  moveTokens(table, changed) {
    const { zones } = this.sequence;
    const left = new Map(); // by token that has moved: the owner of the zone that it left
    for (const zone of Object.keys(changed)) for (const token of table.zones[zone]) left.set(token, zones[zone].owner);
    for (const [zone, tokens] of Object.entries(changed)) {
      const isOpen = zones[zone].owner === undefined;
      for (const token of tokens) {
        if (isOpen && left.get(token) !== undefined) table.players.set(token, left.get(token));
        else if (!isOpen) table.players.delete(token);
      }
      table.zones[zone] = tokens;
    }
  }
}

function copyTable(table) {
  return {
    zones: table.zones.slice(),
    secrets: table.secrets.slice(),
    faces: new Map(table.faces),
    known: new Map(table.known),
    players: new Map(table.players),
    tableCounts: table.tableCounts,
    instruments: table.instruments,
    seatCounts: table.seatCounts.slice(),
  };
}
