"""Positions of Lucky Maker: written down, and set up again. First comes where the cards go."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pitboss import PositionError, Zone
from pitboss.table.position_setup import check_row_lengths, check_seats, set_up_zones, stack_deck
from pitboss_lucky_maker.deck import CATEGORY_CARDS, COMPLEMENT, DECK, FOLLOWS, PAIRS
from pitboss_lucky_maker.messages import PLAYS, PlayedTrick, Position
from pitboss_lucky_maker.rounds import deal_game, resume_play, state_void
from pitboss_lucky_maker.state import LuckyMakerStateBase
from pitboss_lucky_maker.trick import PastTrick, decide_trick, lead_after


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


MAX_POINTS_A_TRICK: Final = 10  # points


def write_position(state: LuckyMakerStateBase) -> Position:
    """Write down a state: every card of this game, and the totals of the earlier ones."""
    board, zones = state.board, state.table.zones
    master = _faces(zones[board.master])
    voids = [
        PAIRS[category] if category is not None and zones[hand] else None
        for category, hand in zip(state.voids, board.hands, strict=True)
    ]
    return Position(
        hands=[[*_faces(zones[hand])] for hand in board.hands],
        masters=[*reversed(_faces(zones[board.masters]))],
        master=master[0] if master else None,
        trick=_faces(zones[board.trick]),
        lead=state.lead,
        start=state.first_lead,
        history=[PlayedTrick(PLAYS[master].card, lead, _faces(cards)) for master, lead, cards, _ in state.past_tricks],
        void=voids if any(voids) else None,
        scores=state.scores[:],
        totals=state.totals[:],
        game_no=state.game_no,
    )


def _faces(cards: Sequence[int]) -> list[str]:
    return [PLAYS[card].card for card in cards]


def set_up_position(state: LuckyMakerStateBase, position: Position) -> None:
    """Bring a fresh state to a position.

    Raises:
        PositionError: it does not describe a table of this game.
    """
    seats = state.board.seats
    check_row_lengths(seats, hands=position.hands, void=position.void, scores=position.scores, totals=position.totals)
    check_seats(seats, lead=position.lead, start=position.start)
    for past in position.history:
        check_seats(seats, lead=past.lead)
    if position.game_no > state.options.games:
        raise PositionError(f"game_no is {position.game_no}; the series has {state.options.games} games")
    state.game_no = position.game_no
    state.totals = _check_totals(state, position)
    if position.deck is not None:
        beside = ("lead", "start", "scores", "totals", "game_no")
        stack_deck(state.table, state.board.masters, position.deck, position, beside)
        _check_scores(state, position, 0)
        state.lead = _find_lead(state, position, 0)
        deal_game(state, _find_first_lead(state, position, 0))
    else:
        _lay_out(state, position)


def _lay_out(state: LuckyMakerStateBase, position: Position) -> None:
    """Lay out the cards that are written, deal the rest to the places left open, and state the known voids."""
    left = _cards_left(position, state.board.tricks)
    state.past_tricks = _decide_history(state, position.history)
    before = state.board.tricks - left  # tricks of this game that were played
    state.scores = _check_scores(state, position, before - len(state.past_tricks))
    state.lead = _find_lead(state, position, before)
    state.first_lead = _find_first_lead(state, position, before)
    placing = CardPlacement(state, position, left)
    placing.place_cards()
    if left:
        resume_play(state)
    elif position.game_no < state.options.games:
        raise PositionError(
            f"no cards are left in game {position.game_no}; then the next of the {state.options.games} games is dealt"
        )
    for seat, category in enumerate(placing.voids):
        if category is not None and state.table.zones[state.board.hands[seat]]:
            state_void(state, seat, category)


def _cards_left(position: Position, tricks: int) -> int:
    """Return how many cards the player on turn holds: also how many masters are left, the open one counted."""
    if position.hands is not None:
        left = max(map(len, position.hands))
    elif position.masters is not None:
        left = len(position.masters) + 1
    else:
        left = tricks - len(position.history)
    if not 0 <= left <= tricks - len(position.history):
        raise PositionError(
            f"a game has {tricks} tricks; with {len(position.history)} in the history {left} cannot be left"
        )
    return left


def _decide_history(state: LuckyMakerStateBase, played: Sequence[PlayedTrick]) -> list[PastTrick]:
    """2.2, 2.3: decide the tricks of the history; each is led by whom the one before says."""
    board, tricks = state.board, list[PastTrick]()
    lead: int | None = None
    for number, past in enumerate(played, 1):
        if len(past.cards) != board.seats:
            raise PositionError(f"trick {number} of the history has {len(past.cards)} cards; {board.seats} play")
        if lead not in (None, past.lead):
            raise PositionError(
                f"trick {number} of the history is led by seat {past.lead}; by the trick before it is seat {lead}"
            )
        master, *cards = DECK.find_cards([past.master, *past.cards])
        decision = decide_trick(master, cards)
        tricks.append((master, past.lead, tuple(cards), decision))
        lead = lead_after(decision, past.lead, board.seats, state.options)
    if lead is not None:
        state.lead = lead
    return tricks


def _find_lead(state: LuckyMakerStateBase, position: Position, before: int) -> int:
    """Return who leads: it is written, or follows from the history or the start, or is drawn by lot."""
    if state.past_tricks:
        follows: int | None = state.lead
    elif before == 0:
        follows = position.start if position.start is not None else _fixed_first_lead(state, position)
    else:
        follows = None
    if follows is None and position.lead is None and position.trick:
        raise PositionError("cards lie in the trick; who led to it must be written")
    if position.lead is not None and follows not in (None, position.lead):
        raise PositionError(f"lead is {position.lead}; by the history, the start or the options it is {follows}")
    if follows is None:
        follows = position.lead
    return follows if follows is not None else state.table.rng.randbelow(state.board.seats)


def _find_first_lead(state: LuckyMakerStateBase, position: Position, before: int) -> int:
    """Return who led to the first trick of this game; if nothing tells, it is drawn by lot."""
    follows = _fixed_first_lead(state, position)
    if before == 0:
        first: int | None = state.lead
    else:
        first = state.past_tricks[0][1] if len(state.past_tricks) == before else None
    for known in (first, position.start):
        if known is not None and follows not in (None, known):
            raise PositionError(f"start is {known}; by the first trick or the options it is {follows}")
        follows = known if follows is None else follows
    return follows if follows is not None else state.table.rng.randbelow(state.board.seats)


def _fixed_first_lead(state: LuckyMakerStateBase, position: Position) -> int | None:
    """Section 4: return who starts this game by the option `start` alone."""
    return (position.game_no - 1) % state.board.seats if state.options.start == "seat0" else None


def _check_scores(state: LuckyMakerStateBase, position: Position, unwritten: int) -> list[int]:
    """Return the points of this game: those of the history, and at most ten for each trick that is not written."""
    earned = [0] * state.board.seats
    for _, lead, _, decision in state.past_tricks:
        if decision.winner is not None:
            earned[state.board.seats_from[lead][decision.winner]] += decision.points
    if position.scores is None:
        return earned
    more = [given - own for given, own in zip(position.scores, earned, strict=True)]
    if min(more) < 0 or sum(more) > MAX_POINTS_A_TRICK * unwritten:
        raise PositionError(
            f"scores are {position.scores!r}; the history gives {earned!r}, and {unwritten} tricks are not in it"
        )
    return list(position.scores)


def _check_totals(state: LuckyMakerStateBase, position: Position) -> list[int]:
    totals = [0] * state.board.seats if position.totals is None else list(position.totals)
    most = MAX_POINTS_A_TRICK * state.board.tricks * (position.game_no - 1)
    if sum(totals) > most:
        raise PositionError(
            f"totals are {totals!r}; before game {position.game_no} there were at most {most} points to win"
        )
    return totals
