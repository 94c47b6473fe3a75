"""The section on the rounds of a format that has several: who met whom, and the scores after each round."""

from __future__ import annotations

from collections.abc import Sequence

from pitboss_tournament.html.number_format import typeset_number
from pitboss_tournament.html.page_parts import Section, explain, fold, note, section, table
from pitboss_tournament.reporting.bracket import draw_bracket
from pitboss_tournament.rounds.played_rounds import RoundTable, list_rounds
from pitboss_tournament.showing.round_lines import ROUNDS_EXPLAINED, describe_table
from pitboss_tournament.store.store import Store


def rounds_sections(store: Store) -> list[Section]:
    """Return the section, if there are rounds to tell of."""
    tables = list_rounds(store)
    if not tables:
        return []
    met = [(str(one.round), describe_table(one), str(one.games)) for one in tables]
    heads = ("Bot", *(f"Round {number}" for number in range(1, tables[-1].round + 1)), "Opponents")
    return [
        section(
            "rounds-section",
            "Rounds",
            draw_bracket(tables) if store.header.format.name == "knockout" else None,
            fold(
                "Who met whom",
                table("rounds-table", "With the wins of each.", ("Round", "Bots", "Games"), met, words=(1,)),
            ),
            fold(
                "Scores after each round",
                table(
                    "scores-table",
                    "In percent; empty where a bot did not play. Last, the mean score of those that it met, by which "
                    "Swiss ranks bots of equal score.",
                    heads,
                    _score_rows(tables),
                ),
            ),
            explain(note(ROUNDS_EXPLAINED)),
        )
    ]


def _score_rows(tables: Sequence[RoundTable]) -> list[tuple[str, ...]]:
    """Return a row for each bot: those first who played longest, then by their last score."""
    scores: dict[str, dict[int, str]] = {}
    last: dict[str, tuple[int, float, float]] = {}
    for one in tables:
        for bot in one.bots:
            scores.setdefault(bot.bot, {})[one.round] = typeset_number(100 * bot.score, 0)
            last[bot.bot] = one.round, bot.score, bot.opposition
    in_order = sorted(scores, key=lambda bot: (*(-value for value in last[bot]), bot))
    rounds = range(1, tables[-1].round + 1)
    return [
        (bot, *(scores[bot].get(number, "") for number in rounds), typeset_number(100 * last[bot][2], 0))
        for bot in in_order
    ]
