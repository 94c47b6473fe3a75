"""Rendering of a Bridge table for people: the auction, and contract, calls and tricks beside the names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from pitboss import PublicCount, PublicCounts
from pitboss.parts.trick_rendering import render_tricks
from pitboss_bridge.messages import CALL_WORDS
from pitboss_bridge.pbn_deal import COMPASS
from pitboss_bridge.state import SEATS, BridgeStateBase

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
        *_count_sheet(state),
    ]
    seats = []
    for seat in range(SEATS):
        counts = [PublicCount(COMPASS[seat])]
        if state.declarer is None:
            counts += [PublicCount("dealer")] if seat == state.dealer else []
            counts += [PublicCount("call", calls[seat])] if seat in calls else []
        else:
            counts += [PublicCount("contract", contract)] if seat == state.declarer else []
            counts += [PublicCount("dummy")] if seat == state.dummy else []
            counts.append(PublicCount("tricks", won[seat]))
        seats.append([*counts, PublicCount("score", state.totals[seat])])
    return PublicCounts(table, seats)


def _count_sheet(state: BridgeStateBase) -> Iterator[PublicCount]:
    """Yield what both sides have below the line, their games in a rubber, and how often the deal was dealt again."""
    if state.options.scoring != "duplicate":
        yield PublicCount("below", "N-S {}, E-W {}".format(*state.sheet.part_scores))
    if state.options.scoring == "rubber":
        yield PublicCount("games", "N-S {}, E-W {}".format(*state.sheet.games))
    if state.redeals:
        yield PublicCount("redealt", state.redeals)


def render_table(state: BridgeStateBase, seat: int | None, names: Sequence[str]) -> Iterator[str]:
    """Yield what `seat` may know of the table: the auction while it goes on, the contract then, and the tricks."""
    counts = count_scores(state)
    if state.declarer is None:
        yield from _render_auction(state)
    else:
        yield f"  contract {describe_contract(state)} by {COMPASS[state.declarer]}"
    yield from (f"  {count.name:<8} {count.value}" for count in _count_sheet(state))
    rows = [[count for count in row if count.name != "contract"] for row in counts.seats]
    yield from render_tricks(state, PublicCounts(counts.table[:3], rows), state.hands, seat, names)


def _render_auction(state: BridgeStateBase) -> Iterator[str]:
    """Yield the calls in four columns, the dealer's first."""
    yield "  calls   " + "".join(f" {COMPASS[(state.dealer + place) % SEATS]:<5}" for place in range(SEATS)).rstrip()
    words = state.call_words()
    for start in range(0, len(words), SEATS):
        yield "          " + "".join(f" {word:<5}" for word in words[start : start + SEATS]).rstrip()
