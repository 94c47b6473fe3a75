"""Random play-outs of a game inside this process: no bots, no wire, no clocks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

import msgspec
from msgspec import inspect

from pitboss.errors import OptionError, PitbossError
from pitboss.game import AnyGame, AnyState
from pitboss.options import resolved
from pitboss.outcome import Outcome
from pitboss.randomness import Random
from pitboss_tournament.planning.wording import alternatives, structs

ENDLESS: Final = 1_000_000  # decisions after which a game is taken to have no end
_LOTS_AT_ONCE: Final = 256


class GameBroke(PitbossError):
    """A game's own code failed while it was played: a fault of its plugin. The text says how to see it again."""


class Playout(NamedTuple):
    """A game that was played at random."""

    decisions: Mapping[str, int]  # by phase
    choices: Mapping[str, int]  # by phase: how many legal actions there were, added up
    outcome: Outcome


def played_out(game: AnyGame, seats: int, options: Any, seed: str) -> Playout:  # noqa: ANN401 - the game's own options
    """Play a game at random; the cards and the choices follow from the seed.

    Raises:
        GameBroke: the game raised something, or found no end.
    """
    decisions: Counter[str] = Counter()
    choices: Counter[str] = Counter()
    lots = _lots(seed)
    try:
        state = _dealt(game, seats, options, seed, is_quiet=True)
        while (turn := state.turn) is not None:
            legal = state.legal()
            decisions[turn.phase] += 1
            choices[turn.phase] += len(legal)
            state.play(legal[next(lots) * len(legal) >> 64])
            if decisions[turn.phase] > ENDLESS:
                raise GameBroke(f"it has not ended after {ENDLESS} decisions")
        return Playout(decisions, choices, state.outcome())
    except Exception as wrong:
        raise _broke(game, seats, seed, decisions.total(), wrong) from wrong


def raced(game: AnyGame, seats: int, options: Any, seed: str, *, is_quiet: bool) -> int:  # noqa: ANN401
    """Play the same game as `played_out` with nothing counted on the way; return the number of decisions."""
    lots, count = _lots(seed), 0
    state = _dealt(game, seats, options, seed, is_quiet=is_quiet)
    while state.turn is not None:
        legal = state.legal()
        state.play(legal[next(lots) * len(legal) >> 64])
        count += 1
    return count


class Moment(NamedTuple):
    """A question of a game that is played at random."""

    seat: int
    phase: str
    legal: Sequence[Any]
    view: Any


def moments(game: AnyGame, seats: int, options: Any, seed: str, most: int = 300) -> Iterator[Moment]:  # noqa: ANN401
    """Yield what is asked in a random game, for so many decisions at most.

    Raises:
        GameBroke: the game raised something.
    """
    lots, count = _lots(seed), 0
    try:
        state = _dealt(game, seats, options, seed, is_quiet=True)
        while (turn := state.turn) is not None and count < most:
            legal = state.legal()
            yield Moment(turn.seat, turn.phase, legal, state.view(turn.seat))
            state.play(legal[next(lots) * len(legal) >> 64])
            count += 1
    except Exception as wrong:
        raise _broke(game, seats, seed, count, wrong) from wrong


def met(game: AnyGame, most: int = 300) -> dict[str, list[str]]:
    """Return the phases of a game, and the tags of the actions that were legal there, as far as random games come upon them.

    Every preset and every single change of an option is tried, at every number of seats, for `most` decisions each.
    """
    found: dict[str, dict[str, None]] = {}
    for seats in game.seats:
        for number, changes in enumerate(_variants(game)):
            try:
                options = resolved(game, seats, given=changes)
            except OptionError:
                continue
            seed = f"phases/{seats}/{number}"
            try:
                _meet(_dealt(game, seats, options, seed, is_quiet=True), seed, most, found)
            except Exception as wrong:
                raise _broke(game, seats, seed, 0, wrong) from wrong
    return {phase: list(actions) for phase, actions in found.items()}


def tag(action: object) -> str:
    """Return the word that tells an action from others: its tag, or its type's name."""
    config = getattr(type(action), "__struct_config__", None)
    return str(config.tag) if config is not None and config.tag is not None else type(action).__name__


def _dealt(game: AnyGame, seats: int, options: Any, seed: str, *, is_quiet: bool) -> AnyState:  # noqa: ANN401
    state = game.deal(seats, options, Random(f"{seed}/deal"))
    if is_quiet:
        state.table.quiet()
    return state


def _lots(seed: str) -> Iterator[int]:
    """Yield numbers in 0 .. 2**64 - 1, from another stream than the cards."""
    rng = Random(f"{seed}/choices")
    while True:
        yield from rng.words(_LOTS_AT_ONCE)


def _meet(state: AnyState, seed: str, most: int, found: dict[str, dict[str, None]]) -> None:
    lots = _lots(seed)
    for _ in range(most):
        if state.turn is None:
            return
        legal = state.legal()
        found.setdefault(state.turn.phase, {}).update(dict.fromkeys(map(tag, legal)))
        state.play(legal[next(lots) * len(legal) >> 64])


def _variants(game: AnyGame) -> Iterator[Mapping[str, object]]:
    yield {}
    for preset in game.presets.values():
        yield msgspec.to_builtins(preset)
    for table in structs(inspect.type_info(game.Options)):
        for option in table.fields:
            for value in alternatives(option.type):
                yield {option.encode_name: value}


def _broke(game: AnyGame, seats: int, seed: str, decision: int, wrong: Exception) -> GameBroke:
    what = str(wrong) if isinstance(wrong, GameBroke) else f"{type(wrong).__name__}: {wrong}"
    return GameBroke(f"{game.name} broke in a random game of {seats} players, seed {seed!r}, decision {decision}: {what}")
