"""Positions of Euchre: written down, and set up again (section 6 of the rule book)."""

from __future__ import annotations

from collections.abc import Sequence

from pitboss import IllegalAction, PositionError, Turn, Zone
from pitboss.parts.trick_position import cards_as_dealt, set_up_dealt
from pitboss.plugins.packs import suit_of
from pitboss.table.position_setup import set_up_zones
from pitboss_euchre.messages import BENNY, Defend, Discard, EuchreAction, GoUnder, OrderUp, Pass, Position
from pitboss_euchre.state import HAND, SEATS, EuchreStateBase


def write_position(state: EuchreStateBase) -> Position:
    """Write down a state: every card of this deal, the calls, and the points before it."""
    laid_away = state.faces(state.laid_away[state.dealer])
    return Position(
        **state.write_tricks(),
        turned_up=state.turned_face,
        turned_suit=state.turned_suit if state.turned_face == BENNY else None,  # type: ignore[arg-type]
        stock=[*reversed(state.faces(state.stock))],
        farmer=state.farmer,
        calls=list(state.auction.calls),
        discard=laid_away[0] if laid_away else None,
        defences=list(state.defences),
    )


def set_up_deal(state: EuchreStateBase, position: Position) -> None:
    """Deal the cards as they were dealt, make the calls and play the plays again.

    Raises:
        PositionError: it does not describe a table of this game.
    """
    state.turned_face = position.turned_up or _draw_turned_up(state, position)
    if (state.turned_face == BENNY) < (position.turned_suit is not None):
        raise PositionError(f"turned_suit is {position.turned_suit!r}, and {state.turned_face!r} is turned up")
    if state.turned_face == BENNY and position.turned_suit is None:
        _set_up_benny(state, position)
        return
    state.turned_suit = position.turned_suit or suit_of(state.turned_face)
    dealt = cards_as_dealt(SEATS, position.hands, position.plays, HAND)
    if position.discard is not None:
        if not any(isinstance(call, OrderUp) for call in position.calls):
            raise PositionError(f"discard is {position.discard!r}, and nobody has ordered the dealer to pick up")
        if position.discard != state.turned_face or not state.options.bury:
            dealt[state.dealer] = [*_take_out(dealt[state.dealer], state.turned_face), position.discard]
    beside: list[tuple[Zone, Sequence[str | None]]] = [(state.turned_up, [state.turned_face])]
    stock = position.stock
    if position.farmer is not None:
        seat, shown = position.farmer.seat, position.farmer.shown
        drawn = dealt[seat]
        for face in shown:
            drawn = drawn if face in position.farmer.exchanged else _take_out(drawn, face)
        dealt[seat] = [*shown]
        stock = [*drawn, *(stock or ())]
    if stock is not None:
        beside.append((state.stock, stock[::-1]))
    set_up_dealt(state, dealt, position.plays, lambda one: _begin_play(one, position), beside=beside)


def _draw_turned_up(state: EuchreStateBase, position: Position) -> str:
    """Return a card that the position names nowhere, no joker.

    Raises:
        PositionError: there is none.
    """
    given = [*(position.hands or ()), position.stock or (), [face for _, face in position.plays], [position.discard]]
    named = {face for row in given for face in row}
    rest = sorted({*map(str, state.table.layout.deck.faces)} - named - {BENNY})
    if not rest:
        raise PositionError("no card is left that could have been turned up")
    return state.table.rng.choice(rest)


def _set_up_benny(state: EuchreStateBase, position: Position) -> None:
    """Set up the moment in which a joker is turned up, before the other cards are dealt."""
    if any(position.hands or ()) or position.calls or position.plays:
        raise PositionError("a joker is turned up, and turned_suit is open: nobody has cards yet")
    rows: list[tuple[Zone, Sequence[str | None]]] = [(state.turned_up, [BENNY])]
    set_up_zones(state.table, state.stock, [*rows, (state.stock, (position.stock or [])[::-1])])
    state.turn = Turn(state.dealer, "benny")


def _begin_play(state: EuchreStateBase, position: Position) -> None:
    """Make the calls up to the first lead, each of which must be legal."""
    state.turn = Turn(state.first_caller, "call")
    for call in position.calls:
        _go_under(state, position)
        _do(state, Pass() if call is None else call)
    _go_under(state, position)
    if position.discard is not None:
        _do(state, Discard(position.discard))
    for is_alone in position.defences:
        _do(state, Defend(is_alone))
    if position.farmer != state.farmer:
        raise PositionError(f"seat {position.farmer.seat if position.farmer else None} has not been asked for a call")
    if position.plays and not state.trick_seats:
        raise PositionError("cards are played, and the first trick is not led yet")


def _go_under(state: EuchreStateBase, position: Position) -> None:
    """Exchange the cards of a farmer's hand, when its owner is to call for the first time."""
    farmer = position.farmer
    if farmer is not None and state.farmer is None and state.turn == Turn(farmer.seat, "call"):
        first, second, third = farmer.exchanged
        _do(state, GoUnder((first, second, third)))


def _do(state: EuchreStateBase, action: EuchreAction) -> None:
    try:
        state.play(action)
    except IllegalAction as error:
        raise PositionError(f"before the first trick: {error}") from None


def _take_out(cards: Sequence[str | None], face: str) -> list[str | None]:
    """Return cards without one, for which an open place stands too.

    Raises:
        PositionError: it cannot be among them.
    """
    rest = [*cards]
    if face not in rest and None not in rest:
        raise PositionError(f"{face!r} is not among {rest!r}")
    rest.remove(face if face in rest else None)
    return rest
