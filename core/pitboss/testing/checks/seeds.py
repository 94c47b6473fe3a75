"""Same seed, same game: all chance comes from the stream that the deal was given."""

from __future__ import annotations

import random
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

from pitboss.action_range import sample_actions
from pitboss.errors import NoWorldFound
from pitboss.game import AnyState, has_chance
from pitboss.simulation.random_play import choose_from, play_on
from pitboss.table.randomness import Random
from pitboss.testing.framework.check import CheckFailed, NotApplicable, check
from pitboss.testing.framework.checked_setup import CheckedSetup
from pitboss.testing.framework.played_game import PlayedGame
from pitboss.testing.framework.snapshot import (
    describe_public_difference,
    snapshot_after_each,
    take_public_snapshot,
    write_position,
)

CHECKED_DEALS: Final = 8
MAX_PARALLEL_DECISIONS: Final = 120  # decisions for which two games are played side by side


@check("played game")
def same_seed_same_game(played_game: PlayedGame) -> None:
    """The same seed and actions give the same game: turns, legal lists and views, byte for byte, and the whole log."""
    global_stream = random.getstate()
    try:
        _expect_same_game(played_game)
    finally:
        random.setstate(global_stream)


@check("played game")
def looking_on_changes_no_game(played_game: PlayedGame) -> None:
    """Views, positions, copies and worlds that are asked for during a game change neither its outcome nor its log.

    Nor do they change what is shown later: of what a view keeps for the next one, nothing is out of date.
    """
    if not played_game.is_over:
        raise NotApplicable("the game did not come to an end")
    state = played_game.setup.deal(played_game.seed)
    unseen = played_game.setup.deal(played_game.seed)
    rng = played_game.setup.deal(played_game.seed).table.rng.spawn("look")
    for number, action in enumerate(played_game.actions):
        if number < MAX_PARALLEL_DECISIONS or number % 64 == 0:
            shown = take_public_snapshot(state)
            if changed := describe_public_difference(take_public_snapshot(unseen.copy()), shown):
                raise CheckFailed(f"looked at before every decision, decision {number} has another {changed}")
            write_position(state)
            state.copy().play(action)
            with suppress(NoWorldFound):
                state.imagine(number % (played_game.setup.seats + 1), rng)
        state.play(action)
        unseen.play(action)
    if state.outcome() != played_game.outcome or list(state.table.log or ()) != played_game.log:
        raise CheckFailed(
            f"looked at, the game ended with {state.outcome()!r} (else {played_game.outcome!r}), "
            f"or its log is another one"
        )


@check("setup")
def other_seed_other_game(setup: CheckedSetup) -> None:
    """Other seeds give other deals."""
    if not has_chance(setup.game, setup.seats, setup.options):
        raise NotApplicable("the game says that it has no chance with these options")
    if not _differ(setup):
        raise CheckFailed(
            f"{CHECKED_DEALS} different seeds gave the same deal; a game that leaves nothing to chance says so, by a "
            "method `has_chance(seats, options)`"
        )


@check("played game")
def without_chance_nothing_is_drawn(played_game: PlayedGame) -> None:
    """A game that has no chance by its options gives the same deal with every seed, and draws nothing at random."""
    setup = played_game.setup
    if has_chance(setup.game, setup.seats, setup.options):
        raise NotApplicable("the game has chance")
    if _differ(setup):
        raise CheckFailed("the game says that it has no chance, and different seeds gave different deals")
    state = played_game.replay_to(len(played_game))
    if state.table.chance_events or state.table.rng.draws:
        raise CheckFailed("the game declares that it has no chance, but it has drawn from its random stream")


@check("played game")
def games_do_not_touch(played_game: PlayedGame) -> None:
    """A game played side by side with another is the same as when played alone: the game object has no state."""
    ahead = played_game.actions[:MAX_PARALLEL_DECISIONS]
    alone = snapshot_after_each(played_game.setup.deal(played_game.seed), ahead)
    one, other = played_game.setup.deal(played_game.seed), played_game.setup.deal(f"{played_game.seed}/other")
    for number, action in enumerate(ahead):
        if other.turn is not None:
            other.play(sample_actions(other.legal())[-1])
        one.play(action)
        if changed := describe_public_difference(alone[number], take_public_snapshot(one)):
            raise CheckFailed(f"beside another game, after decision {number}, it has another {changed}")


def _differ(setup: CheckedSetup) -> bool:
    """Return whether some seeds give different deals; of a game without cards, whether they give different games.

    Where cards are dealt, chance that comes later does not count: nobody has shuffled them.
    """
    states = [setup.deal(f"conformance/other/{number}") for number in range(CHECKED_DEALS)]
    if len(states[0].table.layout.deck):
        deals = [(state.table.zones, state.table.chance_events) for state in states]
        return any(deal != deals[0] for deal in deals)
    if _show_differences(states):
        return True
    for state in states:
        play_on(state, choose_from(Random("the same choices")), MAX_PARALLEL_DECISIONS)
    return _show_differences(states)


def _show_differences(states: Sequence[AnyState]) -> bool:
    """Return whether outcomes of chance, or what the seats are shown, differ."""
    first, *others = [
        (state.table.chance_events, [state.view(seat) for seat in range(state.table.layout.seats)]) for state in states
    ]
    return any(one != first for one in others)


def _expect_same_game(played_game: PlayedGame) -> None:
    random.seed(len(played_game))
    state = played_game.setup.deal(played_game.seed)
    for number, action in enumerate(played_game.actions):
        before = played_game.snapshots.get(number)
        if before and (changed := describe_public_difference(before, take_public_snapshot(state))):
            raise CheckFailed(f"played again, decision {number} has another {changed}")
        state.play(action)
    end = (list(state.table.log or ()), list(state.table.chance_events or ()))
    if played_game.error is None and end != (played_game.log, played_game.chance):
        raise CheckFailed("played again, the game has another log or other shuffles")
