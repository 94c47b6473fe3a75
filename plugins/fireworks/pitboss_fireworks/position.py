"""Positions of Fireworks: written, and set up again (section 6 of the rule book)."""

from __future__ import annotations

from collections.abc import Sequence

from pitboss import PositionError, Zone
from pitboss.table.constrained_deal import ConstrainedDeal
from pitboss.table.position_setup import check_row_lengths, check_seats, set_up_zones
from pitboss_fireworks.cards import NUMBERS, is_about, list_faces
from pitboss_fireworks.messages import HeldCard, Position
from pitboss_fireworks.state import TURNS, FireworksStateBase


def write_position(state: FireworksStateBase) -> Position:
    """Return the position as data, with all hidden cards."""
    signs = state.cards.signs
    rows = zip(state.hands, state.possible, state.hinted, strict=True)
    return Position(
        hands=[
            [
                HeldCard(face, None if left == signs else left, told)
                for face, left, told in zip(state.faces(hand), possible, hinted, strict=True)
            ]
            for hand, possible, hinted in rows
        ],
        heights=state.heights_by_colour(),
        discards=state.faces(state.discards),
        stock=[*state.faces(state.stock)[::-1]],
        tokens=state.tokens,
        lives=state.lives,
        last_turns=state.last_turns,
        turn=state.turn.seat if state.turn is not None else None,
    )


def set_up(state: FireworksStateBase, position: Position) -> None:
    """Set up a written position.

    Raises:
        PositionError: it is none of this game.
    """
    state.begin()
    hands = position.hands
    if hands is None:
        hands = [[HeldCard()] * state.hand_size for _ in state.hands]
    check_row_lengths(state.seats, hands=hands)
    check_seats(state.seats, turn=position.turn)
    _check_numbers(state, position, hands)
    signs = state.cards.signs
    state.possible = [tuple(held.possible or signs for held in hand) for hand in hands]
    state.hinted = [tuple(held.hinted for held in hand) for hand in hands]
    for hand in hands:
        for held in hand:
            _check_card(held, signs)
    rows: list[tuple[Zone, Sequence[str | None]]] = [(state.discards, position.discards)]
    for colour, zone, height in zip(state.cards.colours, state.fireworks, state.heights, strict=False):
        rows.append((zone, [colour + number for number in NUMBERS[:height]]))
    stock = position.stock
    if stock is not None:
        rows.append((state.stock, stock[::-1]))
    _place_hands(state, hands, rows)
    lying = len(state.table.zones[state.stock])
    if stock is not None and lying != len(stock):
        raise PositionError(f"stock has {len(stock)} cards; {lying} lie nowhere else")
    if position.last_turns is not None and (lying or state.options.end == "play_on"):
        raise PositionError(f"last_turns is {position.last_turns}; {'a stock is left' if lying else 'it is played on'}")
    if not lying and position.last_turns is None and state.options.end == "deck":
        raise PositionError("the stock is empty: last_turns says how many turns are left")
    state.last_turns = position.last_turns
    _set_turn(state, position.turn)


def _check_numbers(state: FireworksStateBase, position: Position, hands: Sequence[Sequence[HeldCard]]) -> None:
    colours, options = state.cards.colours, state.options
    if unknown := [colour for colour in position.heights if colour not in [*colours]]:
        raise PositionError(f"heights names {unknown[0]!r}; the colours are {' '.join(colours)}")
    state.heights = [position.heights.get(colour, 0) for colour in colours]
    for name, most in (("tokens", options.tokens), ("lives", options.lives)):
        given = getattr(position, name)
        if given is not None and given > most:
            raise PositionError(f"{name} is {given}; there are {most}")
        setattr(state, name, most if given is None else given)
    for seat, hand in enumerate(hands):
        if len(hand) > state.hand_size:
            raise PositionError(f"seat {seat} holds {len(hand)} cards; a hand has {state.hand_size}")


def _check_card(held: HeldCard, signs: str) -> None:
    """Check that a card's signs are possible ones, that its hints agree with them, and that the card has them.

    Raises:
        PositionError: something differs.
    """
    possible = held.possible or signs
    kinds = [[sign for sign in possible if (sign in NUMBERS) == is_number] for is_number in (False, True)]
    is_ordered = [*possible] == [sign for sign in signs if sign in possible]
    if not is_ordered or not all(kinds):
        raise PositionError(f"possible is {possible!r}; it has some of {signs!r}, in this order, of both kinds")
    faces = [*list_faces(possible)]
    if held.card is not None and held.card not in faces:
        raise PositionError(f"{held.card!r} is not possible where {possible!r} are left")
    if wrong := [sign for sign in held.hinted if not all(is_about(sign, face) for face in faces)]:
        raise PositionError(f"a card was pointed out with {wrong[0]!r}, and {possible!r} are left of it")


def _place_hands(
    state: FireworksStateBase, hands: Sequence[Sequence[HeldCard]], rows: list[tuple[Zone, Sequence[str | None]]]
) -> None:
    """Put the cards in their zones, open places of the hands such that they fit what was told, and state that.

    Raises:
        PositionError: no cards that are left fit.
    """
    table, deck = state.table, state.table.layout.deck
    domains = {
        signs: frozenset(card for face in list_faces(signs) for card in deck.copies(face))
        for possible in state.possible
        for signs in possible
    }
    given = [face for _, row in rows for face in row] + [held.card for hand in hands for held in hand]
    named = {*deck.find_cards([face for face in given if face is not None])}
    rest = [card for card in range(len(deck)) if card not in named]
    places = [held.possible for hand in hands for held in hand if held.card is None]
    wanted = [None if signs is None else domains[signs] for signs in places]
    deal = ConstrainedDeal(rest, [*wanted, *[None] * (len(rest) - len(wanted))])
    if len(wanted) > len(rest) or not deal.is_possible:
        raise PositionError("the cards named nowhere do not fit what was told of the hands")
    drawn = iter(deal.sample_deal(table.rng))
    faces = [[held.card or str(deck.faces[next(drawn)]) for held in hand] for hand in hands]
    set_up_zones(table, state.stock, [*rows, *zip(state.hands, faces, strict=True)])
    for zone, possible in zip(state.hands, state.possible, strict=True):
        for card, signs in zip(table.zones[zone], possible, strict=True):
            if signs != state.cards.signs:
                table.restrict([card], domains[signs])


def _set_turn(state: FireworksStateBase, seat: int | None) -> None:
    """Set who is on turn, if the game is not over."""
    if seat is not None and state.is_over(seat):
        raise PositionError(f"seat {seat} is on turn, and the game is over")
    state.turn = None if seat is None else TURNS[seat]
