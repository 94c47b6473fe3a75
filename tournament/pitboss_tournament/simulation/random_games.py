"""Random play-outs of a game inside this process: no bots, no wire, no clocks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from math import log10
from typing import Any, Final, NamedTuple

from pitboss.action_range import count_actions
from pitboss.errors import PitbossError
from pitboss.game import AnyGame, AnyState
from pitboss.outcome import Outcome
from pitboss.simulation.game_setup import list_presets, list_single_changes, make_setup
from pitboss.simulation.random_play import make_random_chooser, play_decisions, play_on
from pitboss.table.events import AnyEvent
from pitboss.table.randomness import Random
from pitboss.text import describe_exception
from pitboss_tournament.text.terminal_text import action_tag

MAX_RANDOM_DECISIONS: Final = 1_000_000  # decisions after which a game is taken to have no end
SAMPLED_DECISIONS: Final = 300  # of a game, for its page


class RandomGameError(PitbossError):
    """A game's plugin failed in a random game; the message has what is needed to repeat it."""


class RandomGame(NamedTuple):
    """A game that was played at random."""

    decisions: Mapping[str, int]  # by phase
    choices: Mapping[str, int]  # by phase: how many legal actions there were, added up
    forced: int  # decisions with one legal action
    log10_paths: float  # decimal logarithm of the product of the numbers of legal actions
    outcome: Outcome


def play_random_game(game: AnyGame, seats: int, options: Any, seed: str) -> RandomGame:  # noqa: ANN401
    """Play a game at random; the cards and the choices follow from the seed.

    Raises:
        RandomGameError: the game raised something, or found no end.
    """
    decisions: Counter[str] = Counter()
    choices: Counter[str] = Counter()
    forced, log10_paths = 0, 0.0
    try:
        state = _deal_game(game, seats, options, seed)
        for turn, legal in play_decisions(state, make_random_chooser(game.Action, seed), MAX_RANDOM_DECISIONS):
            decisions[turn.phase] += 1
            count = count_actions(legal)
            choices[turn.phase] += count
            forced += count == 1
            log10_paths += log10(count)
        if state.turn is not None:
            raise RandomGameError(f"it has not ended after {MAX_RANDOM_DECISIONS} decisions")
        return RandomGame(decisions, choices, forced, log10_paths, state.outcome())
    except Exception as error:
        raise _random_game_error(game, seats, seed, decisions.total(), error) from error


def replay_uncounted(game: AnyGame, seats: int, options: Any, seed: str, *, with_log: bool) -> int:  # noqa: ANN401
    """Play the same game as `play_random_game` with nothing counted on the way; return the number of decisions."""
    state = _deal_game(game, seats, options, seed, with_log=with_log)
    return len(play_on(state, make_random_chooser(game.Action, seed), MAX_RANDOM_DECISIONS))


class RandomGameDecision(NamedTuple):
    """A question of a game that is played at random."""

    seat: int
    phase: str
    legal: Sequence[Any]
    view: Any


def sample_decisions(game: AnyGame, seats: int, options: Any, seed: str) -> Iterator[RandomGameDecision]:  # noqa: ANN401
    """Yield the first questions of a random game, SAMPLED_DECISIONS at most.

    Raises:
        RandomGameError: the game raised something.
    """
    count = 0
    try:
        state = _deal_game(game, seats, options, seed)
        choose = make_random_chooser(game.Action, seed)
        for count, (turn, legal) in enumerate(play_decisions(state, choose, SAMPLED_DECISIONS)):  # noqa: B007
            yield RandomGameDecision(turn.seat, turn.phase, legal, state.view(turn.seat))
    except Exception as error:
        raise _random_game_error(game, seats, seed, count, error) from error


def sample_events(game: AnyGame, seats: int, options: Any, seed: str) -> list[AnyEvent]:  # noqa: ANN401
    """Return the first event of each kind in the beginning of a random game, as the seat of the first question saw it.

    Raises:
        RandomGameError: the game raised something.
    """
    try:
        state = _deal_game(game, seats, options, seed, with_log=True)
        assert state.turn is not None
        seat = state.turn.seat
        for _ in play_decisions(state, make_random_chooser(game.Action, seed), SAMPLED_DECISIONS):
            pass
        found: dict[tuple[str, str], AnyEvent] = {}
        for event in state.table.events(seat):
            found.setdefault((type(event).__name__, event.event), event)
        return list(found.values())
    except Exception as error:
        raise _random_game_error(game, seats, seed, 0, error) from error


def collect_phase_actions(game: AnyGame) -> dict[str, list[str]]:
    """Return the phases of a game with the tags of the actions that were legal there, as far as random games reach.

    Every preset and every single change of an option is played, with every number of seats, for SAMPLED_DECISIONS each.
    """
    found: dict[str, dict[str, None]] = {}
    variants = [*list_presets(game), *list_single_changes(game, with_defaults=True)]
    for seats in game.seats:
        for number, variant in enumerate(variants):
            setup = make_setup(game, seats, variant)
            if setup is None:
                continue
            seed = f"phases/{seats}/{number}"
            try:
                state = _deal_game(game, seats, setup.options, seed)
                for turn, legal in play_decisions(state, make_random_chooser(game.Action, seed), SAMPLED_DECISIONS):
                    found.setdefault(turn.phase, {}).update(dict.fromkeys(map(action_tag, legal)))
            except Exception as error:
                raise _random_game_error(game, seats, seed, 0, error) from error
    return {phase: list(actions) for phase, actions in found.items()}


def _deal_game(game: AnyGame, seats: int, options: Any, seed: str, *, with_log: bool = False) -> AnyState:  # noqa: ANN401
    state = game.deal(seats, options, Random(f"{seed}/deal"))
    if not with_log:
        state.table.stop_logging()
    return state


def _random_game_error(game: AnyGame, seats: int, seed: str, decision: int, error: Exception) -> RandomGameError:
    what = str(error) if isinstance(error, RandomGameError) else describe_exception(error)
    return RandomGameError(
        f"{game.name} broke in a random game of {seats} players, seed {seed!r}, decision {decision}: {what}"
    )
