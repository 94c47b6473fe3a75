"""The view (observation) of a seat: sections 2.7 and 6 of the rule book."""

from __future__ import annotations

from pitboss_ragamaru.deck import BOX
from pitboss_ragamaru.messages import View
from pitboss_ragamaru.state import RagamaruStateBase
from pitboss_ragamaru.threats import threat_message


def build_view(state: RagamaruStateBase, seat: int) -> View:
    """Return what a seat, or the spectator, may know."""
    board, zones, turn = state.board, state.table.zones, state.turn
    is_player = seat < board.seats
    first = seat if is_player else turn.seat if turn is not None else state.seating.order[0]
    return View(
        turn_no=state.turn_no,
        hand=sorted_faces(state, zones[board.hands[seat]]) if is_player else [],
        field=state.top.field,
        pending=threat_message(state.threat),
        order=[first, *state.circle[first][:-1]],
        direction=state.seating.direction,  # type: ignore[arg-type]
        counts=[len(zones[hand]) for hand in board.hands],
        sin=[*state.rests_left],
        stock=len(zones[board.stock]),
        pile=max(0, len(zones[board.pile]) - 1) + len(zones[board.discards]),
        drawn=state.drawn_face if turn is not None and turn == (seat, "drawn") else None,
        discards_left=state.discards_left,
        starter=state.starter,
        team=board.team,
    )


def sorted_faces(state: RagamaruStateBase, cards: list[int]) -> list[str]:
    """Return the faces of some cards in card order."""
    places = state.book.places
    return [BOX[place] for place in sorted([places[card] for card in cards])]
