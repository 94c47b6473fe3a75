// The table in play on the page for a projector: a game at a time, card by card, without anything to click.

import { make } from "./elements.js";
import { Replay } from "./replay.js";

const REST_MS = 5000; // from the end of a game to the next one
const RETRY_MS = 3000; // until a table that was not there is looked for again
const GAME_MS = 90_000; // within which a game that is over already is shown
const STEP_MS = 700;

/** A replay that leaves the address alone. */
class ShownGame extends Replay {
  keepAddress() {}

  frameFromHash() {
    return 0;
  }

  toggleSide() {
    this.moves.node.hidden = true;
  }
}

export class ShownTable {
  /** `tell` is called when a game is shown for the first time, and when there is none any more. */
  constructor(tell) {
    this.tell = tell;
    this.tables = [];
    this.order = [];
    this.game = null; // a ShownGame
    this.events = null;
    this.caption = make("p", { class: "caption" });
    const host = make("div", { class: "felt-of-show" });
    this.node = make("section", { class: "live", "aria-label": "a table in play" }, this.caption, host);
    const inner = host.attachShadow({ mode: "open" });
    this.root = make("div", { id: "replay", inert: true });
    this.root.addEventListener("frame", () => this.considerNext());
    inner.append(
      make("link", { rel: "stylesheet", href: "/static/table.css" }),
      make("link", { rel: "stylesheet", href: "/static/shown_table.css" }),
      this.root,
    );
  }

  get isOpen() {
    return this.game !== null;
  }

  /** Take over which tables are in play, and the names of the bots, the best first. */
  choose(tables, order = this.order) {
    this.tables = tables;
    this.order = order;
    if (this.events === null && !this.rest) this.connect();
  }

  /** Show the game in play at the table whose bots stand highest. */
  connect() {
    clearTimeout(this.rest);
    this.rest = null;
    this.isOver = false;
    const stand = ({ players }) =>
      players.reduce((sum, name) => sum + (this.order.indexOf(name) + 1 || 1000), 0) / players.length;
    const [best] = [...this.tables].sort((one, other) => stand(one) - stand(other));
    if (!best) return;
    this.table = best.table;
    this.events = new EventSource(`tables/${best.table}/events`);
    const shows = { page: this.showPage, more: this.showMore, end: this.showEnd, gone: this.leave };
    for (const [name, show] of Object.entries(shows)) {
      this.events.addEventListener(name, (event) => show.call(this, JSON.parse(event.data)));
    }
    this.events.addEventListener("error", () => {
      if (this.events?.readyState === EventSource.CLOSED) this.leave();
    });
  }

  showPage({ game_id: game, replay: data }) {
    const isSame = this.number === game;
    const { frame } = this.game ?? {};
    const wasOpen = this.isOpen;
    this.game?.close();
    this.number = game;
    this.caption.replaceChildren(
      `Game ${game}: `,
      ...data.players.flatMap((name, seat) => [seat ? " – " : "", make("bdi", { dir: "auto" }, name)]),
    );
    this.game = new ShownGame(this.root, data);
    if (!wasOpen) this.tell();
    if (isSame && frame !== undefined) this.game.go(frame, true);
    this.game.catchUp();
  }

  showMore(part) {
    this.game.extend(part);
  }

  showEnd({ is_finished: isFinished, places, results }) {
    this.stopListening();
    this.isOver = true;
    if (!isFinished || !this.game) return this.leave();
    this.game.finish({ places, results });
    const left = this.game.frames.length - 1 - this.game.frame;
    if (left) this.game.play(Math.min(STEP_MS, GAME_MS / left));
    else this.considerNext();
  }

  /** Go on with another game, a moment after the end of this one. */
  considerNext() {
    if (!this.isOver || !this.game?.isAtEnd) return;
    clearTimeout(this.rest);
    this.rest = setTimeout(() => this.connect(), REST_MS);
  }

  /** Look for a table again: the one that was shown is gone. */
  leave() {
    this.stopListening();
    clearTimeout(this.rest);
    this.rest = setTimeout(() => this.connect(), RETRY_MS);
  }

  stopListening() {
    this.events?.close();
    this.events = null;
  }

  /** Show no game any more. */
  close() {
    if (!this.isOpen) return;
    this.stopListening();
    clearTimeout(this.rest);
    this.rest = null;
    this.game.close();
    this.game = null;
    this.tell();
  }
}
