"""The picture of a Lucky Maker table, as a person sees it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pitboss import Random
from pitboss.game import resolve_options
from pitboss_lucky_maker.game import LuckyMaker
from pitboss_lucky_maker.messages import PlayedTrick, Position
from pitboss_lucky_maker.state import LuckyMakerState

GAME = LuckyMaker()
NAMES = ("ann", "bob", "a-bot-with-a-long-name")

TRICK = PlayedTrick(master="R7B4", lead=1, cards=["R10B1", "B5G6", "G4Y7"])  # blue lies there twice
POSITION = Position(
    hands=[["G2Y9", "G8Y3"], ["R2B9", "R5Y6"], ["G1Y10"]],
    masters=["R1B10"],
    master="R3G8",
    trick=["R8Y3"],
    history=[TRICK],
)


def play_series(seats: int) -> Iterator[LuckyMakerState]:
    """Yield the states of a random series."""
    state, rng = GAME.deal(seats, resolve_options(GAME, seats), Random("picture")), Random("picture/players")
    while state.turn is not None:
        yield state
        state.play(rng.choice(state.legal()))
    yield state


@pytest.mark.parametrize("seats", GAME.seats)
@pytest.mark.parametrize("is_all_shown", [True, False])
def test_no_line_of_a_series_is_longer_than_sixty_columns(seats: int, is_all_shown: bool) -> None:
    """The picture fits a narrow terminal, with every card and for a seat, whatever the names."""
    names = ["long-names" * 5] * seats

    assert (
        max(len(line) for state in play_series(seats) for line in state.render(None if is_all_shown else 0, names))
        <= 60
    )


def test_what_a_player_of_lucky_maker_sees() -> None:
    """The trick, how the last one was decided, the own hand, and what everybody knows of a hand that did not follow."""
    state = GAME.setup(3, resolve_options(GAME, 3, None, {"games": 1}), POSITION, Random("picture"))

    assert list(state.render(0, NAMES)) == [
        "  trick 14 of 15, led by 2 a-bot-with-a-…",
        "  last     R7B4: 1 R10B1, 2 B5G6, 0 G4Y7",
        "           2 won 7: B decided",
        "  masters  1 card",
        "  master   R3G8",
        "  trick    2 R8Y3",
        "                   score",
        "> 0 ann                0  G2Y9 G8Y3",
        "                          holds no R and no B",
        "  1 bob                0  2 cards",
        "  2 a-bot-with-a-…     7  1 card",
    ]


def test_every_card_of_a_lucky_maker_table() -> None:
    """For None hands and masters are open, and in a series there are totals."""
    state = GAME.setup(3, resolve_options(GAME, 3, None, {"games": 2}), POSITION, Random("picture"))

    text = "\n".join(state.render(None, NAMES))
    assert "game 1 of 2, trick 14 of 15" in text
    assert "  masters  R1B10" in text
    assert "  1 bob                0     0  R2B9 R5Y6" in text
