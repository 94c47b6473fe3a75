"""Random play-outs of a game inside this process: no bots, no wire, no clocks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

import msgspec
from msgspec import inspect

from pitboss.errors import OptionError, PitbossError
from pitboss.game import AnyGame, AnyState, resolve_options
from pitboss.outcome import Outcome
from pitboss.table.randomness import Random
from pitboss_tournament.text.schema_text import struct_types, value_choices

MOST_DECISIONS: Final = 1_000_000  # decisions after which a game is taken to have no end
_WORDS_AT_ONCE: Final = 256


class RandomGameError(PitbossError):
    """A game's own code failed while it was played: a fault of its plugin. The text says how to see it again."""


class RandomGame(NamedTuple):
    """A game that was played at random."""

    decisions: Mapping[str, int]  # by phase
    choices: Mapping[str, int]  # by phase: how many legal actions there were, added up
    outcome: Outcome


def play_random_game(game: AnyGame, seats: int, options: Any, seed: str) -> RandomGame:  # noqa: ANN401 - the game's own options
    """Play a game at random; the cards and the choices follow from the seed.

    Raises:
        GameBroke: the game raised something, or found no end.
    """
    decisions: Counter[str] = Counter()
    choices: Counter[str] = Counter()
    lots = _random_words(seed)
    try:
        state = _deal_game(game, seats, options, seed, without_log=True)
        while (turn := state.turn) is not None:
            legal = state.legal()
            decisions[turn.phase] += 1
            choices[turn.phase] += len(legal)
            state.play(legal[next(lots) * len(legal) >> 64])
            if decisions[turn.phase] > MOST_DECISIONS:
                raise RandomGameError(f"it has not ended after {MOST_DECISIONS} decisions")
        return RandomGame(decisions, choices, state.outcome())
    except Exception as wrong:
        raise _random_game_error(game, seats, seed, decisions.total(), wrong) from wrong


def replay_uncounted(game: AnyGame, seats: int, options: Any, seed: str, *, without_log: bool) -> int:  # noqa: ANN401
    """Play the same game as `played_out` with nothing counted on the way; return the number of decisions."""
    lots, count = _random_words(seed), 0
    state = _deal_game(game, seats, options, seed, without_log=without_log)
    while state.turn is not None:
        legal = state.legal()
        state.play(legal[next(lots) * len(legal) >> 64])
        count += 1
    return count


class RandomGameDecision(NamedTuple):
    """A question of a game that is played at random."""

    seat: int
    phase: str
    legal: Sequence[Any]
    view: Any


def sample_decisions(
    game: AnyGame,
    seats: int,
    options: Any,  # noqa: ANN401 - the game's own options
    seed: str,
    most: int = 300,
) -> Iterator[RandomGameDecision]:
    """Yield what is asked in a random game, for so many decisions at most.

    Raises:
        GameBroke: the game raised something.
    """
    lots, count = _random_words(seed), 0
    try:
        state = _deal_game(game, seats, options, seed, without_log=True)
        while (turn := state.turn) is not None and count < most:
            legal = state.legal()
            yield RandomGameDecision(turn.seat, turn.phase, legal, state.view(turn.seat))
            state.play(legal[next(lots) * len(legal) >> 64])
            count += 1
    except Exception as wrong:
        raise _random_game_error(game, seats, seed, count, wrong) from wrong


def collect_phase_actions(game: AnyGame, most: int = 300) -> dict[str, list[str]]:
    """Return the phases of a game, and the tags of the actions that were legal there, as far as random games come upon them.

    Every preset and every single change of an option is tried, at every number of seats, for `most` decisions each.
    """
    found: dict[str, dict[str, None]] = {}
    for seats in game.seats:
        for number, changes in enumerate(_option_variants(game)):
            try:
                options = resolve_options(game, seats, overrides=changes)
            except OptionError:
                continue
            seed = f"phases/{seats}/{number}"
            try:
                _collect_actions(_deal_game(game, seats, options, seed, without_log=True), seed, most, found)
            except Exception as wrong:
                raise _random_game_error(game, seats, seed, 0, wrong) from wrong
    return {phase: list(actions) for phase, actions in found.items()}


def action_tag(action: object) -> str:
    """Return the word that tells an action from others: its tag, or its type's name."""
    config = getattr(type(action), "__struct_config__", None)
    return str(config.tag) if config is not None and config.tag is not None else type(action).__name__


def _deal_game(game: AnyGame, seats: int, options: Any, seed: str, *, without_log: bool) -> AnyState:  # noqa: ANN401
    state = game.deal(seats, options, Random(f"{seed}/deal"))
    if without_log:
        state.table.stop_logging()
    return state


def _random_words(seed: str) -> Iterator[int]:
    """Yield numbers in 0 .. 2**64 - 1, from another stream than the cards."""
    rng = Random(f"{seed}/choices")
    while True:
        yield from rng.draw_words(_WORDS_AT_ONCE)


def _collect_actions(state: AnyState, seed: str, most: int, found: dict[str, dict[str, None]]) -> None:
    lots = _random_words(seed)
    for _ in range(most):
        if state.turn is None:
            return
        legal = state.legal()
        found.setdefault(state.turn.phase, {}).update(dict.fromkeys(map(action_tag, legal)))
        state.play(legal[next(lots) * len(legal) >> 64])


def _option_variants(game: AnyGame) -> Iterator[Mapping[str, object]]:
    yield {}
    for preset in game.presets.values():
        yield msgspec.to_builtins(preset)
    for table in struct_types(inspect.type_info(game.Options)):
        for option in table.fields:
            for value in value_choices(option.type):
                yield {option.encode_name: value}


def _random_game_error(game: AnyGame, seats: int, seed: str, decision: int, wrong: Exception) -> RandomGameError:
    what = str(wrong) if isinstance(wrong, RandomGameError) else f"{type(wrong).__name__}: {wrong}"
    return RandomGameError(
        f"{game.name} broke in a random game of {seats} players, seed {seed!r}, decision {decision}: {what}"
    )
