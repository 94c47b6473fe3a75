// The pages of `pitboss serve`: the list of tournaments, a tournament, a recorded game.

import { make, makeButton } from "./elements.js";
import { ratingBar, ratingScale } from "./rating_bars.js";
import { Replay } from "./replay.js";
import { showRounds } from "./rounds.js";
import { TableList } from "./tables_in_play.js";
import { showList } from "./tournament_list.js";

const FIRST_COLUMNS = ["rank", "name", "wins", "faults", "rating"]; // on a narrow screen the others are scrolled to

const LEADING_TIERS = 3; // that a tournament's page opens with
const LEADERS_NAMED = 5; // of each

const number = (value, digits = 0) =>
  value === null || value === undefined
    ? "–"
    : value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });

async function fetchJson(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(await answer.text());
  return answer.json();
}

function showError(root, error) {
  root.replaceChildren(make("p", { class: "error", role: "alert" }, error.message));
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
    this.tables = new TableList(fetchJson);
    root.append(this.connection, this.top, this.tables.node, this.head, this.games);
    this.events = new EventSource("events");
    this.events.addEventListener("message", (event) => this.show(JSON.parse(event.data)));
    this.events.addEventListener("tables", (event) => this.tables.show(JSON.parse(event.data)));
    this.events.addEventListener("open", () => (this.connection.textContent = ""));
    this.events.addEventListener(
      "error",
      () => (this.connection.textContent = "The server does not answer; trying again …"),
    );
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
      make("p", { class: "progress" }, make("span", { class: `state ${data.state}` }, data.state), " ", data.progress),
      progressBar(summary),
      summary.headline ? make("p", { class: "headline" }, summary.headline.text) : null,
      leaders(data),
      ...verdictParagraphs(summary.verdict),
      make(
        "p",
        { class: "ways" },
        make("a", { href: "report" }, "Report"),
        make("a", { href: "standings.csv", download: `${data.name}.csv` }, "Standings as CSV"),
      ),
    ];
    const parts = [
      this.standings(data),
      teamTable(data.teams),
      ...data.notes.map((line) => make("p", { class: "note" }, line)),
      ...showRounds(data, botLink),
      ...this.faults(summary),
      pairTable(data.pairs),
    ];
    const folds = (which) => [this.top, this.head].flatMap((part) => [...part.querySelectorAll(which)]);
    const opened = new Set(folds("details[open] > summary").map((one) => one.textContent));
    this.top.replaceChildren(...top.filter((part) => part !== null));
    this.head.replaceChildren(...parts.filter((part) => part !== null));
    for (const one of folds("details > summary")) one.parentElement.open = opened.has(one.textContent);
    if (summary.played !== this.played) {
      this.played = summary.played;
      if (this.oldest === null || this.isAtTop) this.showGames();
    }
  }

  standings({ summary, standings }) {
    const scale = ratingScale(summary.standings);
    const columns = byImportance(standings.columns);
    const heads = columns.flatMap((column) => (column.kind === "rating" ? [column, null] : [column]));
    const rows = summary.standings.map((line, row) => {
      const cells = columns.flatMap((column) => {
        const text = standings.rows[row][standings.columns.indexOf(column)];
        if (column.kind === "name") return [this.botCell(text)];
        if (column.kind === "rating") {
          return [make("td", {}, text), make("td", { class: "bars" }, ratingBar(line, scale))];
        }
        if (column.kind === "faults") return [make("td", { class: text === "-" ? "" : "bad" }, text)];
        return [make("td", {}, text)];
      });
      return make("tr", { class: line.is_out ? "out" : "" }, ...cells);
    });
    const hasRatings = standings.columns.some(({ kind }) => kind === "rating");
    const caption = hasRatings
      ? "Standings. Two bots whose lines do not overlap differ at 95 %, if one looks at no other two; " +
        "the verdict looks at all."
      : "Standings.";
    return make("div", {}, wideTable(caption, heads, rows), meanings(columns, "the standings"));
  }

  botCell(name) {
    const games = makeButton("games", () => this.choose(name), { class: "plain", "aria-label": `games of ${name}` });
    return make("th", { scope: "row" }, botLink(name), " ", games);
  }

  faults(summary) {
    return summary.first_faults.map(({ bot, game_id: game, incident }) => {
      const { fault } = incident;
      const parts = [
        make("p", {}, `${fault.kind}: ${fault.message} `, make("a", { href: `games/${game}` }, `game ${game}`)),
        incident.exchange.length ? make("pre", {}, incident.exchange.join("\n")) : null,
        incident.last_words ? make("pre", {}, incident.last_words) : null,
      ];
      const { faults, substituted } = summary.standings.find((line) => line.name === bot);
      const kinds = [...Object.entries(faults), ...Object.entries(substituted)].map(([kind, count]) =>
        `${kind} ${number(count)}`
      );
      return make(
        "details",
        { class: "fault" },
        make("summary", {}, make("bdi", { dir: "auto" }, bot), `: ${kinds.join(", ")}; the first fault`),
        ...parts,
      );
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
      make(
        "tr",
        {},
        make("th", { scope: "row" }, make("a", { href: `games/${game.game_id}` }, `game ${game.game_id}`)),
        make("td", {}, `${game.deal + 1}`),
        make(
          "td",
          { class: "words" },
          ...game.bots.map((bot, seat) =>
            make(
              "span",
              { class: game.places[seat] === 1 ? "won" : "" },
              make("bdi", { dir: "auto" }, bot),
              ` ${number(game.points[seat], Number.isInteger(game.points[seat]) ? 0 : 1)}`,
            )
          ),
        ),
        make("td", { class: "bad" }, game.faults.filter(Boolean).join(", ")),
      )
    );
    const more = make("button", { type: "button" }, "older games");
    more.addEventListener("click", () => this.showGames(this.oldest));
    const newest = make("button", { type: "button" }, "the newest");
    newest.addEventListener("click", () => this.showGames());
    const all = make("button", { type: "button" }, "games of all bots");
    all.addEventListener("click", () => this.choose(this.bot));
    this.games.replaceChildren(
      make("h2", {}, ...(this.bot === null ? ["Games"] : ["Games of ", make("bdi", { dir: "auto" }, this.bot)])),
      wideTable("The latest by number; by seat, with points.", ["Game", "Deal", "Who played", "Faults"], rows, "list"),
      make(
        "p",
        { class: "buttons" },
        games.length === 50 ? more : null,
        this.isAtTop ? null : newest,
        this.bot === null ? null : all,
      ),
    );
  }
}

/** The name of a bot, which leads to its page. */
function botLink(name) {
  return make("a", { class: "bot", href: `bot/${encodeURIComponent(name)}` }, make("bdi", { dir: "auto" }, name));
}

/** The bots of the first tiers, each with its possible ranks; none before a difference is proven. */
function leaders({ summary, standings }) {
  const tiers = new Map();
  summary.standings.forEach((line, row) => {
    if (line.tier === null) return;
    const tier = tiers.get(line.tier.best) ?? [];
    tiers.set(line.tier.best, [...tier, {
      name: line.name,
      rating: cellOf(standings, row, "rating"),
      rank: cellOf(standings, row, "rank"),
    }]);
  });
  const cards = [...tiers.keys()].sort((one, other) => one - other).slice(0, LEADING_TIERS).map((number) => {
    const bots = tiers.get(number);
    const items = bots.slice(0, LEADERS_NAMED).map(({ name, rating, rank }) =>
      make("li", {}, make("b", {}, rank), botLink(name), make("span", { class: "soft" }, rating))
    );
    const more = bots.length > LEADERS_NAMED
      ? make("li", { class: "soft" }, `and ${bots.length - LEADERS_NAMED} more`)
      : null;
    return make(
      "section",
      { class: `tier tier${number}` },
      make("h2", {}, `Tier ${number}`),
      make("ul", {}, ...items, more),
    );
  });
  return cards.length ? make("div", { class: "leaders" }, ...cards) : null;
}

/** The text of a row in the column of a key. */
function cellOf(table, row, key) {
  const place = table.columns.findIndex((column) => column.key === key);
  return place < 0 ? "" : table.rows[row][place];
}

function progressBar(summary) {
  const total = summary.running?.total;
  if (!total) return null;
  return make("progress", { max: total, value: summary.played, "aria-label": "games played" });
}

/** The columns, those first that a narrow screen has to show. */
function byImportance(columns) {
  const place = ({ key }) => (FIRST_COLUMNS.includes(key) ? FIRST_COLUMNS.indexOf(key) : FIRST_COLUMNS.length);
  return [...columns].sort((one, other) => place(one) - place(other));
}

/** The teams of a game in which all play together. */
function teamTable({ columns, rows }) {
  if (!rows.length) return null;
  const table = wideTable(
    "The points of each team, a game, on the same deals where all teams have played these.",
    columns,
    rowsOf(columns, rows),
  );
  return make("section", { class: "teams" }, table, meanings(columns, "the teams"));
}

/** Rows of a table, whose names are heads. */
function rowsOf(columns, rows) {
  return rows.map((cells) =>
    make(
      "tr",
      {},
      ...cells.map((text, at) => (columns[at].kind === "name"
        ? make("th", { scope: "row" }, make("bdi", { dir: "auto" }, text))
        : make("td", {}, text))
      ),
    )
  );
}

function pairTable({ columns, rows }) {
  if (!rows.length) return null;
  const lines = rowsOf(columns, rows);
  const table = wideTable(
    "Each two bots that met: how far the first is ahead of the second, a game, with intervals that hold at any time.",
    columns,
    lines,
  );
  return make("details", { class: "pairs" }, make("summary", {}, "Pairs"), table, meanings(columns, "the pairs"));
}

/** The verdict: its first sentence, and the others behind a fold. */
function verdictParagraphs([first, ...others]) {
  const more = others.map((line) => make("p", {}, line));
  const fold = more.length ? make("details", {}, make("summary", {}, "More about the verdict"), ...more) : null;
  return [first ? make("p", { class: "verdict" }, first) : null, fold];
}

/** What the columns mean, behind a fold. */
function meanings(columns, of) {
  const parts = columns.flatMap(({ heading, meaning }) => [make("dt", {}, heading), make("dd", {}, meaning)]);
  return make(
    "details",
    { class: "meanings" },
    make("summary", {}, `What the columns of ${of} mean`),
    make("dl", {}, ...parts),
  );
}

/** A table in a box that scrolls; a head is a column, a text, or null for none. */
function wideTable(caption, heads, rows, kind = "") {
  const head = (
    one,
  ) => (one === null ? make("td") : make("th", { scope: "col", title: one.meaning ?? "" }, one.heading ?? one));
  return make(
    "div",
    { class: "scroll", tabindex: "0", role: "region", "aria-label": caption },
    make(
      "table",
      { class: kind },
      make("caption", {}, make("span", {}, caption)),
      make("thead", {}, make("tr", {}, ...heads.map(head))),
      make("tbody", {}, ...rows),
    ),
  );
}

// ---- a recorded game

async function showGame(root) {
  try {
    new Replay(root, await fetchJson(`${location.pathname}.json${location.search}`));
    root.querySelector("header").prepend(
      make(
        "a",
        { class: "way-back", href: root.dataset.back ?? "../" },
        "‹ ",
        make("bdi", {}, root.dataset.tournament),
      ),
    );
  } catch (error) {
    showError(root, error);
  }
}

const pages = {
  list: () => showList(document.getElementById("tournaments"), fetchJson),
  tournament: () => new TournamentPage(document.getElementById("tournament")),
  game: () => showGame(document.getElementById("replay")),
};
pages[document.body.dataset.page]();
