"""Rendering of a RAGAMARU table for people: field, threat, order of turns, piles, and players with their hands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from pitboss import PublicCount, PublicCounts
from pitboss.rendering.table_text import player_heading, render_beside, render_zone
from pitboss.text import wrap_words
from pitboss_ragamaru.deck import Colour
from pitboss_ragamaru.field import Attack
from pitboss_ragamaru.messages import Result
from pitboss_ragamaru.state import RagamaruStateBase

COUNT_WIDTH: Final = 5  # columns of a number of cards
WIDTH: Final = 60
LABEL_WIDTH: Final = 11  # columns of a label; its words begin after them
COLOUR_WORDS: Final[dict[Colour, str]] = {"R": "red", "Y": "yellow", "B": "blue", "K": "black"}
RESULT_WORDS: Final[dict[Result | None, str]] = {
    "out": "somebody went out",
    "blocked": "nobody can play or draw",
    "limit": "the turns are used up",
}


def render_table(state: RagamaruStateBase, seat: int | None, names: Sequence[str]) -> Iterator[str]:
    """Yield what `seat` may know of the table; None sees every card."""
    table, board = state.table, state.board
    yield f"  turn {state.turn_no}, {_phase_words(state)}"
    yield from _label_lines("field", _field_words(state))
    if threat := _threat_words(state):
        yield from _label_lines("threat", threat)
    way = "clockwise" if state.seating.direction > 0 else "the other way"
    yield from _label_lines("order", [*map(str, _turn_order(state)), f"({way})"])
    yield f"  {'stock':{LABEL_WIDTH - 2}}{render_zone(table, board.stock, seat, WIDTH - LABEL_WIDTH)[0]}"
    for zone in (board.pile, board.discards):
        if zone is board.pile or table.zones[zone]:
            cards = render_zone(table, zone, seat, WIDTH - LABEL_WIDTH - 5)[0]
            yield f"  {zone.name:{LABEL_WIDTH - 2}}{len(table.zones[zone])}: {cards}"
    for owner, name in enumerate(names):
        yield from _player_lines(state, seat, owner, name)


def count_threats(state: RagamaruStateBase) -> PublicCounts:
    """Return turn, field, threat and order of turns; of each seat its team and how long it rests."""
    words = {"field": _field_words(state), "threat": _threat_words(state), "order": map(str, _turn_order(state))}
    told = [PublicCount(name, " ".join(one), "order" if name == "order" else "") for name, one in words.items()]
    table = [PublicCount("turn", state.turn_no), *[one for one in told if one.value]]
    return PublicCounts(table, [_count_seat(state, seat) for seat in range(len(state.rests_left))])


def _count_seat(state: RagamaruStateBase, seat: int) -> list[PublicCount]:
    team, rests = state.board.team, state.rests_left[seat]
    counts = [] if team is None else [PublicCount("team", team[seat])]
    return [*counts, PublicCount("rests", rests)] if rests else counts


def _phase_words(state: RagamaruStateBase) -> str:
    if state.turn is None:
        return f"the game is over: {RESULT_WORDS[state.result]}"
    starts = "" if state.starter is None else f", {state.starter} starts"
    return f"phase {state.turn.phase}{starts}"


def _label_lines(label: str, words: Sequence[str]) -> Iterator[str]:
    return render_beside(f"  {label}", wrap_words(words, " ", WIDTH - LABEL_WIDTH), LABEL_WIDTH)


def _field_words(state: RagamaruStateBase) -> list[str]:
    """Return the top card, and what can be matched: 2.1."""
    field = state.top.field
    matched = [] if field.colour is None else [COLOUR_WORDS[field.colour]]
    matched += [str(field.number)] * (field.number is not None) + [str(field.kind)] * (field.kind is not None)
    if field.free:
        matched = ["anything"]
    return [f"{field.card}:", *(" or ".join(matched) or "nothing named yet").split()]


def _threat_words(state: RagamaruStateBase) -> list[str]:
    threat = state.threat
    if threat is None:
        return []
    if isinstance(threat, Attack):
        return [threat.kind, *["converted"] * threat.converted, "to", "draw", str(threat.draw)]
    return ["SIN", "to", "rest", str(threat.rests)]


def _turn_order(state: RagamaruStateBase) -> tuple[int, ...]:
    """Return the seats as their turns come, from the player on turn round."""
    first = state.seating.order[0] if state.turn is None else state.turn.seat
    return (first, *state.circle[first][:-1])


def _player_lines(state: RagamaruStateBase, seat: int | None, owner: int, name: str) -> Iterator[str]:
    """Yield the lines of a player: turn mark, name, team, number of cards, the hand, and turns to rest."""
    table, hand = state.table, state.board.hands[owner]
    is_on_turn = state.turn is not None and state.turn.seat == owner
    team = "" if state.board.team is None else f" team {state.board.team[owner]}"
    head = f"{player_heading(is_on_turn, owner, name)}{team}{len(table.zones[hand]):>{COUNT_WIDTH}}  "
    lines = render_zone(table, hand, seat, WIDTH - len(head))
    if state.rests_left[owner]:
        lines.append(f"rests {state.rests_left[owner]}")
    return render_beside(head, lines, len(head))
