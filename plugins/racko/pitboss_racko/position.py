"""Positions of Rack-O: written down, and set up again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from pitboss import PositionError
from pitboss_racko import rack as racks
from pitboss_racko.messages import Position

if TYPE_CHECKING:
    from pitboss_racko.game import RackoState

OPEN: Final[list[int | None]] = [None] * len(racks.SLOTS)


def written(state: RackoState) -> Position:
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
            [card + 1 if table.known[card] >> public & 1 else None for card in table.zones[rack]] for rack in board.racks
        ],
        round=state.round,
        turns_done=state.turns_done,
        scores=list(state.totals),
    )


def set_up(state: RackoState, position: Position) -> None:
    """Bring a fresh state to a position.

    Raises:
        PositionError: it does not describe a table of this game.
    """
    seats = len(state.board.racks)
    if not position.dealer < seats or not (position.turn or 0) < seats:
        raise PositionError(f"dealer {position.dealer} or turn {position.turn} is no seat; {seats} play")
    if position.scores is not None:
        if len(position.scores) != len(state.sides):
            raise PositionError(f"there are {len(position.scores)} scores for {len(state.sides)} sides")
        state.totals = list(position.scores)
    state.round = position.round
    if position.deck is not None:
        _deal_from(state, position)
    else:
        _lay_out(state, position)


def _deal_from(state: RackoState, position: Position) -> None:
    table, board = state.table, state.board
    given = (position.racks, position.discard, position.stock, position.known_racks, position.drawn, position.turn)
    deck = [card - 1 for card in position.deck or ()]
    if any(part is not None for part in given) or position.phase != "draw" or position.turns_done or position.stock_public:
        raise PositionError("a position with a deck is dealt from it: it has no racks, piles or turns of its own")
    if sorted(deck) != table.zones[board.stock]:
        raise PositionError(f"the deck must be the cards 1..{len(table.known)}, each once; it is {position.deck!r}")
    table.shuffle(board.stock, order=deck[::-1])
    state.deal_round(position.dealer)


def _lay_out(state: RackoState, position: Position) -> None:
    """Put the cards that are written where they lie, then deal the rest to the places left open."""
    table, board = state.table, state.board
    seats = len(board.racks)
    rows = [list(row) for row in (position.racks if position.racks is not None else [OPEN] * seats)]
    known = position.known_racks if position.known_racks is not None else [OPEN] * seats
    _check_rows(rows, known, seats)
    for row, public in zip(rows, known, strict=True):
        row[:] = [shown if shown is not None else card for card, shown in zip(row, public, strict=True)]
    turn = position.turn if position.turn is not None else state.seating.step(position.dealer)
    if (position.drawn is not None) != (position.phase == "place"):
        raise PositionError(
            f"in phase {position.phase!r} the drawn card is {position.drawn}; in 'place', and only there, there is one"
        )
    written_cards = [card for row in rows for card in row if card is not None]
    written_cards += [
        *(position.discard or ()),
        *(position.stock or ()),
        *([position.drawn] if position.drawn is not None else ()),
    ]
    _check_cards(written_cards, len(table.known))

    rest = sorted(set(range(len(table.known))) - {card - 1 for card in written_cards})
    table.rng.shuffle(rest)
    try:
        filled = [[rest.pop() if card is None else card - 1 for card in row] for row in rows]
        discard = [card - 1 for card in position.discard] if position.discard is not None else [rest.pop()]
    except IndexError:
        raise PositionError(f"the deck has only {len(table.known)} cards: not enough for the places left open") from None
    stock = [card - 1 for card in reversed(position.stock)] if position.stock is not None else rest
    if not discard or (not stock and position.phase == "draw"):
        raise PositionError("both piles hold a card whenever a player is to draw (D4)")
    box = rest if position.stock is not None else []

    for zone, cards in ((board.stock, stock), (board.discard, discard), (board.box, box), *zip(board.racks, filled, strict=True)):
        table.zones[zone] = list(cards)
    if position.drawn is not None:
        table.zones[board.hands[turn]] = [position.drawn - 1]
    _say_who_knows(state, position, turn, known)
    state.dealer, state.turns_done = position.dealer, position.turns_done
    state.turn = {"draw": board.draw_turns, "place": board.place_turns, "declare": board.declare_turns}[position.phase][turn]
    if position.phase == "declare" and not (
        state.options.declare == "choice" and racks.is_racko(filled[turn], state.options.min_run)
    ):
        shown = [card + 1 for card in filled[turn]]
        raise PositionError(
            f"seat {turn} cannot be asked to declare: its rack is {shown}, and declare is {state.options.declare!r}"
        )
    state.say_who_is_incomplete()


def _check_rows(rows: Sequence[Sequence[int | None]], known: Sequence[Sequence[int | None]], seats: int) -> None:
    for what, given in (("racks", rows), ("known_racks", known)):
        if len(given) != seats or any(len(row) != len(racks.SLOTS) for row in given):
            raise PositionError(f"{what} must be {seats} rows of {len(racks.SLOTS)}, slot #5 first; it is {given!r}")
    for seat, (row, public) in enumerate(zip(rows, known, strict=True)):
        for card, shown in zip(row, public, strict=True):
            if shown is not None and card is not None and card != shown:
                raise PositionError(f"rack {seat} holds {card} where everybody is said to know {shown}")


def _check_cards(cards: Sequence[int], deck_size: int) -> None:
    wrong = sorted({card for card in cards if card > deck_size or cards.count(card) > 1})
    if wrong:
        raise PositionError(f"the cards are 1..{deck_size}, each once; {wrong} are not, or stand twice")


def _say_who_knows(state: RackoState, position: Position, turn: int, known: Sequence[Sequence[int | None]]) -> None:
    table, board, everybody = state.table, state.board, state.table.layout.everybody
    for rack, public in zip(board.racks, known, strict=True):
        for card, shown in zip(table.zones[rack], public, strict=True):
            table.known[card] = everybody if shown is not None else rack.sees
    for card in table.zones[board.stock]:
        table.known[card] = everybody if position.stock_public else 0
    for card in table.zones[board.hands[turn]]:
        table.known[card] = everybody if position.stock_public else board.hands[turn].sees
