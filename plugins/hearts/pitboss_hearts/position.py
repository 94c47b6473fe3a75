"""Positions of Hearts: written down, and set up again (section 6 of the rule book)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pitboss import PositionError
from pitboss.parts.trick_position import list_plays, set_up_tricks
from pitboss.table.position_setup import check_row_lengths, set_up_zones
from pitboss.table.turns import Turn
from pitboss_hearts.messages import Position
from pitboss_hearts.state import PASSED, HeartsStateBase


def write_position(state: HeartsStateBase) -> Position:
    """Write down a state: every card of this deal, and the points before it."""
    hands: list[list[Any]] = [state.faces(hand) for hand in state.hands]
    is_passing = state.turn is not None and state.turn.phase == "pass"
    passed = [state.faces(zone) if is_passing else _known_faces(state, seat) for seat, zone in enumerate(state.passed)]
    return Position(
        hands=hands,
        is_passing=is_passing,
        passed=passed,
        plays=list_plays(state),
        totals=[*state.totals_before],
        deal_no=state.deal_no,
    )


def _known_faces(state: HeartsStateBase, seat: int) -> list[str]:
    """Return the cards that a seat knows to be in the hand to which it has passed cards."""
    distance = state.pass_distance()
    hand = state.hands[(seat + distance) % state.seats]
    return sorted(str(face) for face in state.table.faces_known_to(hand, seat) if face) if distance else []


def set_up_position(state: HeartsStateBase, position: Position) -> None:
    """Bring a fresh state to a position.

    Raises:
        PositionError: it does not describe a table of this game.
    """
    seats = state.seats
    check_row_lengths(seats, hands=position.hands, passed=position.passed, totals=position.totals)
    if position.deal_no > state.options.deals:
        raise PositionError(f"deal_no is {position.deal_no}; the match has {state.options.deals} deals")
    state.deal_no = position.deal_no
    state.totals = position.totals[:] if position.totals is not None else [0] * seats
    state.totals_before = tuple(state.totals)
    state.clear_tricks()
    passed = position.passed or [[]] * seats
    if (position.is_passing or any(passed)) and not state.pass_distance():
        raise PositionError(f"in deal {position.deal_no} nothing is passed")
    if position.is_passing:
        _set_up_passing(state, position, passed)
        return
    size = len(state.table.layout.deck) // seats

    def begin_play(one: HeartsStateBase) -> None:
        _show_passed(one, passed)

    set_up_tricks(state, position.hands, position.plays, size, begin_play)
    if not position.plays:
        begin_play(state)


def _set_up_passing(state: HeartsStateBase, position: Position, passed: Sequence[Sequence[str]]) -> None:
    """Set up a deal in which some have passed: the first seats, since they are asked in turn."""
    sizes = [len(cards) for cards in passed]
    count, size = sum(map(bool, sizes)), len(state.table.layout.deck) // state.seats
    if position.plays or count == state.seats or sizes != [PASSED] * count + [0] * (state.seats - count):
        raise PositionError(f"passed is {list(passed)!r}; the seats pass {PASSED} cards each in turn, from seat 0 on")
    held = position.hands or [[None] * (size - gone) for gone in sizes]
    for seat, (row, gone) in enumerate(zip(held, sizes, strict=True)):
        if len(row) + gone != size:
            raise PositionError(f"seat {seat} holds {len(row)} cards and has passed {gone}; together it is {size}")
    rows = [*zip(state.hands, held, strict=True), *zip(state.passed, passed, strict=True)]
    set_up_zones(state.table, state.stock, rows)
    state.turn = Turn(count, "pass")


def _show_passed(state: HeartsStateBase, passed: Sequence[Sequence[str]]) -> None:
    """Let everybody know the cards that it has passed, and begin the play.

    Raises:
        PositionError: who was passed a card does not hold it.
    """
    for seat, faces in enumerate(passed):
        hand = state.hands[(seat + state.pass_distance()) % state.seats]
        cards = state.table.layout.deck.find_cards(faces)
        if not {*cards} <= {*state.table.zones[hand]}:
            raise PositionError(f"seat {seat} has passed {list(faces)!r}; {hand.name} does not have them")
        if cards:
            state.table.reveal(hand, "passed", cards, to=[seat])
    state.begin_play()
