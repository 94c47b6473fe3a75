// Instruments of a table (pitboss.rendering.instruments): who called what and the grid of bids, boards with pegs, bars
// of a race, arrows of the turns, marks on cards. It draws what the frames have, and names no game.

import { hasCards, markCards } from "./card_faces.js";
import { draw, make, makeButton } from "./elements.js";
import { shortName } from "./names.js";

const CELL = { width: 47, height: 37 }; // of a grid of bids, in pixels, with its gap
const LONGEST_ROW = 7; // cells of a grid that has one row
const CALL = { width: 78, narrow: 62, height: 23 }; // of the table of calls
const MAX_CALL_ROWS = 4; // that are seen at once
const BLOCK_GAP = 14; // between the calls and the grid
const LANE = 17; // height of a lane of a board
const BOARD = { least: 220, most: 620 }; // width of a board
const LETTER = { width: 8.5, height: 18, least: 0.55 }; // of the text of a game, in pixels, and how small it may be

export class Instruments {
  /** `colours` are those of the seats. */
  constructor(players, colours, near) {
    this.players = players;
    this.colours = colours;
    this.near = near;
    this.shown = {}; // as it is on the screen
    this.offered = []; // [index of the action, row, column, text]
    this.chosen = undefined; // the index of an action
    this.columns = 0; // of a grid whose columns are the legal bids
    this.way = null; // how the block is laid out
    this.isPlayed = false; // whether somebody may click bids
    this.isTight = false; // whether there is no room for the grid
    this.text = null; // of the game, as it is on the screen
    this.calls = make("table", { class: "calls", "aria-label": "the bidding" });
    this.callBox = make("div", { class: "call-box" }, this.calls);
    this.grid = make("div", { class: "bid-grid", role: "group", "aria-label": "bids" });
    this.boards = make("div", { class: "boards" });
    this.picture = make("pre", { class: "text-picture", tabindex: "0", "aria-label": "the game" });
    this.node = make("div", { class: "instruments" }, this.callBox, this.grid, this.boards, this.picture);
    this.arrows = draw("svg", { class: "arrows", "aria-hidden": "true" });
  }

  /** Whether the text of the game has cards in it, which are then written with signs of suits. */
  get hasWrittenCards() {
    return hasCards((this.shown.picture ?? []).join("\n"));
  }

  /** Whether bids are clicked in the grid; else they need buttons elsewhere. */
  get hasGrid() {
    return Boolean(this.isPlayed && this.shown.bidding?.has_grid) && !this.isTight;
  }

  /** Take over what is to be drawn; the next layout shows it. */
  show(filled) {
    if (this.shown === filled) return;
    if (!filled.bidding) [this.columns, this.offered] = [0, []];
    this.shown = filled;
    this.drawBoards();
  }

  /** Offer actions that have a cell in the grid; none: nothing is to be bid now. Tell whether this needs more room. */
  offer(actions, chosen) {
    const cells = actions.flatMap(({ cell, text }, index) => (cell ? [[index, ...cell, text]] : []));
    const isSame = JSON.stringify([cells, chosen]) === JSON.stringify([this.offered, this.chosen]);
    if (isSame) return false;
    const before = this.columns;
    this.columns = Math.max(this.columns, cells.filter(([, , column]) => column === -1).length);
    Object.assign(this, { offered: cells, chosen });
    this.drawGrid();
    return this.columns !== before;
  }

  drawPicture(text) {
    if (this.text === text) return; // what is selected in it stays selected
    this.text = text;
    this.picture.replaceChildren(...(hasCards(text) ? markCards(text) : [text]));
  }

  // ---- room

  /** Return the ways in which the block may be laid out, the best one first: each with its width and height. */
  listWays(isPhone) {
    const { bidding, tracks, picture } = this.shown;
    if (picture?.length) return this.measurePicture(picture);
    const boards = (tracks ?? []).filter((track) => track.is_board);
    const lanes = boards.reduce((sum, track) => sum + track.lanes.length, 0);
    if (lanes) return [{ boards: true, width: BOARD.least, most: BOARD.most, height: lanes * LANE + 16 }];
    if (!bidding) return [];
    const calls = bidding.calls.length ? this.measureCalls(bidding, isPhone) : null;
    const grids = bidding.has_grid && this.isPlayed ? this.measureGrids(bidding) : [];
    const beside = grids.map((grid) => this.join(calls, grid, true));
    const below = grids.map((grid) => this.join(calls, grid, false));
    const ways = [
      ...(isPhone ? [] : beside),
      ...below,
      ...(isPhone ? beside : []),
      ...grids.map((grid) => ({ ...grid })),
    ];
    return [...ways, ...(calls ? [{ calls, width: calls.width, height: calls.height }] : [])].filter((way) =>
      way.width
    );
  }

  /** Return sizes of the text, the largest first; the last one is scrolled. */
  measurePicture(lines) {
    const columns = Math.max(20, ...lines.map((line) => line.length));
    const sizes = [1, 0.85, 0.7, LETTER.least].map((scale) => ({
      scale,
      width: Math.ceil(columns * LETTER.width * scale) + 28,
      height: Math.ceil(lines.length * LETTER.height * scale) + 24,
    }));
    const smallest = { scale: LETTER.least, width: 200, height: 120 };
    return [...sizes, { ...smallest, width: 320, height: 220 }, smallest].map((way) => ({ ...way, picture: true }));
  }

  join(calls, way, isBeside) {
    if (!calls) return way;
    return isBeside
      ? {
        ...way,
        calls,
        isBeside,
        width: calls.width + BLOCK_GAP + way.width,
        height: Math.max(calls.height, way.height),
      }
      : { ...way, calls, width: Math.max(calls.width, way.width), height: calls.height + 8 + way.height };
  }

  measureCalls({ calls }, isPhone) {
    const width = isPhone ? CALL.narrow : CALL.width;
    const [first] = calls[0];
    const columns = Math.max(...calls.map(([seat]) => this.stepsFrom(first, seat))) + 1;
    const shown = Math.max(2, Math.min(MAX_CALL_ROWS, this.fillRows(calls).length));
    return {
      width: width * Math.max(columns, Math.min(4, this.players.length)),
      height: (shown + 1) * CALL.height + 10,
    };
  }

  stepsFrom(first, seat) {
    return (seat - first + this.players.length) % this.players.length;
  }

  /** Return the grid as it is declared and, if it has rows, with rows as columns. */
  measureGrids({ rows, columns }) {
    const count = columns?.length || this.columns;
    const beside = this.offered.some(([, row]) => row === Math.max(1, rows?.length ?? 0)) || rows?.length
      ? CELL.height + 4
      : 0;
    const measure = (across, down, isTurned) => ({
      grid: { across, isTurned },
      width: across * CELL.width,
      height: down * CELL.height + beside,
    });
    if (!count) return [];
    if (rows?.length) return [measure(count, rows.length, false), measure(rows.length, count, true)];
    const across = Math.min(LONGEST_ROW, count);
    return [measure(across, Math.ceil(count / across), false)];
  }

  /** Put the block into the middle, in one of the ways; null: there is no room. */
  place(way, box) {
    this.way = way;
    this.node.hidden = !way;
    const wasTight = this.isTight;
    this.isTight = Boolean(this.isPlayed && this.shown.bidding?.has_grid && !way?.grid);
    if (this.isTight !== wasTight) this.node.dispatchEvent(new CustomEvent("tight", { bubbles: true }));
    if (!way) return;
    const width = way.boards ? Math.min(box.width, way.most) : way.width;
    Object.assign(this.node.style, {
      left: `${box.x}px`,
      top: `${box.y}px`,
      width: `${width}px`,
      height: `${way.height}px`,
    });
    this.node.classList.toggle("beside", Boolean(way.isBeside));
    this.callBox.hidden = !way.calls;
    this.grid.hidden = !way.grid;
    this.boards.hidden = !way.boards;
    this.picture.hidden = !way.picture;
    if (way.picture) {
      this.drawPicture(this.shown.picture.join("\n"));
      this.picture.style.fontSize = `${14 * way.scale}px`;
      this.picture.style.lineHeight = `${LETTER.height * way.scale}px`;
    }
    if (way.calls) {
      this.callBox.style.height = `${way.calls.height}px`;
      this.callBox.style.width = `${way.calls.width}px`;
      this.drawCalls();
    }
    if (way.grid) this.drawGrid();
  }

  /** Draw the arrows around what lies in the middle. */
  placeArrows(bounds) {
    const way = this.shown.order?.way ?? 0;
    this.arrows.toggleAttribute("hidden", !way || !bounds);
    if (!way || !bounds) return;
    const [rx, ry] = [bounds.width / 2 + 44, bounds.height / 2 + 30];
    const [width, height] = [2 * rx + 40, 2 * ry + 40];
    const at = (degrees) => {
      const angle = (degrees * Math.PI) / 180;
      return [width / 2 + rx * Math.cos(angle), height / 2 + ry * Math.sin(angle)];
    };
    const arc = (from, to) => {
      const [begin, end] = way > 0 ? [from, to] : [to, from];
      const [[x0, y0], [x1, y1]] = [at(begin), at(end)];
      const [xb, yb] = at(end - way * 5); // where the head comes from
      const angle = (Math.atan2(y1 - yb, x1 - xb) * 180) / Math.PI;
      return [
        draw("path", { d: `M${x0} ${y0}A${rx} ${ry} 0 0 ${way > 0 ? 1 : 0} ${x1} ${y1}` }),
        draw("path", { d: "M-15 -9L0 0L-15 9", transform: `translate(${x1} ${y1}) rotate(${angle})` }),
      ];
    };
    this.arrows.replaceChildren(...arc(200, 340), ...arc(20, 160)); // over the middle, and below it
    this.arrows.setAttribute("viewBox", `0 0 ${width} ${height}`);
    Object.assign(this.arrows.style, {
      left: `${bounds.x + bounds.width / 2 - width / 2}px`,
      top: `${bounds.y + bounds.height / 2 - height / 2}px`,
      width: `${width}px`,
      height: `${height}px`,
    });
  }

  // ---- the bidding

  /** Return the calls in rows, each by the column of its seat. */
  fillRows(calls) {
    const rows = [];
    const [first] = calls[0] ?? [];
    let before = Infinity;
    for (const [seat, words] of calls) {
      const column = this.stepsFrom(first, seat);
      if (column <= before) rows.push([]);
      rows.at(-1)[column] = words;
      before = column;
    }
    return rows;
  }

  drawCalls() {
    const { calls } = this.shown.bidding;
    if (this.calls.told === calls && this.calls.near === this.near) return;
    Object.assign(this.calls, { told: calls, near: this.near });
    const [first] = calls[0] ?? [this.near];
    const seats = this.players.map((_, step) => (first + step) % this.players.length);
    const head = make(
      "tr",
      {},
      ...seats.map((seat) => {
        const name = make(
          "th",
          { scope: "col", title: this.players[seat] },
          make("bdi", {}, shortName(this.players[seat])),
        );
        name.style.setProperty("--seat", this.colours[seat % this.colours.length]);
        return name;
      }),
    );
    const rows = this.fillRows(calls).map((row) => make("tr", {}, ...seats.map((_, at) => makeCall(row[at] ?? ""))));
    this.calls.replaceChildren(make("thead", {}, head), make("tbody", {}, ...rows));
    this.callBox.scrollTop = this.callBox.scrollHeight;
  }

  drawGrid() {
    const { bidding } = this.shown;
    if (!bidding || !this.way?.grid) return;
    const { rows = [], columns = [] } = bidding;
    const { across, isTurned } = this.way.grid;
    const last = Math.max(1, rows.length);
    const made = new Map(bidding.calls.map(([seat, words]) => [words, seat]));
    const offered = new Map(this.offered.map((one, at) => [`${one[1]} ${one[2] < 0 ? at : one[2]}`, one]));
    const free = this.offered.filter(([, , column]) => column < 0);
    const cells = rows.length
      ? (isTurned
        ? columns.flatMap((column, x) =>
          rows.map((row, y) => this.makeCell(offered.get(`${y} ${x}`), `${row}${column}`, made))
        )
        : rows.flatMap((row, y) =>
          columns.map((column, x) => this.makeCell(offered.get(`${y} ${x}`), `${row}${column}`, made))
        ))
      : columns.length
      ? columns.map((column, x) => this.makeCell(offered.get(`0 ${x}`), column, made))
      : Array.from(
        { length: this.columns },
        (_, at) => this.makeCell(free[at], free[at]?.[3].split(" ").at(-1) ?? "", made),
      );
    const beside = this.offered.filter(([, row]) => row === last).sort((one, other) => one[2] - other[2]);
    this.grid.style.gridTemplateColumns = `repeat(${across}, 1fr)`;
    const active = document.activeElement;
    const focused = active instanceof HTMLElement && this.grid.contains(active) ? active.dataset.key : undefined;
    this.grid.replaceChildren(
      ...cells,
      make("div", { class: "beside-bids" }, ...beside.map((one) => this.makeCell(one, one[3], new Map()))),
    );
    if (focused) this.grid.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus();
  }

  /** Return a cell of the grid: a button for an action that is offered, else pale; in the colour of who called it. */
  makeCell(offer, text, made) {
    const act = () => this.grid.dispatchEvent(new CustomEvent("bid", { bubbles: true, detail: offer[0] }));
    const isRed = /[♥♦]/.test(text) ? " red" : "";
    const cell = makeButton(text, act, {
      class: `bid-cell${isRed}${made.has(text) ? " made" : ""}`,
      "aria-label": offer?.[3] ?? text,
      "aria-pressed": String(Boolean(offer) && offer[0] === this.chosen),
      "data-key": offer ? `action ${offer[0]}` : `bid ${text}`,
      disabled: !offer,
    });
    if (made.has(text)) cell.style.setProperty("--seat", this.colours[made.get(text) % this.colours.length]);
    return cell;
  }

  // ---- races

  drawBoards() {
    const boards = (this.shown.tracks ?? []).filter((track) => track.is_board);
    this.boards.replaceChildren(...boards.map((track) => this.drawBoard(track)));
  }

  /** Return a board with a row of holes for each lane; a peg stands at the score, a pale one at the score before. */
  drawBoard({ goal, lanes }) {
    const place = (points) => 8 + 4 * points + 2 * Math.floor(Math.max(0, points - 1) / 5); // a gap after each five
    const width = place(goal) + 10;
    const height = lanes.length * LANE;
    const holes = lanes.flatMap((_, lane) =>
      Array.from(
        { length: goal + 1 },
        (_, at) =>
          draw("circle", { cx: place(at), cy: LANE * (lane + 0.5), r: at === goal ? 2.2 : 1.1, class: "hole" }),
      )
    );
    const pegs = lanes.flatMap(({ seats, score, before }, lane) => {
      const at = (points) => ({ cx: place(Math.max(0, Math.min(goal, points))), cy: LANE * (lane + 0.5) });
      const fill = this.colours[seats[0] % this.colours.length];
      return [
        draw("circle", { ...at(before), r: 4, class: "peg back", fill }),
        draw("circle", { ...at(score), r: 5.2, class: "peg", fill }),
      ];
    });
    const told = lanes.map(({ seats, score }) => `${seats.map((seat) => this.players[seat]).join(" and ")} ${score}`);
    return draw(
      "svg",
      {
        viewBox: `0 0 ${width} ${height}`,
        class: "peg-board",
        role: "img",
        "aria-label": `to ${goal}: ${told.join(", ")}`,
      },
      ...holes,
      ...pegs,
    );
  }

  /** Let the plate of a seat show how far it has come in a race that has no board. */
  markPlate(bar, seat) {
    const track = (this.shown.tracks ?? []).find((one) => !one.is_board);
    const lane = track?.lanes.find(({ seats }) => seats.includes(seat));
    bar.hidden = !lane;
    if (!lane) return;
    bar.style.setProperty("--done", `${Math.max(0, Math.min(100, (100 * lane.score) / track.goal))}%`);
    bar.title = `${lane.score} of ${track.goal}`;
  }

  // ---- marks

  /** Whether anything is known of cards of a zone. */
  hasMarks(zone) {
    return (this.shown.marks?.[zone] ?? []).some((words) => words);
  }

  /** Return what everybody knows of a card, by its zone and place there; "" if nothing is told. */
  markOf(zone, at) {
    return this.shown.marks?.[zone]?.[at] ?? "";
  }
}

function makeCall(words) {
  return make("td", { class: /[♥♦]/.test(words) ? "red" : /\d/.test(words) ? "" : "plain" }, words);
}
