"""Positions of Dou Dizhu: written down, and set up again (section 7 of the rule book)."""

from __future__ import annotations

from collections.abc import Sequence

from pitboss import IllegalAction, PositionError, Random
from pitboss.table.position_setup import check_row_lengths, set_up_zones
from pitboss_dou_dizhu.messages import PASS, DouDizhuAction, Play, Position
from pitboss_dou_dizhu.state import BOTTOMS, HANDS, MAX_REDEALS, DouDizhuStateBase


def write_position(state: DouDizhuStateBase) -> Position:
    """Write down a state: every card of this deal, calls and plays, and the points before it."""
    return Position(
        hands=[[*state.faces(hand)] for hand in state.hands],
        bottom=[*(state.bottom_faces or state.faces(state.bottom))],
        calls=[*state.auction.calls],
        plays=[*state.plays],
        totals=[*state.totals_before],
        deal_no=state.deal_no,
        redeals=state.redeals,
    )


def set_up_position(state: DouDizhuStateBase, position: Position) -> None:
    """Deal the cards as they were dealt, make the calls, and lay again what was laid.

    Raises:
        PositionError: it does not describe a table of this game.
    """
    check_row_lengths(state.seats, hands=position.hands, totals=position.totals)
    _check_seats_and_bottom(state.seats, position)
    if position.deal_no > state.options.deals:
        raise PositionError(f"deal_no is {position.deal_no}; the game has {state.options.deals} deals")
    most = MAX_REDEALS if state.options.all_pass == "redeal" else 0
    if position.redeals > most:
        raise PositionError(f"redeals is {position.redeals}; with these options it is {most} at most")
    state.deal_no, state.totals = position.deal_no, [*(position.totals or [0] * state.seats)]
    state.begin_deal()
    state.redeals = position.redeals
    trial = state.copy()
    _make_calls(trial, position)
    dealt, bottom = _cards_as_dealt(position, state.seats, trial.landlord, state.table.rng)
    set_up_zones(state.table, state.bottom, [*zip(state.hands, dealt, strict=True), (state.bottom, bottom)])
    _make_calls(state, position)
    for number, laid in enumerate(position.plays, 1):
        if state.landlord is None or state.turn is None or state.turn.seat != laid.seat:
            raise PositionError(f"play {number} of the deal is by seat {laid.seat}; the turn is {state.turn}")
        _do(state, Play(laid.cards) if laid.cards else PASS, f"play {number} of the deal")


def _check_seats_and_bottom(seats: int, position: Position) -> None:
    """Check what the type of a position leaves open, as it holds for three and for four.

    Raises:
        PositionError: a play is by a seat that there is not, or the bottom has too many or too few cards.
    """
    for number, laid in enumerate(position.plays, 1):
        if laid.seat >= seats:
            raise PositionError(f"play {number} of the deal is by seat {laid.seat}; {seats} play")
    if position.bottom is not None and len(position.bottom) != BOTTOMS[seats]:
        raise PositionError(f"bottom has {len(position.bottom)} cards; if {seats} play it is {BOTTOMS[seats]}")


def _cards_as_dealt(
    position: Position, seats: int, landlord: int | None, rng: Random
) -> tuple[list[list[str | None]], list[str | None]]:
    """Return the cards that each seat was dealt, and those that were left; the landlord holds or has laid these too.

    Raises:
        PositionError: a seat has more or fewer cards than it can have.
    """
    bottom = [*(position.bottom or [None] * BOTTOMS[seats])]
    dealt: list[list[str | None]] = []
    for seat in range(seats):
        gone = [face for laid in position.plays if laid.seat == seat for face in laid.cards]
        size = HANDS[seats] + (BOTTOMS[seats] if seat == landlord else 0)
        given = None if position.hands is None else position.hands[seat]
        held = [None] * (size - len(gone)) if given is None else given
        if len(held) + len(gone) != size:
            raise PositionError(f"seat {seat} holds {len(held)} cards and has laid {len(gone)}; together it is {size}")
        rest: list[str | None] = [*held]
        if seat == landlord:
            bottom = _take_bottom_out(rest, gone, bottom, rng)
        dealt.append([*gone, *rest])  # of equal cards the first one is laid
    return dealt, bottom


def _take_bottom_out(
    held: list[str | None], gone: list[str], bottom: Sequence[str | None], rng: Random
) -> list[str | None]:
    """Remove the landlord's bottom cards from `held` and `gone`, and return them; open ones (None) are chosen.

    `held` are the cards in its hand, `gone` those that it has laid. Bottom cards came last to the hand, and left it
    before equal ones.

    Raises:
        PositionError: the landlord does not have one of them.
    """
    taken = [*bottom]
    for number in sorted(range(len(bottom)), key=lambda number: bottom[number] is None):
        face = bottom[number]
        if face is None and None not in held:
            taken[number] = face = rng.choice([*filter(None, held), *gone])
        if face in gone:
            gone.remove(face)
        elif face in held or None in held:
            last = [*reversed(held)].index(face if face in held else None)
            del held[len(held) - 1 - last]
        else:
            raise PositionError(f"{face!r} of the bottom is not among the landlord's {held!r}")
    return taken


def _make_calls(state: DouDizhuStateBase, position: Position) -> None:
    """Make the calls, each of which must be legal; a seat that is passed over is written as a pass."""
    redeals = state.redeals
    state.begin_auction()
    for number, call in enumerate(position.calls, 1):
        if number <= len(state.auction.calls):
            if call is not None:
                raise PositionError(f"call {number} is {call!r}; the seat has passed before")
        elif state.landlord is not None or state.redeals != redeals or state.turn is None:
            raise PositionError(f"there is no call {number}; the auction is over")
        else:
            _do(state, PASS if call is None else call, f"call {number}")


def _do(state: DouDizhuStateBase, action: DouDizhuAction, what: str) -> None:
    try:
        state.play(action)
    except IllegalAction as error:
        raise PositionError(f"{what}: {error}") from None
