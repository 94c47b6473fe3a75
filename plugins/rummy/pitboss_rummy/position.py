"""Positions of Rummy: written down, and set up again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pitboss import PositionError
from pitboss.parts.melds import CARDS
from pitboss.table.position_setup import check_row_lengths, check_seats, set_up_zones, stack_deck
from pitboss_rummy.deal import deal_cards, is_over
from pitboss_rummy.messages import PlacedMeld, Position
from pitboss_rummy.state import RummyStateBase, public_cards, visible_drawn_card


def write_position(state: RummyStateBase) -> Position:
    """Write down a state: every card, and what everybody knows."""
    table, board, turn = state.table, state.board, state.turn
    seats = range(len(board.hands))

    def faces(cards: Sequence[int]) -> list[Any]:
        return [board.pack[card % CARDS] for card in cards]

    drawn = visible_drawn_card(state, turn.seat) if turn else None
    return Position(
        dealer=state.dealer,
        deal=state.deal_no,
        turn=turn.seat if turn else None,
        phase=turn.phase if turn else "draw",  # type: ignore[arg-type]
        hands=[faces(table.zones[hand]) for hand in board.hands],
        drawn=drawn,
        taken=drawn if state.has_taken else None,
        discard=faces(table.zones[board.discard]),
        stock=faces(table.zones[board.stock][::-1]),
        stock_public=state.is_stock_public,
        melds=[
            PlacedMeld(owner, faces(table.zones[zone]))
            for owner, zone in zip(state.meld_owners, board.melds, strict=False)
        ],
        known=[public_cards(state, seat) for seat in seats],
        active=[bool(state.active_seats >> seat & 1) for seat in seats],
        melded=turn is not None and state.has_melded,
        laid_off=turn is not None and state.has_laid_off,
        over=turn is None,
        turns_done=state.turns_done,
        scores=list(state.totals),
    )


def set_up_position(state: RummyStateBase, position: Position) -> None:
    """Bring a fresh state to a position.

    Raises:
        PositionError: it does not describe a table of this game.
    """
    seats, cap = len(state.board.hands), state.options.max_turns
    check_seats(seats, dealer=position.dealer, turn=position.turn)
    if position.turns_done >= cap * seats + position.over:
        raise PositionError(f"turns_done is {position.turns_done}; a deal is over after {cap * seats} turns")
    check_row_lengths(seats, hands=position.hands, known=position.known, active=position.active, scores=position.scores)
    state.deal_no = position.deal
    state.totals = list(position.scores) if position.scores is not None else state.totals
    if position.deck is not None:
        stack_deck(state.table, state.board.stock, position.deck, position, ("dealer", "deal", "scores"))
        deal_cards(state, position.dealer)
    else:
        _lay_out(state, position)


def _lay_out(state: RummyStateBase, position: Position) -> None:
    """Put the cards that are written where they lie, then deal the rest to the places left open."""
    board = state.board
    turn = position.turn if position.turn is not None else board.left_neighbour[position.dealer]
    _lay_melds(state, position)
    rows = _hand_rows(state, position, turn)
    _place_cards(state, position, rows)
    state.count_hands()
    state.dealer, state.turns_done, state.is_stock_public = position.dealer, position.turns_done, position.stock_public
    state.active_seats = sum(1 << seat for seat, active in enumerate(position.active or ()) if active)
    _set_knowledge(state, position, turn)
    if position.over:
        _check_end(state, position)
        return
    state.turn = board.draw_turns[turn] if position.phase == "draw" else board.play_turns[turn]
    _check_piles(state, position)
    _begin_turn(state, position, turn)


def _lay_melds(state: RummyStateBase, position: Position) -> None:
    """Lay the melds on the table, if they are some."""
    board, seats = state.board, len(state.board.hands)
    if len(position.melds) > len(board.melds):
        raise PositionError(f"there are {len(position.melds)} melds; the cards are enough for {len(board.melds)}")
    for number, meld in enumerate(position.melds, 1):
        combination = board.find_meld(meld.cards)
        if combination is None or not meld.owner < seats:
            raise PositionError(
                f"meld {number}, {meld.cards!r} of seat {meld.owner}, is no meld, or its owner is no seat of {seats}"
            )
        state.add_meld(meld.owner, combination)


def _hand_rows(state: RummyStateBase, position: Position, turn: int) -> list[list[str | None]]:
    """Return the hands as they are written.

    An open hand has as many cards as were dealt, and one more once a card is drawn.
    """
    rows: list[list[str | None]] = [list(row) for row in position.hands or ()]
    if position.hands is None:
        known = position.known or [[] for _ in state.board.hands]
        rows = [[*faces, *[None] * (state.options.hand_size or 0)][: state.options.hand_size] for faces in known]
        if position.phase == "play":
            rows[turn].append(position.taken or position.drawn)
    if not all(rows) and not position.over:
        raise PositionError("a hand is empty: then its player has gone out, and the deal is over (2.2)")
    return rows


def _place_cards(state: RummyStateBase, position: Position, rows: Sequence[Sequence[str | None]]) -> None:
    """Put every card somewhere, those that are not mentioned at random."""
    table, board = state.table, state.board
    piles = [
        *((zone, meld.cards) for zone, meld in zip(board.melds, position.melds, strict=False)),
        (board.discard, [None] if position.discard is None else position.discard),
        (board.stock, (position.stock or [])[::-1]),
    ]
    left = set_up_zones(table, board.stock, [*zip(board.hands, rows, strict=True), *piles])
    if position.stock is not None:
        table.place(left, board.stock, board.box, 0)


def _check_end(state: RummyStateBase, position: Position) -> None:
    """Check that a game can be over like this: by its totals, with at most one empty hand, all hands shown."""
    table, board = state.table, state.board
    if not is_over(state.totals, position.deal, state.options):
        raise PositionError(f"the game is not over after deal {position.deal} with scores {state.totals!r} (2.3)")
    if position.turn is not None or position.phase != "draw" or position.drawn or position.taken:
        raise PositionError("the game is over; nobody is on turn in any phase, and nothing is drawn or taken")
    if position.melded or position.laid_off:
        raise PositionError("the game is over; nobody is on turn, so nobody has melded or laid off in this turn")
    if state.hand_masks.count(0) > 1:
        raise PositionError("two hands are empty; the first player without a card ends the deal (2.2)")
    if not all(table.is_known(hand, table.layout.spectator) for hand in board.hands):
        raise PositionError("the game is over; known has every card, because all hands are shown (2.3)")


def _begin_turn(state: RummyStateBase, position: Position, turn: int) -> None:
    """Set what the player on turn has drawn and laid down in this turn."""
    drawn = position.taken or position.drawn
    if position.phase == "draw":
        if drawn is not None or position.melded or position.laid_off:
            raise PositionError("in phase 'draw' nothing is drawn, taken, melded or laid off as yet")
        return
    if position.drawn not in (None, drawn):
        raise PositionError(
            f"the card drawn is {position.drawn!r}, and the card taken is {position.taken!r}: they are one"
        )
    if (position.melded and turn not in state.meld_owners) or (position.laid_off and not state.meld_owners):
        raise PositionError(
            f"seat {turn} is said to have melded or laid off in this turn, but no such meld is on the table"
        )
    state.has_melded, state.has_laid_off = position.melded, position.laid_off
    if drawn is not None:
        state.drawn_place = _drawn_card(state, position, turn) % CARDS
        if position.taken is not None:
            state.mark_taken()


def _drawn_card(state: RummyStateBase, position: Position, turn: int) -> int:
    """Return the card that was drawn: the last such in the hand, or one that has gone to a meld since.

    D12: of two copies, one that everybody saw drawn is one that everybody knows.
    """
    zones, known, everybody = state.table.zones, state.table.known_by, state.table.layout.everybody
    drawn = position.taken or position.drawn
    copies = state.board.layout.deck.copies(drawn or "")
    for card in reversed(zones[state.board.hands[turn]]):
        if card in copies and (known[card] == everybody or not _is_drawn_card_public(position)):
            return card
    melds = [card for zone in state.board.melds for card in zones[zone] if card in copies]
    if not melds or not (state.has_melded or state.has_laid_off):
        raise PositionError(f"seat {turn} is said to have drawn {drawn!r}, but neither holds it nor has melded it")
    return melds[0]


def _is_drawn_card_public(position: Position) -> bool:
    """Whether everybody saw the card that was drawn."""
    return position.taken is not None or position.stock_public


def _check_piles(state: RummyStateBase, position: Position) -> None:
    """Check that the turn can be played.

    A player who draws finds a discard, and with note 5 the stock is never empty then.
    """
    zones, board = state.table.zones, state.board
    stock, discard = len(zones[board.stock]), len(zones[board.discard])
    if position.phase == "draw" and not discard:
        raise PositionError("the discard pile is never empty when a turn starts (section 1)")
    if state.options.stock_out == "reshuffle" and not (stock if position.phase == "draw" else stock + discard):
        raise PositionError("with stock_out 'reshuffle' the stock is never empty when a turn starts (note 5)")


def _set_knowledge(state: RummyStateBase, position: Position, turn: int) -> None:
    """2.4: everybody knows the open cards, what is said to be known, and a card that was seen as it was drawn."""
    table, board, everybody = state.table, state.board, state.table.layout.everybody
    for card in table.zones[board.stock]:
        table.known_by[card] = everybody if position.stock_public else 0
    for seat, (hand, known) in enumerate(zip(board.hands, _known_rows(state, position, turn), strict=True)):
        for card in reversed(table.zones[hand]):  # the card just drawn is the last of two copies
            face = board.pack[card % CARDS]
            table.known_by[card] = everybody if face in known else hand.viewers
            if face in known:
                known.remove(face)
        if known:
            raise PositionError(
                f"everybody is said to know {known!r} in the hand of seat {seat}, which does not hold it"
            )


def _known_rows(state: RummyStateBase, position: Position, turn: int) -> list[list[str]]:
    """Return what everybody knows of the hands.

    Before the first meld or layoff of a turn that includes a card that was seen as it was drawn.
    """
    rows = [list(known) for known in position.known] if position.known is not None else [[] for _ in state.board.hands]
    drawn = position.taken or position.drawn
    if drawn is not None and _is_drawn_card_public(position) and drawn not in rows[turn]:
        is_held = any(state.board.pack[card % CARDS] == drawn for card in state.table.zones[state.board.hands[turn]])
        if is_held and (position.known is None or not (position.melded or position.laid_off)):
            rows[turn].append(drawn)
    return rows
