"""The picture of a RAGAMARU table for people: the field and what threatens, who comes when, the piles, and each player with rests, team and hand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from pitboss.picture import cards_lines, cut, filled
from pitboss_ragamaru.messages import Colour, Result
from pitboss_ragamaru.threats import Attack

if TYPE_CHECKING:
    from pitboss_ragamaru.game import RagamaruState

NAME: Final = 14  # a name that is longer is cut
COUNT: Final = 5  # columns of a number of cards
WIDTH: Final = 60
LABEL: Final = 11  # where it begins what stands behind the name of a pile
COLOURS: Final[dict[Colour, str]] = {"R": "red", "Y": "yellow", "B": "blue", "K": "black"}
ENDINGS: Final[dict[Result | None, str]] = {
    "out": "somebody went out",
    "blocked": "nobody can play or draw",
    "limit": "the turns are used up",
}


def picture(state: RagamaruState, seat: int | None, names: Sequence[str]) -> Iterator[str]:
    """Yield what `seat` may know of the table; None sees every card."""
    table, board = state.table, state.board
    yield f"  turn {state.turn_no}, {_moment(state)}"
    yield from _labelled("field", _field(state))
    if threat := _threat(state):
        yield from _labelled("threat", threat)
    way = "clockwise" if state.seating.direction > 0 else "the other way"
    yield from _labelled("order", [*map(str, _order(state)), f"({way})"])
    yield f"  {'stock':{LABEL - 2}}{cards_lines(table, board.stock, seat, WIDTH - LABEL)[0]}"
    for zone in (board.pile, board.discards):
        if zone is board.pile or table.zones[zone]:
            yield f"  {zone.name:{LABEL - 2}}{len(table.zones[zone])}: {cards_lines(table, zone, seat, WIDTH - LABEL - 5)[0]}"
    for owner, name in enumerate(names):
        yield from _player(state, seat, owner, name)


def _moment(state: RagamaruState) -> str:
    if state.turn is None:
        return f"the game is over: {ENDINGS[state.result]}"
    starts = "" if state.starter is None else f", {state.starter} starts"
    return f"phase {state.turn.phase}{starts}"


def _labelled(label: str, words: Sequence[str]) -> Iterator[str]:
    for number, line in enumerate(filled(words, " ", WIDTH - LABEL)):
        yield f"{f'  {label}' if number == 0 else '':{LABEL}}{line}"


def _field(state: RagamaruState) -> list[str]:
    """Return the top card, and what can be matched: 2.1."""
    field = state.top.field
    matched = [] if field.colour is None else [COLOURS[field.colour]]
    matched += [str(field.number)] * (field.number is not None) + [str(field.kind)] * (field.kind is not None)
    if field.free:
        matched = ["anything"]
    return [f"{field.card}:", *(" or ".join(matched) or "nothing named yet").split()]


def _threat(state: RagamaruState) -> list[str]:
    threat = state.pending
    if threat is None:
        return []
    if isinstance(threat, Attack):
        return [threat.kind, *["converted"] * threat.converted, "to", "draw", str(threat.draw)]
    return ["SIN", "to", "rest", str(threat.rests)]


def _order(state: RagamaruState) -> tuple[int, ...]:
    """Return the seats as their turns come, from the player on turn round."""
    first = state.seating.order[0] if state.turn is None else state.turn.seat
    return (first, *state.circle[first][:-1])


def _player(state: RagamaruState, seat: int | None, owner: int, name: str) -> Iterator[str]:
    """Yield a player: on turn or not, the team, how many cards, the rests, and the hand behind them."""
    table, hand = state.table, state.board.hands[owner]
    mark = ">" if state.turn is not None and state.turn.seat == owner else " "
    team = "" if state.board.team is None else f" team {state.board.team[owner]}"
    head = f"{mark} {owner} {cut(name, NAME):{NAME}}{team}{len(table.zones[hand]):>{COUNT}}  "
    lines = cards_lines(table, hand, seat, WIDTH - len(head))
    if state.sin[owner]:
        lines.append(f"rests {state.sin[owner]}")
    for number, line in enumerate(lines):
        yield f"{head if number == 0 else '':{len(head)}}{line}"
