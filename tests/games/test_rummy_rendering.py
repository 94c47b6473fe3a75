"""The picture of a Rummy table: how the last deal ended, and what melds are called."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pitboss import Random
from pitboss.game import resolve_options
from pitboss_rummy.game import Rummy
from pitboss_rummy.messages import Discard, PlacedMeld, Position
from pitboss_rummy.state import RummyState

GAME = Rummy()
NAMES = ("ann", "bob")
POSITION = Position(
    hands=[["S2", "H9"], ["DK", "C3", "CA"]],
    discard=["S5", "D4"],
    stock=["C10", "C9"],
    melds=[PlacedMeld(owner=1, cards=["H4", "H5", "H6"]), PlacedMeld(owner=0, cards=["S8", "D8", "C8"])],
    turn=1,
    dealer=0,
    scores=[12, -7],
)


def set_up_picture(**given: object) -> RummyState:
    """Return a table of two at the position."""
    return GAME.setup(2, resolve_options(GAME, 2, None, given), POSITION, Random("picture"))


def play_pictured(seats: int) -> Iterator[RummyState]:
    """Yield the states of a random game in which everybody melds who can."""
    state, rng = (
        GAME.deal(seats, resolve_options(GAME, seats, None, {"max_turns": 30}), Random("picture")),
        Random("players"),
    )
    while state.turn is not None:
        yield state
        legal = state.legal()
        state.play(rng.choice([action for action in legal if not isinstance(action, Discard)] or legal))
    yield state


def test_how_the_last_deal_ended() -> None:
    """The picture says who went out, with everybody's points, also after the game."""
    *_, last = play_pictured(2)

    assert last.last_deal is not None
    line = list(last.render(2, NAMES))[1]
    assert line.startswith("  it ended: ")
    assert line.endswith(f": {last.last_deal.scores[0]} {last.last_deal.scores[1]}")


@pytest.mark.parametrize(
    ("set_name", "words"),
    [("group", ("sequence", "group")), ("set", ("sequence", "set")), ("set_for_both", ("set", "set"))],
)
def test_what_melds_are_called(set_name: str, words: tuple[str, str]) -> None:
    """Note 2: people call a group a set, or both kinds of meld; the kinds on the wire stay what they are."""
    state = set_up_picture(set_name=set_name)

    lines = [line.split() for line in state.render(0, NAMES) if "meld" in line]

    assert tuple(line[2] for line in lines) == words
    assert [meld.kind for meld in state.view(0).melds] == ["sequence", "group"]
