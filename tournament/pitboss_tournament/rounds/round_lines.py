"""The rounds of a tournament as lines of text: who met whom, with the wins of each, and the scores after each round."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from pitboss_tournament.rounds.round_replay import RoundTable
from pitboss_tournament.store.header import Header
from pitboss_tournament.store.rows import TournamentEnd

ROUNDS_EXPLAINED: Final = (
    "Behind each bot are its wins in the round; those of tie-break deals, which a level match plays, stand apart. "
    "Score: the share of the others at its tables that a bot was placed before, in all rounds so far, in percent; a "
    "tie counts half. Of equal scores the one against better opponents goes before."
)


def round_lines(tables: Sequence[RoundTable]) -> Iterator[str]:
    """Yield the rounds as lines."""
    for number, group in groupby(tables, key=lambda table: table.round):
        met = [*group]
        yield f"Round {number}{f', {met[0].stage}' if met[0].stage else ''}"
        for table in met:
            yield f"  {describe_table(table)}"
        yield f"  scores: {describe_scores(met)}"


def tell_end(header: Header, end: TournamentEnd) -> str:
    """Return why a tournament is over; if its format has ranked the bots, why this order is not that of the ratings."""
    if not end.is_complete:
        return f"It is over: {end.why}"
    name, _, order = end.why.partition(": ")
    if name != header.format.name:
        return f"It is over: {end.why}"
    return (
        f"It is over. The {name} ended in this order: {order}. This order follows the rule of the format; the ranks in "
        "the standings compare the ratings, which weigh the opponents too."
    )


def describe_table(table: RoundTable) -> str:
    """Return who met, the best first: "alice 3, bob 1"; with a tie-break "alice 2, bob 2, tie-break 3–1"."""
    met = ", ".join(f"{one.bot} {format_wins(one.wins - one.tie_break_wins)}" for one in table.bots)
    if not table.tie_break_games:
        return met
    return f"{met}, tie-break {'–'.join(format_wins(one.tie_break_wins) for one in table.bots)}"


def format_wins(wins: float) -> str:
    """Return a number of wins: "3", "2.5", "1.33"."""
    return f"{wins:.2f}".rstrip("0").rstrip(".")


def describe_scores(tables: Sequence[RoundTable]) -> str:
    """Return the scores after a round of those who played in it, the best first: "alice 75, bob 25"."""
    by_name = {one.bot: one for table in tables for one in table.bots}  # at all tables of a round its score is the same
    bots = sorted(by_name.values(), key=lambda one: (-one.score, -one.opposition, one.bot))
    return ", ".join(f"{one.bot} {one.score * 100:.0f}" for one in bots)
