// The page of a tournament for a projector: standings, bracket or rounds, a table in play, finished games; in the end
// the podium. Nobody needs to touch it: its pages turn, and it renews itself by the streams of the tournament.

import { make } from "./elements.js";
import { formatOfStage } from "./rounds.js";
import { bracketPages, overflows, podiumPages, roundPages, standingsPages } from "./show_pages.js";
import { ShownTable } from "./shown_table.js";

const PAGE_MS = 12_000; // that a page stays, unless the address says so: ?show=20
const PODIUM_PAGES = 3; // times as long
const LOOK_MS = 5000; // between looks at the finished games, which also find out that the server is gone
const ANSWER_MS = 8000; // in which it has to answer

class Show {
  constructor(root) {
    this.data = null;
    this.pages = []; // [{ name, isWide, node }]
    this.at = 0; // the page that is shown
    this.pageMs = 1000 * +new URLSearchParams(location.search).get("show") || PAGE_MS;
    this.title = make("h1", {}, ...root.childNodes);
    this.state = make("span", { class: "state" });
    this.count = make("span", { class: "count" });
    this.headline = make("p", { class: "headline" });
    this.connection = make("p", { class: "connection", role: "status" });
    this.board = make("section", { class: "board", "aria-live": "off" });
    this.table = new ShownTable(() => this.arrange());
    this.ticker = make("ul", { class: "ticker", "aria-label": "finished games" });
    this.main = make("main", {}, this.board, this.table.node);
    root.replaceChildren(
      make("header", {}, this.title, this.state, this.count),
      this.connection,
      this.headline,
      this.main,
      this.ticker,
    );
    this.listen();
    this.look();
    addEventListener("resize", () => this.rebuild());
    this.turnAfter(this.pageMs);
  }

  // ---- what is received

  listen() {
    this.events?.close();
    this.events = new EventSource("events");
    this.events.addEventListener("message", (event) => this.show(JSON.parse(event.data)));
    this.events.addEventListener("tables", (event) => this.table.choose(JSON.parse(event.data), this.order));
    this.events.addEventListener("open", () => this.tellLoss(false));
    this.events.addEventListener("error", () => this.tellLoss(true));
  }

  /** Fetch the finished games, again and again. A server that came back is listened to again. */
  async look() {
    const given = new AbortController();
    const timer = setTimeout(() => given.abort(), ANSWER_MS);
    try {
      const answer = await fetch("games.json", { signal: given.signal });
      if (!answer.ok) throw new Error(await answer.text());
      this.showGames(await answer.json());
      if (this.isLost) this.listen();
    } catch {
      this.tellLoss(true);
    }
    clearTimeout(timer);
    setTimeout(() => this.look(), LOOK_MS);
  }

  tellLoss(isLost) {
    this.isLost = isLost;
    const told = isLost ? "The server does not answer; trying again …" : "";
    if (this.connection.textContent !== told) this.connection.textContent = told;
  }

  show(data) {
    if (data.error) {
      this.headline.textContent = data.error;
      return;
    }
    const isFirst = this.data === null;
    const wasOver = this.data?.state === "over";
    this.data = data;
    this.order = data.summary.standings.map((line) => line.name);
    document.title = data.name;
    this.title.textContent = data.title.split(": ")[0] === data.title ? data.name : data.title.split(": ")[0];
    this.state.textContent = data.state;
    this.state.className = `state ${data.state}`;
    const [played, total] = [data.summary.played, data.total];
    const isTold = total >= played && data.state !== "over"; // a match that is extended has more than planned
    this.count.textContent = `${played.toLocaleString("en")}${isTold ? ` of ${total.toLocaleString("en")}` : ""} games`;
    this.headline.textContent = data.summary.headline?.text ?? data.summary.verdict[0] ?? "";
    if (data.state === "over") this.table.close();
    this.rebuild();
    if (isFirst || (data.state === "over" && !wasOver)) this.turnTo(0);
  }

  showGames(games) {
    const items = games.map(({ game_id: game, bots, places, points }) => {
      const inOrder = bots.map((bot, seat) => ({ bot, place: places[seat], points: points[seat] }));
      inOrder.sort((one, other) => one.place - other.place);
      const parts = inOrder.flatMap(({ bot, place, points: own }, at) => [
        at ? " · " : "",
        make(place === 1 ? "b" : "span", {}, make("bdi", { dir: "auto" }, bot), ` ${+own.toFixed(1)}`),
      ]);
      return make("li", {}, make("i", {}, `${game}`), " ", ...parts);
    });
    this.ticker.replaceChildren();
    for (const item of items) {
      this.ticker.append(item);
      if (overflows(this.ticker)) {
        item.remove();
        break;
      }
    }
  }

  // ---- its pages

  /** Whether there is a game to be shown beside the pages. */
  get hasTable() {
    return this.data?.state === "playing" && this.table.isOpen;
  }

  /** Make all pages again; the one that is shown stays. */
  rebuild() {
    if (!this.data) return;
    const name = this.pages[this.at]?.name;
    const { data } = this;
    const { rounds } = data.summary;
    this.main.classList.toggle("alone", !this.hasTable);
    this.pages = [];
    const standings = () => standingsPages(data, !this.hasTable, this.fitter(false));
    if (data.state === "over") this.pages.push(...podiumPages(data, this.fitter(true)));
    if (rounds.length && formatOfStage(data, rounds.at(-1)) === "knockout") {
      this.pages.push(...bracketPages(data.summary, data.state === "over", this.fitter(true)), ...standings());
    } else if (["stages", "swiss"].includes(data.format) && rounds.length) {
      this.pages.push(...roundPages(rounds, !this.hasTable, this.fitter(false)), ...standings());
    } else this.pages.push(...standings());
    const kept = this.pages.findIndex((page) => page.name === name);
    this.at = kept < 0 ? Math.min(this.at, this.pages.length - 1) : kept;
    this.arrange();
  }

  /** Return a function that tells whether a page overflows the room that it has in the end. */
  fitter(isWide) {
    return (node) => {
      this.main.classList.toggle("wide", isWide);
      this.board.replaceChildren(node);
      return ![this.board, node, ...node.querySelectorAll(".bracket")].some(overflows);
    };
  }

  arrange() {
    const page = this.pages[this.at];
    if (!page) return;
    if (this.main.classList.contains("alone") === this.hasTable) return this.rebuild();
    this.main.classList.toggle("wide", Boolean(page.isWide));
    this.board.replaceChildren(page.node);
    page.draw?.();
    this.board.dataset.page = page.name;
  }

  turnTo(at) {
    this.at = at;
    this.arrange();
    this.turnAfter(this.pages[at]?.name === "podium" ? PODIUM_PAGES * this.pageMs : this.pageMs);
  }

  turnAfter(ms) {
    clearTimeout(this.turning);
    this.turning = setTimeout(() => this.turnTo(this.pages.length ? (this.at + 1) % this.pages.length : 0), ms);
  }
}

new Show(document.getElementById("show"));
