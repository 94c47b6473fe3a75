"""How long the games of a tournament are, told before they are played."""

from __future__ import annotations

from time import perf_counter
from typing import Any, Final

from pitboss import Random
from pitboss.game import AnyGame, resolve_options
from pitboss.simulation.random_play import choose_from_words, play_decisions

LONG_GAME: Final = 500  # decisions
MAX_TIMED_DECISIONS: Final = 20_000  # that are played to find out
MAX_SECONDS: Final = 0.2  # for one random game
SHORT_PRESET: Final = "short"  # what a game's author calls the preset for whoever has little time
_SEED: Final = "length"


def describe_long_game(
    game: AnyGame,
    seats: int,
    options: Any,  # noqa: ANN401 - any game's options
    most_seconds: float = MAX_SECONDS,
) -> str | None:
    """Return a sentence on games of many decisions, with those of the game's short preset; None on other games.

    The numbers are those of one random game each, or of its first `most_seconds`. Who has chosen options is told no
    preset.
    """
    length, is_over = count_random_decisions(game, seats, options, most_seconds)
    if length <= LONG_GAME:
        return None
    said = f"One game takes {_format_length(length, is_over)} decisions in random play"
    if SHORT_PRESET not in game.presets or options != resolve_options(game, seats):
        return f"{said}."
    short_options = resolve_options(game, seats, SHORT_PRESET)
    short = _format_length(*count_random_decisions(game, seats, short_options, most_seconds))
    return f"{said}; with --preset {SHORT_PRESET} it takes {short}."


def count_random_decisions(
    game: AnyGame,
    seats: int,
    options: Any,  # noqa: ANN401 - any game's options
    most_seconds: float,
) -> tuple[int, bool]:
    """Return how many decisions a random game has, and whether they are all: the search ends after some time."""
    latest = perf_counter() + most_seconds
    state = game.deal(seats, options, Random(_SEED))
    state.table.stop_logging()
    length = 0
    for _ in play_decisions(state, choose_from_words(_SEED), MAX_TIMED_DECISIONS):
        length += 1
        if perf_counter() > latest:
            break
    return length, state.turn is None


def _format_length(length: int, is_over: bool) -> str:
    """Return a length with its two first digits."""
    unit = 10 ** max(0, len(str(length)) - 2)
    return f"{'about' if is_over else 'more than'} {length // unit * unit:,}"
