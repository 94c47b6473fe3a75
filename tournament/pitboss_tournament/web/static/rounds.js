// The rounds of a tournament: a column for each, with its tables; those of a knockout as a bracket.

import { make } from "./elements.js";

const SHOWN = 12; // latest rounds that are shown at once

/** Return the name of the format by which a table was played: of the tournament, or of the stage. */
export function formatOfStage({ format, summary }, { stage }) {
  return summary.stages.find(({ name }) => name === stage)?.format ?? format;
}

/** Return the rounds of a tournament: each knockout as a bracket, all others together. */
export function showRounds(data, linkBot) {
  const { rounds } = data.summary;
  const isBracket = (table) => formatOfStage(data, table) === "knockout";
  const stages = [...new Set(rounds.filter(isBracket).map(({ stage }) => stage))].reverse();
  return [
    ...stages.map((own) => showPart(rounds.filter(({ stage }) => stage === own), true, linkBot)),
    showPart(rounds.filter((table) => !isBracket(table)), false, linkBot),
  ];
}

/** Return some rounds; null if there are none. `isBracket`: the losers of a round are out. */
function showPart(tables, isBracket, linkBot) {
  const rounds = new Map();
  for (const table of tables) rounds.set(table.round, [...(rounds.get(table.round) ?? []), table]);
  if (!rounds.size) return null;
  const [begin, last] = [Math.min(...rounds.keys()), Math.max(...rounds.keys())];
  const shown = [...rounds].filter(([number]) => number > last - SHOWN || isBracket);
  const columns = shown.map(([number, met]) =>
    make(
      "li",
      {},
      make("h3", {}, isBracket ? nameOfBracket(number - begin + 1, met, number === last) : nameRound(number, met)),
      make("ul", {}, ...met.map((table) => tableItem(table, isBracket, linkBot))),
    )
  );
  const { stage } = tables[0];
  const title = isBracket ? `Bracket${stage ? `: ${stage}` : ""}` : "Rounds";
  const left = rounds.size - shown.length;
  return make(
    "section",
    {},
    make("h2", {}, title),
    left ? make("p", { class: "soft" }, `The last ${SHOWN} of ${rounds.size}; the report has all.`) : null,
    make(
      "div",
      { class: "scroll", tabindex: "0", role: "region", "aria-label": title },
      make("ol", { class: isBracket ? "rounds bracket" : "rounds" }, ...columns),
    ),
    make(
      "p",
      { class: "soft" },
      isBracket
        ? "Behind each bot are its wins in the match; behind a plus those of tie-break deals."
        : "Behind each bot are its wins in the round, and its score after it in percent.",
    ),
  );
}

function formatWins(wins) {
  return String(+wins.toFixed(2));
}

function nameRound(number, [{ stage }]) {
  return `Round ${number}${stage ? `, ${stage}` : ""}`;
}

function nameOfBracket(number, met, isLast) {
  return isLast && met.length === 1 ? "Final" : `Round ${number}`;
}

function tableItem({ bots, tie_break_games: tieBreak }, isBracket, linkBot) {
  const lines = bots.map(({ bot, wins, tie_break_wins: extra, score }, place) =>
    make(
      "li",
      { class: place === 0 && wins > bots[1]?.wins ? "won" : "" },
      linkBot(bot),
      make("b", {}, formatWins(wins - extra), tieBreak ? ` + ${formatWins(extra)}` : ""),
      isBracket ? null : make("span", { class: "soft" }, (100 * score).toFixed(0)),
    )
  );
  return make("li", { class: "met" }, make("ul", {}, ...lines));
}
