"""Rendering of a Bridge table for people: contract, calls and tricks beside the names, the trick and the hands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from pitboss import PublicCount, PublicCounts
from pitboss.rendering.table_text import NAME_WIDTH, player_heading, render_beside, render_zone
from pitboss_bridge.messages import CALL_WORDS
from pitboss_bridge.state import SEATS, BridgeStateBase

COMPASS: Final = "NESW"  # by seat
CARD_COLUMN: Final = NAME_WIDTH + 22
WIDTH: Final = 60
STRAIN_SIGNS: Final = {"C": "♣", "D": "♦", "H": "♥", "S": "♠", "NT": "NT"}
VULNERABLE_SIDES: Final = {(False, False): "nobody", (True, False): "N-S", (False, True): "E-W", (True, True): "all"}


def describe_call(action: Mapping[str, Any]) -> str:
    """Return a call, given by its fields, as players say it: "3NT", "pass"; "" for another action."""
    if action.get("do") == "bid":
        return f"{action['level']}{STRAIN_SIGNS[action['strain']]}"
    return str(action["do"]) if action.get("do") in ("pass", "double", "redouble") else ""


def describe_contract(state: BridgeStateBase) -> str:
    """Return the last bid with its double: "4S X"; "" if there is none."""
    if state.contract is None:
        return ""
    return " ".join([CALL_WORDS[state.contract], *{2: ["X"], 4: ["XX"]}.get(state.doubled, [])])


def count_scores(state: BridgeStateBase) -> PublicCounts:
    """Return deal, vulnerability and contract; of each seat the points of its side, its call and its tricks."""
    won, contract, is_vulnerable = state.tricks_won(), describe_contract(state), state.vulnerable()
    calls: dict[int, str] = {}
    for (seat, _), word in zip(state.auction.calls_by_seat(), state.call_words(), strict=True):
        calls[seat] = word
    table = [
        PublicCount("deal", state.deal_no, "part"),
        PublicCount("board", state.board),
        PublicCount("vulnerable", VULNERABLE_SIDES[is_vulnerable[0], is_vulnerable[1]]),
        *([PublicCount("contract", contract)] if contract else []),
    ]
    seats = []
    for seat in range(SEATS):
        counts = [PublicCount(COMPASS[seat]), PublicCount("score", state.totals[seat])]
        if state.options.scoring != "duplicate":
            counts.append(PublicCount("below", state.sheet.part_scores[seat % 2]))
        if state.options.scoring == "rubber":
            counts.append(PublicCount("games", state.sheet.games[seat % 2]))
        if state.declarer is None:
            counts += [PublicCount("dealer")] if seat == state.dealer else []
            counts += [PublicCount("call", calls[seat])] if seat in calls else []
        else:
            counts += [PublicCount("contract", contract)] if seat == state.declarer else []
            counts += [PublicCount("dummy")] if seat == state.dummy else []
            counts.append(PublicCount("tricks", won[seat]))
        seats.append(counts)
    return PublicCounts(table, seats)


def render_table(state: BridgeStateBase, seat: int | None, names: Sequence[str]) -> Iterator[str]:
    """Yield what `seat` may know of the table; None sees every card."""
    won, is_vulnerable = state.tricks_won(), state.vulnerable()
    vulnerable = VULNERABLE_SIDES[is_vulnerable[0], is_vulnerable[1]]
    yield f"  board {state.board}, dealer {COMPASS[state.dealer]}, vulnerable {vulnerable}"
    if state.options.scoring != "duplicate":
        yield f"  below    {state.sheet.part_scores[0]} and {state.sheet.part_scores[1]}"
    yield from _render_auction(state)
    if state.tricks:
        last = state.tricks[-1]
        yield f"  last     {', '.join(f'{COMPASS[owner]} {card}' for owner, card in last.cards)}"
        yield f"           {COMPASS[last.winner]} took it"
    played = zip(state.trick_seats, state.faces(state.trick), strict=False)
    yield f"  trick    {', '.join(f'{COMPASS[owner]} {card}' for owner, card in played)}".rstrip()
    yield f"{'':{NAME_WIDTH + 4}}{'score':>8}{'won':>4}"
    for owner in range(SEATS):
        is_on_turn = state.turn is not None and state.turn.seat == owner
        figures = f" {COMPASS[owner]}{state.totals[owner]:>6}{won[owner]:>4}"
        lines = render_zone(state.table, state.hands[owner], seat, WIDTH - CARD_COLUMN)
        yield from render_beside(f"{player_heading(is_on_turn, owner, names[owner])}{figures}", lines, CARD_COLUMN)


def _render_auction(state: BridgeStateBase) -> Iterator[str]:
    """Yield the calls in four columns, the dealer's first; or the contract, once there is one."""
    if state.declarer is not None:
        yield f"  contract {describe_contract(state)} by {COMPASS[state.declarer]}"
        return
    yield "  calls   " + "".join(f" {COMPASS[(state.dealer + place) % SEATS]:<5}" for place in range(SEATS)).rstrip()
    words = state.call_words()
    for start in range(0, len(words), SEATS):
        yield "          " + "".join(f" {word:<5}" for word in words[start : start + SEATS]).rstrip()
