// The tables in play of a tournament: a line for each, the first ones with a small picture.

import { make } from "./elements.js";
import { MiniTable } from "./mini_table.js";

const PICTURES = 6; // tables that are drawn
const LOOK_MS = 2000; // from one look at the tables that are drawn to the next

/** A line stays as long as its table is there, so that a link keeps the focus. */
export class TableList {
  constructor(fetchJson) {
    this.fetchJson = fetchJson;
    this.lines = new Map();
    this.pictures = new Map(); // by table
    this.list = make("ul", { class: "in-play" });
    this.node = make("section", { hidden: true }, make("h2", {}, "Tables in play"), this.list);
    this.isLooking = false;
  }

  show(tables) {
    const there = new Set(tables.map((one) => one.table));
    for (const [table, line] of this.lines) if (!there.has(table)) this.remove(table, line);
    this.lines = new Map(tables.map((one) => [one.table, this.lines.get(one.table) ?? this.makeLine(one.table)]));
    for (const { table, game_id: game, players } of tables) {
      const line = this.lines.get(table);
      const parts = [
        `game ${game}: `,
        ...players.flatMap((name, seat) => [seat ? ", " : "", make("bdi", { dir: "auto" }, name)]),
      ];
      line.lastChild.replaceChildren(...parts);
      if (!line.isConnected) {
        this.list.insertBefore(
          line,
          [...this.list.children].find((other) => +other.dataset.table > table) ?? null,
        );
      }
    }
    this.node.hidden = tables.length === 0;
    if (!this.isLooking) this.look();
  }

  makeLine(table) {
    return make(
      "li",
      { "data-table": table },
      make("a", { href: `tables/${table}` }, `table ${table}`),
      " ",
      make("span"),
    );
  }

  remove(table, line) {
    line.remove();
    this.pictures.get(table)?.close();
    this.pictures.delete(table);
  }

  /** Draw the first tables as they are now, one after the other, as long as some are in play. */
  async look() {
    this.isLooking = true;
    while (this.lines.size) {
      for (const table of [...this.lines.keys()].slice(0, PICTURES)) if (!document.hidden) await this.drawTable(table);
      await new Promise((done) => setTimeout(done, LOOK_MS));
    }
    this.isLooking = false;
  }

  async drawTable(table) {
    let now = null;
    try {
      now = await this.fetchJson(`tables/${table}/now.json`);
    } catch {
      return; // the next look may find it
    }
    const line = this.lines.get(table);
    if (now === null || !line) return;
    if (!this.pictures.has(table)) this.pictures.set(table, new MiniTable());
    const picture = this.pictures.get(table);
    if (!picture.node.isConnected) line.firstChild.prepend(picture.node); // a click on it leads to the table
    picture.show(now);
  }
}
