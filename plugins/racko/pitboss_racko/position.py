"""Positions of Rack-O: written down, and set up again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pitboss import PositionError, Zone
from pitboss.table.position_setup import check_seats, set_up_zones, stack_deck
from pitboss_racko import rack as racks
from pitboss_racko.messages import Position
from pitboss_racko.rounds import deal_round, is_over, state_incomplete_racks
from pitboss_racko.state import RackoStateBase

OPEN_RACK: Final[list[int | None]] = [None] * len(racks.SLOTS)


def write_position(state: RackoStateBase) -> Position:
    """Write down a state: every card, and what everybody knows."""
    table, board, public = state.table, state.board, state.table.layout.spectator
    turn = state.turn
    hand = table.zones[board.hands[turn.seat]] if turn else []
    hidden_hand = bool(hand) and not table.is_known(board.hands[turn.seat], public) if turn else False
    return Position(
        dealer=state.dealer,
        turn=turn.seat if turn else None,
        phase=turn.phase if turn else "draw",  # type: ignore[arg-type]
        racks=[[card + 1 for card in table.zones[rack]] for rack in board.racks],
        drawn=hand[0] + 1 if hand else None,
        discard=[card + 1 for card in table.zones[board.discard]],
        stock=[card + 1 for card in reversed(table.zones[board.stock])],
        stock_public=table.is_known(board.stock, public) and not hidden_hand,
        known_racks=[
            [card + 1 if table.known_by[card] >> public & 1 else None for card in table.zones[rack]]
            for rack in board.racks
        ],
        round=state.round_no,
        turns_done=state.turns_done,
        over=turn is None,
        scores=list(state.totals),
    )


def set_up_position(state: RackoStateBase, position: Position) -> None:
    """Bring a fresh state to a position.

    Raises:
        PositionError: it does not describe a table of this game.
    """
    seats, cap = len(state.board.racks), state.options.max_turns
    check_seats(seats, dealer=position.dealer, turn=position.turn)
    if position.turns_done >= cap * seats + position.over:
        raise PositionError(f"turns_done is {position.turns_done}; a round is over after {cap * seats} turns")
    if position.scores is not None:
        if len(position.scores) != len(state.sides):
            raise PositionError(f"there are {len(position.scores)} scores for {len(state.sides)} sides")
        state.totals = list(position.scores)
    state.round_no = position.round
    if position.deck is not None:
        stack_deck(state.table, state.board.stock, position.deck, position, ("dealer", "round", "scores"))
        deal_round(state, position.dealer)
    else:
        _lay_out(state, position)


def _lay_out(state: RackoStateBase, position: Position) -> None:
    """Put the cards that are written where they lie, then deal the rest to the places left open."""
    table, board = state.table, state.board
    turn = position.turn if position.turn is not None else state.seating.seat_after(position.dealer)
    known = position.known_racks if position.known_racks is not None else [OPEN_RACK] * len(board.racks)
    rows = _merge_rows(position, known, len(board.racks))
    piles: list[tuple[Zone, Sequence[int | None]]] = [
        (board.hands[turn], [] if position.drawn is None else [position.drawn]),
        (board.discard, [None] if position.discard is None else position.discard),
        (board.stock, (position.stock or [])[::-1]),
    ]
    left = set_up_zones(table, board.stock, [*zip(board.racks, rows, strict=True), *piles])
    if position.stock is not None:
        table.place(left, board.stock, board.box, 0)
    if position.over:
        _check_end(state, position)
    else:
        _check_phase(state, position, turn)
    _set_knowledge(state, position, turn, known)
    state.dealer, state.turns_done = position.dealer, position.turns_done
    if position.over:
        return
    turns = {"draw": board.draw_turns, "place": board.place_turns, "declare": board.declare_turns}
    state.turn = turns[position.phase][turn]
    state_incomplete_racks(state)


def _merge_rows(position: Position, known: Sequence[Sequence[int | None]], seats: int) -> list[list[int | None]]:
    """Return the racks as they are written, what everybody knows included."""
    rows = position.racks if position.racks is not None else [OPEN_RACK] * seats
    for what, given in (("racks", rows), ("known_racks", known)):
        if len(given) != seats or any(len(row) != len(racks.SLOTS) for row in given):
            raise PositionError(f"{what} must be {seats} rows of {len(racks.SLOTS)}, slot #5 first; it is {given!r}")
    for seat, (row, public) in enumerate(zip(rows, known, strict=True)):
        for card, shown in zip(row, public, strict=True):
            if shown is not None and card is not None and card != shown:
                raise PositionError(f"rack {seat} holds {card} where everybody is said to know {shown}")
    return [
        [shown if shown is not None else card for card, shown in zip(row, public, strict=True)]
        for row, public in zip(rows, known, strict=True)
    ]


def _check_phase(state: RackoStateBase, position: Position, turn: int) -> None:
    """Check that the player on turn can be in this phase."""
    table, board, phase = state.table, state.board, position.phase
    if (position.drawn is not None) != (phase == "place"):
        raise PositionError(
            f"in phase {phase!r} the drawn card is {position.drawn}; in 'place', and only there, there is one"
        )
    if not table.zones[board.discard] or (not table.zones[board.stock] and phase == "draw"):
        raise PositionError("both piles hold a card whenever a player is to draw (D4)")
    rack = table.zones[board.racks[turn]]
    if phase == "declare" and not (state.options.declare == "choice" and racks.is_racko(rack, state.options.min_run)):
        shown = [card + 1 for card in rack]
        raise PositionError(
            f"seat {turn} cannot be asked to declare: its rack is {shown}, and declare is {state.options.declare!r}"
        )


def _check_end(state: RackoStateBase, position: Position) -> None:
    """Check that a game can be over with these totals, and that nobody is in the middle of a turn."""
    if not is_over(state.totals, position.round, state.options):
        raise PositionError(f"the game is not over after round {position.round} with scores {state.totals!r} (2.4)")
    if position.turn is not None or position.phase != "draw" or position.drawn is not None:
        raise PositionError("the game is over; nobody is on turn in any phase, and nothing is drawn")
    if position.known_racks is None or any(None in row for row in position.known_racks):
        raise PositionError("the game is over; known_racks has every card, because all racks are shown (2.3)")


def _set_knowledge(state: RackoStateBase, position: Position, turn: int, known: Sequence[Sequence[int | None]]) -> None:
    """Make known to everybody what is said to be."""
    table, board = state.table, state.board
    public = [card - 1 for row in known for card in row if card is not None]
    if position.stock_public:
        public += [*table.zones[board.stock], *table.zones[board.hands[turn]]]
    for card in public:
        table.known_by[card] = table.layout.everybody
