"""Positions of games of tricks: the hands, and the cards that were played, which are played again."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import takewhile
from typing import Any, TypeAlias, TypeVar

from pitboss.errors import IllegalAction, PositionError
from pitboss.parts.tricks import PlayCard, TrickState
from pitboss.table.position_setup import check_row_lengths, set_up_zones
from pitboss.table.zones import Zone

S = TypeVar("S", bound=TrickState[Any, Any])
SeatPlay: TypeAlias = tuple[int, str]  # seat, card


def list_plays(state: TrickState[Any, Any]) -> list[SeatPlay]:
    """Return the cards that were played in this deal, each with its player, in order."""
    printed: Sequence[Any] = state.table.layout.deck.faces
    played = [play for trick in state.tricks for play in trick.cards]
    on_table = zip(state.trick_seats, state.table.zones[state.trick], strict=False)  # some have not played yet
    return [*played, *((seat, printed[card]) for seat, card in on_table)]


def set_up_tricks(
    state: S,
    hands: Sequence[Sequence[str | None]] | None,
    plays: Sequence[SeatPlay],
    size: int,
    begin_play: Callable[[S], None],
    instead: Mapping[int, Zone] | None = None,
    beside: Sequence[tuple[Zone, Sequence[str | None]]] = (),
) -> None:
    """Give each seat the cards that it holds and those that it has played, of `size` together; play these again.

    A card that is None, or a hand that is left out, is drawn at random from the cards that fit what was played.
    `begin_play` brings a state whose hands are dealt to the first lead, or to a call if nothing was played. The cards
    of a seat in `instead` lie in that zone; `beside` are other zones with their cards.

    Raises:
        PositionError: hands and plays are not those of one deal, or a play was not legal.
    """
    dealt = cards_as_dealt(state.seats, hands, plays, size, are_plays_first=state.table.layout.deck.has_copies)
    set_up_dealt(state, dealt, plays, begin_play, instead, beside)


def cards_as_dealt(
    seats: int,
    hands: Sequence[Sequence[str | None]] | None,
    plays: Sequence[SeatPlay],
    size: int,
    *,
    are_plays_first: bool = False,
) -> list[list[str | None]]:
    """Return, by seat, the cards that were dealt to it: those it holds, and those it has played; None for open ones.

    With `are_plays_first` those it has played come first: of equal cards a player plays the first, and holds the others
    in the order in which they are written.

    Raises:
        PositionError: a seat has more or fewer than `size`.
    """
    check_row_lengths(seats, hands=hands)
    played: list[list[str]] = [[face for player, face in plays if player == seat] for seat in range(seats)]
    held = hands or [[None] * (size - len(played[seat])) for seat in range(seats)]
    for seat, (row, gone) in enumerate(zip(held, played, strict=True)):
        if len(row) + len(gone) != size:
            raise PositionError(f"seat {seat} holds {len(row)} cards and has played {len(gone)}; together it is {size}")
    if are_plays_first:
        return [[*gone, *row] for row, gone in zip(held, played, strict=True)]
    return [[*row, *gone] for row, gone in zip(held, played, strict=True)]


def set_up_dealt(
    state: S,
    dealt: Sequence[Sequence[str | None]],
    plays: Sequence[SeatPlay],
    begin_play: Callable[[S], None],
    instead: Mapping[int, Zone] | None = None,
    beside: Sequence[tuple[Zone, Sequence[str | None]]] = (),
) -> None:
    """Do as `set_up_tricks` with the cards that each seat was dealt, where `begin_play` exchanges some of them."""
    zones = [(instead or {}).get(seat, hand) for seat, hand in enumerate(state.hands)]
    rows = [*beside, *zip(zones, dealt, strict=True)]
    trial = state.copy()
    domains: dict[Zone, frozenset[int]] = {}
    if plays:
        set_up_zones(trial.table, trial.stock, rows)
        begin_play(trial)
        domains = dict(zip(zones, _possible_cards_after(trial, plays), strict=True))
    set_up_zones(state.table, state.stock, rows, domains)
    begin_play(state)
    for number, (seat, face) in enumerate(plays, 1):
        _check_player(state, seat, number)
        try:
            state.play(PlayCard(face))
        except IllegalAction as error:
            raise PositionError(f"play {number} of the deal: {error}") from None


def _possible_cards_after(trial: TrickState[Any, Any], plays: Sequence[SeatPlay]) -> list[frozenset[int]]:
    """Return by seat the cards that its hand can hold after some plays, which `trial` plays, except the last one."""
    for number, (seat, face) in enumerate(plays, 1):
        _check_player(trial, seat, number)
        [card] = trial.table.choose_cards(trial.hands[seat], (face,))
        lacking = [*takewhile(lambda duty, card=card: card not in duty, trial.duties())]  # type: ignore[misc]
        if number < len(plays):
            trial.play_card(card, lacking)
        else:
            trial.possible_cards[seat] = trial.possible_cards[seat].difference(*lacking)
    return trial.possible_cards


def _check_player(state: TrickState[Any, Any], seat: int, number: int) -> None:
    if not state.trick_seats or state.player != seat:
        on_turn = f"seat {state.player} plays" if state.trick_seats else "no trick is played"
        raise PositionError(f"play {number} of the deal is by seat {seat}; {on_turn} then")
