// The pages of `pitboss serve`: the list of tournaments, a tournament, a recorded game.

import { make } from "./elements.js";
import { Replay } from "./viewer.js";

const LIST_MS = 2000; // between looks at the list of tournaments

const number = (value, digits = 0) =>
  value === null || value === undefined ? "–" : value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });

async function fetchJson(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(await answer.text());
  return answer.json();
}

function showError(root, error) {
  root.replaceChildren(make("p", { class: "error", role: "alert" }, error.message));
}

// ---- the list

async function showList(root) {
  try {
    const tournaments = await fetchJson("/tournaments.json");
    const items = tournaments.map((one) => {
      const link = make("a", { href: `/t/${encodeURIComponent(one.name)}/` }, one.name);
      if (one.error) return make("li", { class: "broken" }, link, make("span", { class: "error" }, one.error));
      const state = one.is_running ? make("span", { class: "running" }, "playing") : null;
      const best = one.best.length ? `in front: ${one.best.join(", ")}` : "";
      return make("li", {}, make("div", { class: "line" }, link, state), make("span", {}, one.title), make("span", { class: "soft" }, one.progress), make("span", { class: "soft" }, best));
    });
    root.replaceChildren(items.length ? make("ul", { class: "tournaments" }, ...items) : make("p", {}, "There is no store here yet."));
  } catch (error) {
    showError(root, error);
  }
  setTimeout(() => showList(root), LIST_MS);
}

// ---- a tournament

class TournamentPage {
  constructor(root) {
    this.root = root;
    this.bot = null;
    this.games = make("div", { class: "games" });
    this.oldest = null;
    this.top = make("div", {}, ...root.childNodes);
    this.head = make("div");
    this.connection = make("p", { class: "connection", role: "status" });
    this.tables = new TableList();
    root.append(this.connection, this.top, this.tables.node, this.head, this.games);
    this.events = new EventSource("events");
    this.events.addEventListener("message", (event) => this.show(JSON.parse(event.data)));
    this.events.addEventListener("tables", (event) => this.tables.show(JSON.parse(event.data)));
    this.events.addEventListener("open", () => (this.connection.textContent = ""));
    this.events.addEventListener("error", () => (this.connection.textContent = "The server does not answer; trying again …"));
    this.showGames();
  }

  show(data) {
    if (data.error) {
      this.head.replaceChildren();
      return showError(this.top, new Error(data.error));
    }
    document.title = `${data.is_running ? "▶ " : ""}${data.name}`;
    const { summary } = data;
    const top = [
      make("h1", {}, data.name),
      make("p", { class: "soft" }, data.title),
      make("p", { class: "progress" }, data.is_running ? make("span", { class: "running" }, "playing") : "", " ", data.progress),
      progressBar(summary),
      ...summary.verdict.map((line) => make("p", { class: "verdict" }, line)),
    ];
    const parts = [
      this.standings(data),
      ...data.notes.map((line) => make("p", { class: "note" }, line)),
      ...this.faults(summary),
      pairTable(data.pairs),
    ];
    this.top.replaceChildren(...top.filter((part) => part !== null));
    this.head.replaceChildren(...parts.filter((part) => part !== null));
    if (summary.played !== this.played) {
      this.played = summary.played;
      if (this.oldest === null || this.isAtTop) this.showGames();
    }
  }

  standings({ summary, cells }) {
    const lines = summary.standings;
    const ends = lines.flatMap((line) => (line.rating.mean === null ? [] : [line.rating.mean - (line.rating_comparison ?? 0), line.rating.mean + (line.rating_comparison ?? 0)]));
    const [low, high] = [Math.min(0, ...ends), Math.max(0, ...ends)];
    const share = (value) => (100 * (value - low)) / (high - low || 1);
    const heads = ["Rank", "Bot", "Wins, %", "Faults", "Rating", "", "Points", "Games", "p50, ms", "p99, ms"];
    const rows = lines.map((line, index) => {
      const { rating, rank } = line;
      const half = line.rating_comparison;
      const faults = Object.entries(line.faults).map(([kind, count]) => `${count} ${kind}`).join(", ");
      const bar = make("span", { class: "bar" });
      if (rating.mean !== null) {
        const whisker = make("span", { class: "whisker" });
        whisker.style.left = `${share(rating.mean - (half ?? 0))}%`;
        whisker.style.width = `${share(rating.mean + (half ?? 0)) - share(rating.mean - (half ?? 0))}%`;
        const dot = make("span", { class: "dot" });
        dot.style.left = `${share(rating.mean)}%`;
        bar.append(whisker, dot);
      }
      const button = make("button", { type: "button", class: "bot", title: "its games" }, line.name);
      button.addEventListener("click", () => this.choose(line.name));
      return make("tr", { class: line.is_out ? "out" : "" },
        make("td", {}, rank === null ? "–" : rank.best === rank.worst ? `${rank.best}` : `${rank.best}–${rank.worst}`),
        make("th", { scope: "row" }, button),
        make("td", {}, cells[index].wins),
        make("td", { class: faults ? "bad" : "" }, faults || "–"),
        make("td", {}, cells[index].rating),
        make("td", { class: "bars" }, bar),
        make("td", {}, cells[index].points),
        make("td", {}, number(line.games)),
        make("td", {}, number(line.think_p50_ms, 2)),
        make("td", {}, number(line.think_p99_ms, 2)),
      );
    });
    return wideTable("Standings. Two bots whose lines do not overlap differ at 95 %, if one looks at no other two; the verdict looks at all.", heads, rows);
  }

  faults(summary) {
    return summary.first_faults.map(({ bot, game_id: game, incident }) => {
      const { fault } = incident;
      const parts = [
        make("p", {}, `${fault.kind}: ${fault.message} `, make("a", { href: `games/${game}` }, `game ${game}`)),
        incident.exchange.length ? make("pre", {}, incident.exchange.join("\n")) : null,
        incident.last_words ? make("pre", {}, incident.last_words) : null,
      ];
      return make("details", { class: "fault" }, make("summary", {}, `${bot}: the first fault`), ...parts);
    });
  }

  // ---- its games

  choose(bot) {
    this.bot = this.bot === bot ? null : bot;
    this.showGames();
    this.games.scrollIntoView({ block: "nearest" });
  }

  async showGames(before = null) {
    const query = new URLSearchParams();
    if (before !== null) query.set("before", before);
    if (this.bot !== null) query.set("bot", this.bot);
    let games;
    try {
      games = await fetchJson(`games.json?${query}`);
    } catch (error) {
      return showError(this.games, error);
    }
    this.isAtTop = before === null;
    this.oldest = games.length ? games[games.length - 1].game_id : null;
    const rows = games.map((game) =>
      make("tr", {},
        make("th", { scope: "row" }, make("a", { href: `games/${game.game_id}` }, `game ${game.game_id}`)),
        make("td", {}, `${game.deal + 1}`),
        make("td", { class: "words" }, ...game.bots.map((bot, seat) => make("span", { class: game.places[seat] === 1 ? "won" : "" }, `${bot} ${number(game.points[seat], Number.isInteger(game.points[seat]) ? 0 : 1)}`))),
        make("td", { class: "bad" }, game.faults.filter(Boolean).join(", ")),
      ));
    const more = make("button", { type: "button" }, "older games");
    more.addEventListener("click", () => this.showGames(this.oldest));
    const newest = make("button", { type: "button" }, "the newest");
    newest.addEventListener("click", () => this.showGames());
    const all = make("button", { type: "button" }, "games of all bots");
    all.addEventListener("click", () => this.choose(this.bot));
    this.games.replaceChildren(
      make("h2", {}, this.bot === null ? "Games" : `Games of ${this.bot}`),
      wideTable("The latest by number; by seat, with points.", ["Game", "Deal", "Who played", "Faults"], rows, "list"),
      make("p", { class: "buttons" }, games.length === 50 ? more : null, this.isAtTop ? null : newest, this.bot === null ? null : all),
    );
  }
}

/** The tables in play. A line stays as long as its table is there, so that a link keeps the focus. */
class TableList {
  constructor() {
    this.lines = new Map();
    this.list = make("ul", { class: "in-play" });
    this.node = make("section", { hidden: true }, make("h2", {}, "Tables in play"), this.list);
  }

  show(tables) {
    const there = new Set(tables.map((one) => one.table));
    for (const [table, line] of this.lines) if (!there.has(table)) line.remove();
    this.lines = new Map(tables.map((one) => [one.table, this.lines.get(one.table) ?? make("li", { "data-table": one.table }, make("a", { href: `tables/${one.table}` }, `table ${one.table}`), " ", make("span"))]));
    for (const { table, game_id: game, players } of tables) {
      const line = this.lines.get(table);
      const text = `game ${game}: ${players.join(", ")}`;
      if (line.lastChild.textContent !== text) line.lastChild.textContent = text;
      if (!line.isConnected) this.list.insertBefore(line, [...this.list.children].find((other) => +other.dataset.table > table) ?? null);
    }
    this.node.hidden = tables.length === 0;
  }
}

function progressBar(summary) {
  const total = summary.running?.total;
  if (!total) return null;
  return make("progress", { max: total, value: summary.played, "aria-label": "games played" });
}

function pairTable(pairs) {
  const rows = pairs.map((pair) =>
    make("tr", {},
      make("th", { scope: "row" }, pair.bot),
      make("th", { scope: "row" }, pair.against),
      ...[pair.blocks, pair.points, pair.places].map((text) => make("td", {}, text)),
    ));
  if (!rows.length) return null;
  const table = wideTable("Each two bots that met: how far the first is ahead of the second, a game, with intervals that hold at any time.", ["Bot", "Against", "Blocks", "Points", "Places, %"], rows);
  return make("details", { class: "pairs" }, make("summary", {}, "Pairs"), table);
}

function wideTable(caption, heads, rows, kind = "") {
  return make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption },
    make("table", { class: kind }, make("caption", {}, make("span", {}, caption)), make("thead", {}, make("tr", {}, ...heads.map((head) => make("th", { scope: "col" }, head)))), make("tbody", {}, ...rows)));
}

// ---- a recorded game

async function showGame(root) {
  const seat = new URLSearchParams(location.search).get("seat");
  try {
    new Replay(root, await fetchJson(`${location.pathname}.json${seat === null ? "" : `?seat=${encodeURIComponent(seat)}`}`));
  } catch (error) {
    showError(root, error);
  }
}

const pages = {
  list: () => showList(document.getElementById("tournaments")),
  tournament: () => new TournamentPage(document.getElementById("tournament")),
  game: () => showGame(document.getElementById("replay")),
};
pages[document.body.dataset.page]();
