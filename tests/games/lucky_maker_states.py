"""Plays games of Lucky Maker for the tests: from seeds, from positions, at random."""

from __future__ import annotations

from pitboss import PositionError, Random
from pitboss.game import resolve_options
from pitboss.options import convert_value
from pitboss_lucky_maker.game import LuckyMaker
from pitboss_lucky_maker.messages import LuckyMakerOptions, Position
from pitboss_lucky_maker.state import LuckyMakerState

GAME = LuckyMaker()


def make_options(seats: int, **given: object) -> LuckyMakerOptions:
    """Return options, resolved."""
    options: LuckyMakerOptions = resolve_options(GAME, seats, None, given)
    return options


def deal_game(seed: str, seats: int, **given: object) -> LuckyMakerState:
    """Return a series as its first game is dealt."""
    return GAME.deal(seats, make_options(seats, **given), Random(seed))


def set_up_game(
    seats: int,
    position: Position | dict[str, object],
    seed: str = "set up",
    options: dict[str, object] | None = None,
) -> LuckyMakerState:
    """Return a game at a position."""
    written = (
        position if isinstance(position, Position) else convert_value(position, Position, "position", PositionError)
    )
    return GAME.setup(seats, make_options(seats, **(options or {})), written, Random(seed))


def hand_cards(state: LuckyMakerState, seat: int) -> list[str]:
    """Return the cards of a hand."""
    return [str(face) for face in state.table.faces(state.board.hands[seat])]
