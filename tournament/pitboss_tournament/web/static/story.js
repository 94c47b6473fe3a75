// What has happened since a player's last move, in words.

import { shortName } from "./names.js";

const LONGEST = 400; // characters

export class Story {
  /** `seat` is the player's; null for a spectator. */
  constructor(replay, seat) {
    this.replay = replay;
    this.seat = seat;
    this.frame = -1; // that was on the screen
  }

  /** Whether another frame is on the screen than when this was asked before. */
  isNewFrame() {
    const isNew = this.frame !== this.replay.frame;
    this.frame = this.replay.frame;
    return isNew;
  }

  /** Return the frame of the player's last move, the first one of the game if there is none. */
  get begin() {
    const { reel, data, first } = this.replay;
    const own = data.decisions.findLastIndex((one) => one.seat === this.seat);
    return own < 0 ? 0 : reel.frameOf(first + own);
  }

  /** Return what the frame on the screen shows. */
  tellFrame() {
    const at = this.replay.frame;
    return [this.tellMove(at), this.tellTaker(at)].filter((part) => part).join("; ") || this.replay.frames[at].says;
  }

  /** Return what the others did since the player's last move; "" if they did nothing. */
  tellSince() {
    const { begin } = this;
    const told = this.replay.frames.slice(begin).flatMap((_, after) => [
      after ? this.tellMove(begin + after) : "",
      this.tellTaker(begin + after),
    ]);
    const text = told.filter((part) => part).join("; ");
    return text.length > LONGEST ? `… ${text.slice(text.indexOf("; ", text.length - LONGEST) + 2)}` : text;
  }

  /** Return who did what, if a frame is the first one of a move. */
  tellMove(at) {
    const { replay } = this;
    const { decision } = replay.frames[at];
    const one = replay.decisionAt(decision);
    const isMove = decision !== replay.frames[at - 1]?.decision && one?.seat !== undefined && one.text;
    return isMove ? `${this.nameOf(one.seat)}: ${one.text}` : "";
  }

  /** Return who takes the trick that is complete in a frame. */
  tellTaker(at) {
    const taker = this.replay.reel.takers.get(at);
    return taker === undefined ? "" : `${this.nameOf(taker)} ${taker === this.seat ? "take" : "takes"} the trick`;
  }

  nameOf(seat) {
    return seat === this.seat ? "you" : shortName(this.replay.data.players[seat]);
  }
}
