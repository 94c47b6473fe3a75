"""The picture of a Rummy table, as a person sees it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pitboss import Random
from pitboss.game import resolve_options
from pitboss_rummy.game import Rummy
from pitboss_rummy.messages import Discard, PlacedMeld, Position, Take
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


def test_what_a_player_of_rummy_sees() -> None:
    """Melds with their numbers and owners; of another hand what everybody saw go into it."""
    state = set_up_picture()
    state.play(Take())

    assert list(state.render(0, NAMES)) == [
        "  deal 1, turn 1 of up to 200, dealer 0 ann",
        "  stock     2 cards",
        "  discard   S5",
        "                   score",
        "  0 ann               12  S2 H9",
        "> 1 bob               -7  D4 (3 hidden)",
        "  meld  1, sequence by 1  H4 H5 H6",
        "  meld  2, group by 0     S8 D8 C8",
    ]


def test_every_card_of_a_rummy_table() -> None:
    """For None hands are open, in card order, and the stock has its top card last."""
    lines = list(set_up_picture().render(None, NAMES))

    assert lines[1] == "  stock     C9 C10"
    assert lines[5] == "> 1 bob               -7  DK CA C3"


def test_how_the_last_deal_ended() -> None:
    """Who went out, and what that was worth to everybody: also when the game is over."""
    *_, last = play_pictured(2)

    assert last.last_deal is not None
    line = list(last.render(2, NAMES))[1]
    assert line.startswith("  it ended: ")
    assert line.endswith(f": {last.last_deal.scores[0]} {last.last_deal.scores[1]}")


@pytest.mark.parametrize("seats", [2, 6])
@pytest.mark.parametrize("seat", [None, 0])
def test_no_line_of_a_game_is_longer_than_sixty_columns(seats: int, seat: int | None) -> None:
    """The picture fits a narrow terminal; only the scores of a deal of six may be longer."""
    names = ["long-names" * 5] * seats
    lines = [line for state in play_pictured(seats) for line in state.render(seat, names) if "deal" not in line]

    assert max(map(len, lines)) <= 60


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
