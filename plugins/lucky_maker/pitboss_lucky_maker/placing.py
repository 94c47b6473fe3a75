"""Where the cards of a written position come to lie, and who is known to be void of what."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from pitboss import PositionError, Zone
from pitboss.laying import lay_out
from pitboss_lucky_maker.deck import COMPLEMENT, DECK, FOLLOWING, MEMBERS, NUMBER_OF, PAIRS
from pitboss_lucky_maker.messages import PLAYS, Position
from pitboss_lucky_maker.trick import Past

if TYPE_CHECKING:
    from pitboss_lucky_maker.game import LuckyMakerState


def numbers_of(faces: Iterable[str]) -> list[int]:
    """Return the numbers of some cards.

    Raises:
        PositionError: there is no such card.
    """
    return [_number_of(face) for face in faces]


def _number_of(face: str) -> int:
    if face not in NUMBER_OF:
        raise PositionError(
            f"there is no card {face!r}: a card is like {DECK.faces[3]!r}, its suits in the order R, B, G, Y, its sum 11"
        )
    return NUMBER_OF[face]


def _open(faces: Iterable[str | None]) -> list[int | None]:
    return [None if face is None else _number_of(face) for face in faces]


class Placing:
    """The cards of a position on a fresh table; a place left open is None. `voids` tells who is known to be void of which category."""

    def __init__(self, state: LuckyMakerState, position: Position, left: int) -> None:
        seats = state.board.seats
        self.state = state
        self.trick = numbers_of(position.trick)
        self.played_by = state.board.in_order[state.lead][: len(self.trick)]
        sizes = [left - (seat in self.played_by) for seat in range(seats)]
        if len(self.trick) >= seats or (self.trick and not left):
            raise PositionError(
                f"{len(self.trick)} cards lie in the trick; {seats} play, and {left} cards are left to who is on turn"
            )
        self.hands: list[list[int | None]] = [[None] * size for size in sizes]
        if position.hands is not None:
            self.hands = [_open(row) for row in position.hands]
        if [len(hand) for hand in self.hands] != sizes:
            raise PositionError(f"the hands have {[len(hand) for hand in self.hands]!r} cards; it must be {sizes!r}")
        hidden = max(0, left - 1)
        self.masters: list[int | None] = [None] * hidden if position.masters is None else _open(position.masters)
        if len(self.masters) != hidden:
            raise PositionError(f"there are {len(self.masters)} hidden masters; with hands of {left} there are {hidden}")
        self.master: list[int | None] = _open([position.master]) if left or position.master else []
        if not left and self.master:
            raise PositionError(f"the master {position.master!r} lies open, but no cards are left")
        if self.trick and position.master is None:
            raise PositionError("cards lie in the trick; the master that they were played to must be written")
        self.voids = [self._void(seat, position) for seat in range(seats)]

    def place(self) -> None:
        """Lay the cards out; what is left over lay in tricks that are not written."""
        board, table = self.state.board, self.state.table
        rows: list[tuple[Zone, Sequence[int | None]]] = [
            *zip(board.hands, self.hands, strict=True),
            (board.trick, self.trick),
            (board.master, self.master),
            (board.masters, self.masters[::-1]),
            *((board.pile_for(past), _pile_of(past)) for past in self.state.past),
        ]
        among = {hand: MEMBERS[COMPLEMENT[void]] for hand, void in zip(board.hands, self.voids, strict=True) if void is not None}
        left = lay_out(table, board.masters, [(zone, _faces(cards)) for zone, cards in rows], among)
        table.place(left, board.masters, board.removed, 0)
        self.state.sort_hands()

    # ---- 2.4: who did not follow holds neither suit

    def _void(self, seat: int, position: Position) -> int | None:
        """Return the category of which a hand is known to hold no suit, by what was played or by what is written."""
        hand = _written(self.hands[seat])
        known = list[int]()
        if position.void is not None and (pair := position.void[seat]) is not None:
            known.append(PAIRS.index(pair))
            self._check(seat, known[0], hand)
        plays = self._plays(seat)
        for number, (card, category) in enumerate(plays):
            if not FOLLOWING[category][card]:
                self._check(seat, category, [*(later for later, _ in plays[number + 1 :]), *hand])
                known.append(category)
        if self.hands[seat] and len(set(known)) > 1:
            raise PositionError(f"seat {seat} is void of {' and of '.join(PAIRS[one] for one in known)}: it can hold no card")
        return known[-1] if known else None

    def _plays(self, seat: int) -> list[tuple[int, int]]:
        """Return what a seat has played in this game, as far as it is written, each with the category of the master."""
        plays = [(cards[self.state.board.in_order[lead].index(seat)], master // 10) for master, lead, cards, _ in self.state.past]
        if seat in self.played_by and self.master[0] is not None:
            plays.append((self.trick[self.played_by.index(seat)], self.master[0] // 10))
        return plays

    def _check(self, seat: int, category: int, cards: Sequence[int]) -> None:
        following = [PLAYS[card].card for card in cards if FOLLOWING[category][card]]
        if following:
            raise PositionError(
                f"seat {seat} is void of {PAIRS[category]}, or has not followed it, but plays or holds {following[0]!r} afterwards"
            )


def _written(places: Iterable[int | None]) -> list[int]:
    return [card for card in places if card is not None]


def _faces(places: Iterable[int | None]) -> list[str | None]:
    return [None if card is None else PLAYS[card].card for card in places]


def _pile_of(past: Past) -> list[int]:
    """Return the cards of a finished trick as they were taken: the master, then the trick turned over."""
    master, _, cards, _ = past
    return [master, *reversed(cards)]
