"""Checks of written positions: what each phase, and each end of a game, requires of the table."""

from __future__ import annotations

from typing import Final

from pitboss import PositionError
from pitboss_ragamaru.deck import ATTACKS, KICK_OFF, kind_of
from pitboss_ragamaru.messages import Position
from pitboss_ragamaru.state import RagamaruStateBase
from pitboss_ragamaru.threats import Attack, SinBin

TOP_KINDS: Final = {  # by phase: the kinds of card that can be on top (none: any that was played, or the kick-off card)
    "first_colour": (KICK_OFF,),
    "defend": (*ATTACKS, "CV"),
    "bin": ("SIN",),
    "colour": ("RES", "TMO", "SIN"),
    "number": ("RES",),
    "discard": ("ADV",),
}


def check_phase(state: RagamaruStateBase, position: Position) -> None:
    """Check the table, the seat on turn and the other fields of a position against its phase.

    Raises:
        PositionError: no game can reach the position.
    """
    phase, card, turn = position.phase, state.top.field.card, position.turn
    if phase in TOP_KINDS and kind_of(card) not in TOP_KINDS[phase]:
        raise PositionError(f"in phase {phase!r} the top card is {' or '.join(TOP_KINDS[phase])}; the field has {card}")
    _check_kick_off(state, position)
    _check_threat(state, phase)
    if not all(state.hand_masks):
        raise PositionError(f"the hand of seat {state.hand_masks.index(0)} is empty; then the game is over")
    if state.rests_left[turn]:
        raise PositionError(f"seat {turn} is on turn, but has {state.rests_left[turn]} turns to rest")
    if state.turn_no > state.options.max_turns:
        raise PositionError(
            f"turn_no is {state.turn_no}; with max_turns {state.options.max_turns} the game is then over"
        )
    if len(position.passed) == state.board.seats:
        raise PositionError("all have passed; then the game is over")
    _check_drawn(state, position)
    _check_discards_left(state, position)


def _check_kick_off(state: RagamaruStateBase, position: Position) -> None:
    """Check that nothing was played or discarded before the first play."""
    if state.top.field.card == KICK_OFF and (position.pile or position.discards):
        raise PositionError("the field has the kick-off card; then nothing was played or discarded")


def _check_threat(state: RagamaruStateBase, phase: str) -> None:
    """Check the threat against the phase and the top card.

    An attack is pending in phase `defend` only, of the kind of the top card; rests are pending in `bin`, and in
    `colour` after a Sin Bin.
    """
    threat, card = state.threat, state.top.field.card
    kind = kind_of(card)
    if phase == "defend":
        expected = ("TRY", True) if kind == "CV" else (kind, False)
        if not isinstance(threat, Attack) or (threat.kind, threat.converted) != expected:
            raise PositionError(
                f"in phase 'defend' with {card} on top an attack with that card is pending; it is {threat!r}"
            )
    elif phase == "bin" or (phase == "colour" and kind == "SIN"):
        if not isinstance(threat, SinBin):
            raise PositionError(f"in phase {phase!r} with {card} on top rests are pending; it is {threat!r}")
    elif threat is not None:
        raise PositionError(f"in phase {phase!r} with {card} on top nothing is pending; it is {threat!r}")


def _check_drawn(state: RagamaruStateBase, position: Position) -> None:
    """Check that the drawn card is the last of the hand, and that nobody has passed for want of cards since."""
    if position.phase != "drawn":
        if position.drawn is not None:
            raise PositionError(f"drawn is {position.drawn!r}; in phase {position.phase!r} no card was just drawn")
        return
    if position.drawn not in (None, state.drawn_face):
        raise PositionError(
            f"drawn is {position.drawn!r}; it is the last card of the hand, and that is {state.drawn_face!r}"
        )
    if position.passed:
        raise PositionError(f"passed is {position.passed!r}; a card was just drawn, so nobody has passed since")


def _check_discards_left(state: RagamaruStateBase, position: Position) -> None:
    """D28: in phase `discard` one card or more may go, but one stays."""
    most = 0
    if position.phase == "discard":
        most = min(state.options.max_same, state.hand_masks[position.turn].bit_count() - 1)
    if not min(most, 1) <= position.discards_left <= most or (position.phase == "discard" and not most):
        raise PositionError(
            f"discards_left is {position.discards_left}; in phase {position.phase!r} it is "
            f"{f'1 to {most}' if most else 0}"
        )


def check_result(state: RagamaruStateBase, position: Position) -> None:
    """Check the position of a game that is over against its result.

    Raises:
        PositionError: no game can end in the position.
    """
    empty, result = state.hand_masks.count(0), position.result
    if empty != (result == "out"):
        raise PositionError(
            f"the game is over with result {result!r}, and {empty} hands are empty; one is if it is 'out', else none"
        )
    if (
        position.phase != "play"
        or position.turn
        or position.drawn
        or position.starter is not None
        or position.pending
        or position.discards_left
    ):
        raise PositionError(
            "the game is over; nobody is on turn in any phase, and nothing is drawn, pending or left to discard"
        )
    _check_kick_off(state, position)
    if position.turn_no > state.options.max_turns + 1:
        raise PositionError(f"turn_no is {position.turn_no}; the game is over after turn {state.options.max_turns}")
