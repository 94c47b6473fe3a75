"""Card placement of a written position, and which hands are known to be void of what."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pitboss import PositionError, Zone
from pitboss.table.position_setup import set_up_zones
from pitboss_lucky_maker.deck import CARD_BY_FACE, CATEGORY_CARDS, COMPLEMENT, DECK, FOLLOWS, PAIRS
from pitboss_lucky_maker.messages import PLAYS, Position
from pitboss_lucky_maker.state import LuckyMakerStateBase
from pitboss_lucky_maker.trick import PastTrick


def cards_from_faces(faces: Iterable[str]) -> list[int]:
    """Return the numbers of some cards.

    Raises:
        PositionError: there is no such card.
    """
    return [_card_from_face(face) for face in faces]


def _card_from_face(face: str) -> int:
    if face not in CARD_BY_FACE:
        raise PositionError(
            f"there is no card {face!r}: a card is like {DECK.faces[3]!r}, its suits in the order R, B, G, Y, its sum "
            "11"
        )
    return CARD_BY_FACE[face]


def _cards_or_open(faces: Iterable[str | None]) -> list[int | None]:
    return [None if face is None else _card_from_face(face) for face in faces]


class CardPlacement:
    """The cards of a position by zone, checked; None is a place left open.

    `voids[seat]` is the category of which the hand is known to hold no suit.
    """

    def __init__(self, state: LuckyMakerStateBase, position: Position, left: int) -> None:
        seats = state.board.seats
        self.state = state
        self.trick = cards_from_faces(position.trick)
        self.trick_seats = state.board.seats_from[state.lead][: len(self.trick)]
        sizes = [left - (seat in self.trick_seats) for seat in range(seats)]
        if len(self.trick) >= seats or (self.trick and not left):
            raise PositionError(
                f"{len(self.trick)} cards lie in the trick; {seats} play, and {left} cards are left to who is on turn"
            )
        self.hands: list[list[int | None]] = [[None] * size for size in sizes]
        if position.hands is not None:
            self.hands = [_cards_or_open(row) for row in position.hands]
        if [len(hand) for hand in self.hands] != sizes:
            raise PositionError(f"the hands have {[len(hand) for hand in self.hands]!r} cards; it must be {sizes!r}")
        hidden = max(0, left - 1)
        self.masters: list[int | None] = [None] * hidden
        if position.masters is not None:
            self.masters = _cards_or_open(position.masters)
        if len(self.masters) != hidden:
            raise PositionError(
                f"there are {len(self.masters)} hidden masters; with hands of {left} there are {hidden}"
            )
        self.master: list[int | None] = _cards_or_open([position.master]) if left or position.master else []
        if not left and self.master:
            raise PositionError(f"the master {position.master!r} lies open, but no cards are left")
        if self.trick and position.master is None:
            raise PositionError("cards lie in the trick; the master that they were played to must be written")
        self.voids = [self._find_void(seat, position) for seat in range(seats)]

    def place_cards(self) -> None:
        """Lay the cards out; what is left over lay in tricks that are not written."""
        board, table = self.state.board, self.state.table
        rows: list[tuple[Zone, Sequence[int | None]]] = [
            *zip(board.hands, self.hands, strict=True),
            (board.trick, self.trick),
            (board.master, self.master),
            (board.masters, self.masters[::-1]),
            *((board.pile_for(past), _pile_of(past)) for past in self.state.past_tricks),
        ]
        among = {
            hand: CATEGORY_CARDS[COMPLEMENT[void]]
            for hand, void in zip(board.hands, self.voids, strict=True)
            if void is not None
        }
        left = set_up_zones(table, board.masters, [(zone, _faces_or_open(cards)) for zone, cards in rows], among)
        table.place(left, board.masters, board.removed, 0)
        self.state.sort_hands()

    # ---- 2.4: who did not follow holds neither suit

    def _find_void(self, seat: int, position: Position) -> int | None:
        """Return the category of which a hand is known to hold no suit, by what was played or by what is written."""
        hand = _named_cards(self.hands[seat])
        known = list[int]()
        if position.void is not None and (pair := position.void[seat]) is not None:
            known.append(PAIRS.index(pair))
            self._check_void(seat, known[0], hand)
        plays = self._plays_of(seat)
        for number, (card, category) in enumerate(plays):
            if not FOLLOWS[category][card]:
                self._check_void(seat, category, [*(later for later, _ in plays[number + 1 :]), *hand])
                known.append(category)
        if self.hands[seat] and len(set(known)) > 1:
            raise PositionError(
                f"seat {seat} is void of {' and of '.join(PAIRS[one] for one in known)}: it can hold no card"
            )
        return known[-1] if known else None

    def _plays_of(self, seat: int) -> list[tuple[int, int]]:
        """Return what a seat has played in this game, as far as it is written, each with the category of the master."""
        plays = [
            (cards[self.state.board.seats_from[lead].index(seat)], master // 10)
            for master, lead, cards, _ in self.state.past_tricks
        ]
        if seat in self.trick_seats and self.master[0] is not None:
            plays.append((self.trick[self.trick_seats.index(seat)], self.master[0] // 10))
        return plays

    def _check_void(self, seat: int, category: int, cards: Sequence[int]) -> None:
        following = [PLAYS[card].card for card in cards if FOLLOWS[category][card]]
        if following:
            raise PositionError(
                f"seat {seat} is void of {PAIRS[category]}, or has not followed it, but plays or holds "
                f"{following[0]!r} afterwards"
            )


def _named_cards(places: Iterable[int | None]) -> list[int]:
    return [card for card in places if card is not None]


def _faces_or_open(places: Iterable[int | None]) -> list[str | None]:
    return [None if card is None else PLAYS[card].card for card in places]


def _pile_of(past: PastTrick) -> list[int]:
    """Return the cards of a finished trick as they were taken: the master, then the trick turned over."""
    master, _, cards, _ = past
    return [master, *reversed(cards)]
