"""Rack-O is put through the conformance suite, at random and by a player who comes to where random play does not."""

from __future__ import annotations

import pytest

from pitboss import Random
from pitboss.testing import check_game
from pitboss_racko.game import Racko
from pitboss_racko.messages import Action, Swap, Take
from pitboss_racko.rack import SLOTS
from pitboss_racko.state import RackoState

pytestmark = pytest.mark.once


def choose_sorting(state: RackoState, rng: Random) -> Action:
    """Put each card where it belongs by its size, mostly: a complete rack comes about soon."""
    legal = state.legal()
    if state.turn is None or state.turn.phase == "declare" or rng.randbelow(10) == 0:
        return rng.choice(legal)
    view = state.view(state.turn.seat)
    card = view.discard[-1] if view.drawn is None else view.drawn
    tenth = (state.options.deck_size or 0) / len(SLOTS)
    place = min(int((card - 1) / tenth), len(SLOTS) - 1)
    if int((view.rack[place] - 1) / tenth) == place:
        return state.neutral()
    return Take(SLOTS[place]) if view.drawn is None else Swap(SLOTS[place])


@pytest.mark.parametrize(
    ("seats", "presets"),
    [(2, ["short"]), pytest.param(2, None, marks=pytest.mark.long), pytest.param(3, [], marks=pytest.mark.long)],
)
def test_played_at_random(seats: int, presets: list[str] | None) -> None:
    """Every preset keeps every promise, and larger tables do; the games are shorter than usual."""
    assert check_game(Racko(), seats=[seats], presets=presets, options={"target": 100}, games=1).failures == []


@pytest.mark.long
@pytest.mark.parametrize(
    ("seats", "preset"),
    [
        (2, "duel_en"),
        *(pytest.param(*table, marks=pytest.mark.long) for table in ((4, "partners"), (3, "classic"), (4, "classic"))),
    ],
)
def test_played_by_a_sorter(seats: int, preset: str) -> None:
    """Where complete racks end the rounds every promise is kept."""
    assert check_game(Racko(), seats=[seats], presets=[preset], games=1, player=choose_sorting).failures == []


@pytest.mark.long
@pytest.mark.parametrize(
    ("seats", "options"),
    [
        (3, {"restock_shuffle": True}),
        (2, {"may_return_discard": True, "restock_shuffle": True}),
        (2, {"min_run": 3, "target": 200}),
        (2, {"deck_size": 22}),
        (4, {"partners": True, "first_dealer": 2, "max_turns": 5}),
        (3, {"max_turns": 3, "max_rounds": 2, "stalled_round": "void"}),
        (2, {"tie": "extra_round", "target": 50}),
    ],
    ids=str,
)
def test_played_with_other_options(seats: int, options: dict[str, object]) -> None:
    """Option sets that no preset has keep every promise."""
    assert (
        check_game(Racko(), seats=[seats], presets=[], options=options, games=1, player=choose_sorting).failures == []
    )


@pytest.mark.long
@pytest.mark.parametrize(("seats", "preset"), [(2, "bonus"), (3, "bonus"), (2, "duel_en_bonus")])
def test_played_where_a_player_may_wait(seats: int, preset: str) -> None:
    """D8: where a player may keep a complete rack to itself, neither events nor views tell the others of it."""
    assert check_game(Racko(), seats=[seats], presets=[preset], games=1, player=choose_sorting).failures == []
