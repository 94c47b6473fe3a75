"""Rendering of a Rack-O table for people: all racks under one row of slots, scores, and how the last round ended."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from pitboss import EMPTY, PublicCount, PublicCounts
from pitboss.rendering.table_text import HIDDEN_CARD, NAME_WIDTH, NO_CARD, player_heading, render_zone
from pitboss.text import truncate_text
from pitboss_racko.rack import SLOTS
from pitboss_racko.state import RackoStateBase

PILE_WIDTH: Final = 46  # columns; the whole picture is 60 wide


def render_table(state: RackoStateBase, seat: int | None, names: Sequence[str]) -> Iterator[str]:
    """Yield what `seat` may know of the table; None sees every card."""
    table, board = state.table, state.board
    onlooker = table.layout.spectator if seat is None else seat
    turns = state.turns_done + (seat is not None and state.is_turn_over_for(onlooker))
    cap = state.options.max_turns * len(board.racks)
    dealer = f"dealer {state.dealer} {truncate_text(names[state.dealer], NAME_WIDTH)}"
    yield f"  round {state.round_no}, turn {min(turns + 1, cap)} of up to {cap}, {dealer}"
    if state.last_round is not None:
        declarer, points = state.last_round.declarer, " ".join(map(str, state.last_round.points))
        ended = "stalled" if declarer is None else f"RACK-O by {declarer} {truncate_text(names[declarer], NAME_WIDTH)}"
        yield f"  {'last round' if state.turn else 'it ended'}: {ended}: {points}"
    for pile in (board.stock, board.discard):
        yield f"  {pile.name:8}  {render_zone(table, pile, seat, PILE_WIDTH)[0]}"
    yield _format_row("", [str(slot) for slot in SLOTS], "drawn", "score")
    to_play = _seat_to_play(state, seat)
    for owner, (rack, hand) in enumerate(zip(board.racks, board.hands, strict=True)):
        drawn = [_format_card(state, card, seat) for card in table.zones[hand]]
        head = player_heading(owner == to_play, owner, names[owner])
        score = str(_score_of(state, owner))
        yield _format_row(head, [_format_card(state, card, seat) for card in table.zones[rack]], "".join(drawn), score)


def count_scores(state: RackoStateBase) -> PublicCounts:
    """Return the number of the round; of each seat the score of its side, and who deals."""
    seats = [
        [PublicCount("score", _score_of(state, seat)), *[PublicCount("dealer", role="button")] * (seat == state.dealer)]
        for seat in range(len(state.board.racks))
    ]
    return PublicCounts([PublicCount("round", state.round_no, "part")], seats)


def _score_of(state: RackoStateBase, seat: int) -> int:
    return next(total for side, total in zip(state.sides, state.totals, strict=True) if seat in side)


def _format_row(head: str, cells: Sequence[str], drawn: str, score: str) -> str:
    return f"{head:{NAME_WIDTH + 4}}" + "".join(f"{cell:>3}" for cell in cells) + f"{drawn:>6}{score:>6}"


def _format_card(state: RackoStateBase, card: int, seat: int | None) -> str:
    if card == EMPTY:
        return NO_CARD
    return str(card + 1) if seat is None or state.table.known_by[card] >> seat & 1 else HIDDEN_CARD


def _seat_to_play(state: RackoStateBase, seat: int | None) -> int | None:
    """D8: to all others the turn of a player who is asked to declare is over."""
    if state.turn is None:
        return None
    is_over = seat is not None and state.is_turn_over_for(seat)
    return state.seating.seat_after(state.turn.seat) if is_over else state.turn.seat
