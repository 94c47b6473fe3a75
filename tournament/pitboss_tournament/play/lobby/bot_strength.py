"""What is known of the strength of the house's bots: the measured rows of docs/strength.md, in words."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple

RANDOM_BOT: Final = "house:random"
SEARCH_BOT: Final = "house:search"
MEASURED: Final = "measured_strength.tsv"  # written with docs/strength.md, by bench/strength.py


class MeasuredStrength(NamedTuple):
    """How one bot did against copies of another."""

    game: str
    seats: int
    bot: str
    other: str
    games: int
    score: float | None  # the share of the others that it came in before, ties half; None: all play together
    ahead: float  # points, more than the other had


def word_strength(game: str, seats: int, bot: str) -> str:
    """Return what is known of a bot at a table of this game: "98 % against house:random"; "" if nothing is."""
    told = [_word(*one) for one in _find(game, seats, bot)]
    return ", ".join(told)


def _find(game: str, seats: int, bot: str) -> Iterator[tuple[MeasuredStrength, bool]]:
    """Yield one row for each of house:search and house:random as the other; the flag: the bot is the row's other."""
    for other in (RANDOM_BOT, SEARCH_BOT):
        rows = [row for row in read_measured() if row.game == game and {row.bot, row.other} == {bot, other} != {bot}]
        if rows and bot != RANDOM_BOT:
            row = min(rows, key=lambda row: (abs(row.seats - seats), row.seats))
            yield row, row.bot != bot


def _word(row: MeasuredStrength, is_other: bool) -> str:
    other = row.bot if is_other else row.other
    if row.score is None:
        points = -row.ahead if is_other else row.ahead
        return f"{abs(points):.0f} points {'more' if points >= 0 else 'fewer'} than a team of {other}"
    score = 1 - row.score if is_other else row.score
    return f"{100 * score:.0f} % against {other}"


@cache
def read_measured() -> tuple[MeasuredStrength, ...]:
    """Return all rows."""
    text = files(__package__).joinpath(MEASURED).read_text(encoding="utf-8")
    return tuple(_read_row(line.split("\t")) for line in text.splitlines())


def _read_row(cells: list[str]) -> MeasuredStrength:
    game, seats, bot, other, games, score, ahead = cells
    return MeasuredStrength(game, int(seats), bot, other, int(games), float(score) if score else None, float(ahead))
