"""The rounds of a tournament as lines of text: who met whom, with the wins of each, and the scores after each round."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from pitboss_tournament.rounds.round_replay import RoundTable

ROUNDS_EXPLAINED: Final = (
    "Behind each bot are its wins in the round. Score: the share of the others at its tables that a bot was placed "
    "before, in all rounds so far, in percent; a tie counts half. Of equal scores the one against better opponents "
    "goes before."
)


def round_lines(tables: Sequence[RoundTable]) -> Iterator[str]:
    """Yield the rounds as lines."""
    for number, group in groupby(tables, key=lambda table: table.round):
        met = [*group]
        yield f"Round {number}"
        for table in met:
            yield f"  {describe_table(table)}"
        yield f"  scores: {describe_scores(met)}"


def describe_table(table: RoundTable) -> str:
    """Return who met, the best first: "alice 3, bob 1"."""
    return ", ".join(f"{one.bot} {format_wins(one.wins)}" for one in table.bots)


def format_wins(wins: float) -> str:
    """Return a number of wins: "3", "2.5", "1.33"."""
    return f"{wins:.2f}".rstrip("0").rstrip(".")


def describe_scores(tables: Sequence[RoundTable]) -> str:
    """Return the scores after a round of those who played in it, the best first: "alice 75, bob 25"."""
    bots = sorted(
        (one for table in tables for one in table.bots), key=lambda one: (-one.score, -one.opposition, one.bot)
    )
    return ", ".join(f"{one.bot} {one.score * 100:.0f}" for one in bots)
