// A small picture of a table in play, as its own page shows it.

import { Board } from "./board.js";
import { make } from "./elements.js";
import { Reel } from "./reel.js";

const SIZE = { width: 960, height: 600 }; // of the table before it is made small

/** Draws one table after the other. Its style is that of the pages of games, which holds within it alone. */
export class MiniTable {
  constructor() {
    this.node = make("div", { class: "mini", "aria-hidden": "true" });
    this.root = this.node.attachShadow({ mode: "open" });
    this.board = null;
    this.watcher = new ResizeObserver(() => this.fit());
    this.watcher.observe(this.node);
  }

  /** Show the data of a game with one frame. */
  show({ sequence, players }) {
    this.board?.close();
    const table = make("section", { class: "table", inert: true });
    Object.assign(table.style, {
      position: "absolute",
      width: `${SIZE.width}px`,
      height: `${SIZE.height}px`,
      transformOrigin: "0 0",
      background: "var(--ground)",
    });
    this.table = table;
    const reel = new Reel(sequence);
    this.board = new Board(table, reel, players);
    this.root.replaceChildren(make("link", { rel: "stylesheet", href: "/static/table.css" }), table);
    this.board.seat(-1);
    this.board.show(reel.tableAt(0), { acting: [], lasts: [], results: [], places: [] });
    this.fit();
  }

  fit() {
    if (this.table) this.table.style.transform = `scale(${this.node.clientWidth / SIZE.width})`;
  }

  close() {
    this.watcher.disconnect();
    this.board?.close();
  }
}
