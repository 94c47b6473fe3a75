// The pages that turn on the page for a projector. Each is made to fit: what has no room goes to the next one.

import { draw, make } from "./elements.js";
import { ratingBar, ratingScale } from "./rating_bars.js";

const TWO_COLUMNS = 12; // rows from which a wide page has two columns
const SIZES = [1.7, 1.45, 1.2, 1]; // of the text of a page, by how much is on it
const FAR = 3; // medians of the half-widths of intervals, from which an interval does not make the scale larger
const STEPS = 3; // of a podium
const NAMES_ON_STEP = 6; // of those who share a step; the others are counted
const BENT = 30; // pixels from a match to where its line bends

/** Tell whether an element has more in it than can be seen. */
export function overflows(node) {
  return node.scrollWidth > node.clientWidth + 1 || node.scrollHeight > node.clientHeight + 1;
}

/** Return the standings: rank, name and interval of each bot, in tiers. */
export function standingsPages(data, isAlone, fits) {
  const { summary, standings, teams } = data;
  if (teams.rows.length) return teamPages(teams, fits);
  const scale = ratingScale(leaveOutFar(summary.standings));
  const ranks = standings.columns.findIndex(({ key }) => key === "rank");
  let tier = null;
  const rows = summary.standings.map((line, at) => {
    const own = line.tier?.best ?? null;
    const isFirst = own !== null && own !== tier;
    tier = own;
    return make(
      "li",
      { class: own === null ? "" : `tier${Math.min(own, 6)}` },
      isFirst ? make("p", { class: "tier-name" }, `Tier ${own}`) : null,
      make(
        "div",
        { class: "standing" },
        make("b", {}, ranks < 0 ? "" : standings.rows[at][ranks]),
        line.yardstick ? make("span", {}, nameOf(line.name), " (yardstick)") : nameOf(line.name),
        line.rating ? ratingBar(line, scale) : make("span", {}),
      ),
    );
  });
  const hasTwo = isAlone && rows.length > TWO_COLUMNS;
  const foot = summary.standings.some(({ rating }) => (rating?.mean ?? null) !== null)
    ? "A line is the interval of a rating: bots whose lines do not overlap differ."
    : null;
  return paginate("standings", "Standings", rows, fits, { columns: hasTwo ? 2 : 1, foot });
}

/** Return the lines without those whose interval is so long that the others could not be seen beside it. */
function leaveOutFar(lines) {
  const halves = lines.map((line) => line.rating_comparison ?? 0).filter((half) => half > 0).sort((one, other) =>
    one - other
  );
  const most = FAR * (halves[Math.floor(halves.length / 2)] ?? Infinity);
  return lines.filter((line) => (line.rating_comparison ?? 0) <= most);
}

function teamPages({ columns, rows }, fits) {
  const shown = columns.map(({ key, kind }, at) => ({ at, isName: kind === "name", key }));
  const items = rows.map((cells) =>
    make(
      "li",
      {},
      make(
        "div",
        { class: "team" },
        ...shown.map(({ at, isName }) => (isName ? nameOf(cells[at]) : make("b", {}, cells[at]))),
      ),
    )
  );
  return paginate("teams", "Teams", items, fits, {});
}

/** Return the latest round: its matches, with the wins and the score of each bot. */
export function roundPages(tables, isAlone, fits) {
  const last = Math.max(...tables.map(({ round }) => round));
  const met = tables.filter(({ round }) => round === last);
  const foot = "Behind each bot are its wins in the round, and its score so far in percent.";
  const items = met.map((table) => make("li", {}, matchNode(table, findFirst(table), true)));
  const { stage } = met[0];
  return paginate("round", `Round ${last}${stage ? `, ${stage}` : ""}`, items, fits, {
    columns: isAlone ? 2 : 1,
    foot,
  });
}

/**
 * Return the bracket of the latest stage, from the first round that fits, closely set if need be; or else the matches
 * of the latest round.
 */
export function bracketPages({ rounds: all, headline }, isOver, fits) {
  const leaders = isOver ? headline.leaders : [];
  const { stage } = all.at(-1);
  const tables = all.filter((table) => table.stage === stage);
  const rounds = new Map();
  for (const table of tables) rounds.set(table.round, [...(rounds.get(table.round) ?? []), table]);
  const last = Math.max(...rounds.keys());
  const begin = Math.min(...rounds.keys());
  const isFinal = (number) => number === last && rounds.get(number).length === 1;
  const named = (number) => (isFinal(number) ? "Final" : `Round ${number - begin + 1}`);
  const foot = "Behind each bot are its wins in the match; behind a plus those of tie-break deals.";
  const sizes = Array.from({ length: 2 * (last - begin + 1) }, (_, at) => [begin + (at >> 1), at % 2 === 1]);
  for (const [first, isDense] of sizes) {
    const shown = [...rounds].filter(([number]) => number >= first);
    const columns = placeMatches(shown.map(([, met]) => met)).map((met, at) =>
      make(
        "li",
        {},
        make("h3", {}, named(shown[at][0])),
        make("ul", {}, ...met.map((table) => make("li", {}, matchNode(table, findOnward(tables, table, leaders))))),
      )
    );
    const ways = draw("svg", { class: "ways-of-bracket", "aria-hidden": "true" });
    const node = make(
      "div",
      { class: "page" },
      make("h2", {}, stage ? `Bracket: ${stage}` : "Bracket"),
      make("div", { class: isDense ? "bracket dense" : "bracket" }, ways, make("ol", {}, ...columns)),
      make("p", { class: "foot" }, foot),
    );
    if (fits(node)) return [{ name: "bracket", isWide: true, node, draw: () => drawWays(node, ways) }];
  }
  const items = rounds.get(last).map((table) => make("li", {}, matchNode(table, [])));
  return paginate("bracket", named(last), items, fits, { columns: 3, foot, isWide: true });
}

/** Return the matches of each round from top to bottom: those stand together whose bots meet next. */
function placeMatches(columns) {
  const place = new Map(); // of each bot in the next column
  const placed = [];
  for (const met of [...columns].reverse()) {
    const first = ({ bots }) => Math.min(...bots.map(({ bot }) => place.get(bot) ?? Infinity));
    const sorted = [...met].sort((one, other) => first(one) - first(other) || 0);
    const inOrder = sorted.flatMap(({ bots }) => bots.map(({ bot }) => bot));
    inOrder.forEach((bot, at) => place.set(bot, at / inOrder.length));
    placed.unshift(sorted);
  }
  return placed;
}

/** Draw a line from each bot to the next match that it plays. */
function drawWays(node, ways) {
  const box = ways.getBoundingClientRect();
  const last = new Map();
  const lines = [];
  for (const line of node.querySelectorAll("[data-bot]")) {
    const { left, right, top, bottom } = line.closest(".met").getBoundingClientRect();
    const own = line.getBoundingClientRect();
    const y = Math.max(top, Math.min(bottom, (own.top + own.bottom) / 2)) - box.top;
    const before = last.get(line.dataset.bot);
    if (before) {
      const end = left - box.left;
      lines.push(draw("path", { d: `M${before.x} ${before.y}H${end - BENT}V${y}H${end}` }));
    }
    last.set(line.dataset.bot, { x: right - box.left, y });
  }
  ways.replaceChildren(...lines);
}

/** Return who plays on after a match, or has won the last one. */
function findOnward(tables, { round: own, bots }, leaders) {
  const later = tables.filter(({ round: number }) => number > own).flatMap((table) => table.bots.map(({ bot }) => bot));
  return bots.map(({ bot }) => bot).filter((bot) => (later.length ? later : leaders).includes(bot));
}

function findFirst({ bots: [first, second] }) {
  return first.wins > second?.wins ? [first.bot] : [];
}

/** `won`: the bots that are marked. */
function matchNode({ bots, tie_break_games: tieBreak }, won, hasScore = false) {
  const lines = bots.map(({ bot, wins, tie_break_wins: extra, score }) =>
    make(
      "li",
      { class: won.includes(bot) ? "won" : "", "data-bot": bot },
      nameOf(bot),
      make("b", {}, `${round(wins - extra)}${tieBreak ? ` + ${round(extra)}` : ""}`),
      hasScore ? make("span", { class: "soft" }, (100 * score).toFixed(0)) : null,
    )
  );
  return make("ul", { class: "met" }, ...lines);
}

/** Return the podium, and the places of all. */
export function podiumPages({ summary }, fits) {
  const { headline } = summary;
  if (!headline?.places.length) return [];
  const groups = new Map(); // by place
  for (const one of headline.places) groups.set(one.place, [...(groups.get(one.place) ?? []), one]);
  const steps = [...groups.values()].filter(([{ place }]) => place <= STEPS).map((group) => {
    const named = group.length > NAMES_ON_STEP ? group.slice(0, NAMES_ON_STEP - 1) : group;
    return make(
      "li",
      { class: `step${group[0].place}` },
      make(
        "ul",
        { class: group.length > 2 ? "crowd" : "" },
        ...named.map(({ bot }) => make("li", {}, nameOf(bot))),
        named.length < group.length ? make("li", {}, `and ${group.length - named.length} more`) : null,
      ),
      make("p", { class: "place" }, placeText(group[0]), group.length > 1 ? make("span", {}, "tied") : null),
    );
  });
  const podium = make("div", { class: "page podium" }, make("ol", {}, ...steps));
  const pages = [{ name: "podium", isWide: true, node: podium }];
  if (headline.places.length <= steps.length) return pages;
  const rows = headline.places.map((one) =>
    make("li", {}, make("div", { class: "standing placed" }, make("b", {}, placeText(one)), nameOf(one.bot)))
  );
  return [
    ...pages,
    ...paginate("places", "Places", rows, fits, { columns: rows.length > TWO_COLUMNS ? 2 : 1, isWide: true }),
  ];
}

function placeText({ place, last }) {
  return place === last ? `${place}` : `${place}–${last}`;
}

/**
 * Spread items over as few pages as possible, in columns from top to bottom: as large as one page allows, or else in
 * their own size, the same number on each.
 */
function paginate(name, title, items, fits, options = {}) {
  for (const size of SIZES) {
    const pages = fillPages(name, title, items, fits, { ...options, size });
    if (pages.length === 1) return pages;
    if (size > 1) continue;
    const most = Math.ceil(items.length / pages.length);
    const even = fillPages(name, title, items, fits, { ...options, size, most });
    return even.length === pages.length ? even : fillPages(name, title, items, fits, { ...options, size });
  }
  return [];
}

function fillPages(name, title, items, fits, { columns = 1, foot = null, isWide = false, size = 1, most = Infinity }) {
  const pages = [];
  let left = items;
  while (left.length) {
    const list = make("ol", { class: `columns columns${columns}` });
    list.style.fontSize = `${size}em`;
    const heading = make("h2", {}, title);
    const node = make("div", { class: "page" }, heading, list, foot ? make("p", { class: "foot" }, foot) : null);
    let count = 0;
    while (count < left.length && count < most) {
      list.append(left[count]);
      if (!fits(node) || overflows(list)) break;
      count++;
    }
    if (count === 0) count = 1; // an item that is too large for any page
    else if (count < left.length) left[count].remove();
    left = left.slice(count);
    if (columns > 1) levelColumns(list, columns, () => fits(node));
    pages.push({ name: `${name}-${pages.length + 1}`, isWide, node, heading });
    if (left.length && size > 1) return [pages[0], pages[0]]; // one page is not enough
  }
  if (pages.length > 1) pages.forEach(({ heading }, at) => heading.append(` (${at + 1} of ${pages.length})`));
  return pages;
}

/** Set the items of a list in columns of the same length, if they fit so. */
function levelColumns(list, columns, fits) {
  list.classList.add("level");
  list.style.gridTemplateRows = `repeat(${Math.ceil(list.childElementCount / columns)}, auto)`;
  list.style.gridTemplateColumns = `repeat(${columns}, minmax(0, 1fr))`;
  if (!fits() || overflows(list)) list.classList.remove("level");
}

function nameOf(name) {
  return make("bdi", { class: "name", dir: "auto" }, name);
}

function round(wins) {
  return String(+wins.toFixed(2));
}
