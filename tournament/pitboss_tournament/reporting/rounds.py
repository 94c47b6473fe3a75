"""The section on the rounds of a format that has several: who met whom, and the scores after each round."""

from __future__ import annotations

from collections.abc import Sequence

from pitboss_tournament.playing.played_rounds import RoundTable, list_rounds
from pitboss_tournament.reporting.page_parts import Section, explain, fold, note, section, table
from pitboss_tournament.showing.round_lines import ROUNDS_EXPLAINED, describe_table
from pitboss_tournament.store.store import Store


def rounds_sections(store: Store) -> list[Section]:
    """Return the section, if there are rounds to tell of."""
    tables = list_rounds(store)
    if not tables:
        return []
    met = [(str(one.round), describe_table(one), str(one.games)) for one in tables]
    heads = ("Bot", *(f"Round {number}" for number in range(1, tables[-1].round + 1)))
    return [
        section(
            "rounds-section",
            "Rounds",
            fold(
                "Who met whom",
                table("rounds-table", "With the wins of each.", ("Round", "Bots", "Games"), met, words=(1,)),
            ),
            fold(
                "Scores after each round",
                table("scores-table", "In percent; empty where a bot did not play.", heads, _score_rows(tables)),
            ),
            explain(note(ROUNDS_EXPLAINED)),
        )
    ]


def _score_rows(tables: Sequence[RoundTable]) -> list[tuple[str, ...]]:
    """Return a row for each bot: those first who played longest, then by their last score."""
    scores: dict[str, dict[int, float]] = {}
    for one in tables:
        for bot in one.bots:
            scores.setdefault(bot.bot, {})[one.round] = bot.score
    in_order = sorted(scores, key=lambda bot: (-max(scores[bot]), -scores[bot][max(scores[bot])], bot))
    rounds = range(1, tables[-1].round + 1)
    return [(bot, *(f"{scores[bot][n] * 100:.0f}" if n in scores[bot] else "" for n in rounds)) for bot in in_order]
