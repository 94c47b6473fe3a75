"""Card placement of a written position, and which hands are known to be void of what."""

from __future__ import annotations

from collections.abc import Sequence

from pitboss import PositionError, Zone
from pitboss.table.position_setup import set_up_zones
from pitboss_lucky_maker.deck import CATEGORY_CARDS, COMPLEMENT, DECK, FOLLOWS, PAIRS
from pitboss_lucky_maker.messages import PLAYS, Position
from pitboss_lucky_maker.state import LuckyMakerStateBase


class CardPlacement:
    """The cards of a position by zone, checked; None is a place left open.

    `voids[seat]` is the category of which the hand is known to hold no suit.
    """

    def __init__(self, state: LuckyMakerStateBase, position: Position, left: int) -> None:
        seats = state.board.seats
        self.state, self.position = state, position
        self.trick_seats = state.board.seats_from[state.lead][: len(position.trick)]
        sizes = [left - (seat in self.trick_seats) for seat in range(seats)]
        if len(position.trick) >= seats or (position.trick and not left):
            raise PositionError(
                f"{len(position.trick)} cards lie in the trick; {seats} play, and {left} cards are left to who is on "
                "turn"
            )
        self.hands: Sequence[Sequence[str | None]] = position.hands or [[None] * size for size in sizes]
        if [len(hand) for hand in self.hands] != sizes:
            raise PositionError(f"the hands have {[len(hand) for hand in self.hands]!r} cards; it must be {sizes!r}")
        hidden = max(0, left - 1)
        self.masters: Sequence[str | None] = [None] * hidden if position.masters is None else position.masters
        if len(self.masters) != hidden:
            raise PositionError(
                f"there are {len(self.masters)} hidden masters; with hands of {left} there are {hidden}"
            )
        if not left and position.master:
            raise PositionError(f"the master {position.master!r} lies open, but no cards are left")
        self.master = [position.master] if left else []
        if position.trick and position.master is None:
            raise PositionError("cards lie in the trick; the master that they were played to must be written")
        self.voids = [self._find_void(seat) for seat in range(seats)]

    def place_cards(self) -> None:
        """Lay the cards out; what is left over lay in tricks that are not written."""
        board, table, position = self.state.board, self.state.table, self.position
        rows: list[tuple[Zone, Sequence[str | None]]] = [
            *zip(board.hands, self.hands, strict=True),
            (board.trick, position.trick),
            (board.master, self.master),
            (board.masters, self.masters[::-1]),
        ]
        for past, written in zip(self.state.past_tricks, position.history, strict=True):
            rows.append((board.pile_for(past), [written.master, *reversed(written.cards)]))  # the trick turned over
        among = {
            hand: CATEGORY_CARDS[COMPLEMENT[void]]
            for hand, void in zip(board.hands, self.voids, strict=True)
            if void is not None
        }
        left = set_up_zones(table, board.masters, rows, among)
        table.place(left, board.masters, board.removed, 0)
        self.state.sort_hands()

    # ---- 2.4: who did not follow holds neither suit

    def _find_void(self, seat: int) -> int | None:
        """Return the category of which a hand is known to hold no suit, by what was played or by what is written."""
        hand = DECK.find_cards([face for face in self.hands[seat] if face is not None])
        known = list[int]()
        if self.position.void is not None and (pair := self.position.void[seat]) is not None:
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
        if seat in self.trick_seats and self.position.master is not None:
            played = self.position.trick[self.trick_seats.index(seat)]
            card, master = DECK.find_cards([played, self.position.master])
            plays.append((card, master // 10))
        return plays

    def _check_void(self, seat: int, category: int, cards: Sequence[int]) -> None:
        following = [PLAYS[card].card for card in cards if FOLLOWS[category][card]]
        if following:
            raise PositionError(
                f"seat {seat} is void of {PAIRS[category]}, or has not followed it, but plays or holds "
                f"{following[0]!r} afterwards"
            )
