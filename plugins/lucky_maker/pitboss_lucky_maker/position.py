"""Positions of Lucky Maker: written down, and set up again. The cards are laid out in `card_placement`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pitboss import PositionError
from pitboss.table.position_setup import check_row_lengths, check_seats, stack_deck
from pitboss_lucky_maker.card_placement import CardPlacement
from pitboss_lucky_maker.deck import DECK, PAIRS
from pitboss_lucky_maker.messages import PLAYS, PlayedTrick, Position
from pitboss_lucky_maker.rounds import deal_game, resume_play, state_void
from pitboss_lucky_maker.state import LuckyMakerStateBase
from pitboss_lucky_maker.trick import PastTrick, decide_trick, lead_after

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
