"""Rendering of a Hearts table for people: points beside the names, the trick and the hands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from pitboss import PublicCount, PublicCounts
from pitboss.rendering.table_text import NAME_WIDTH, player_heading, render_beside, render_zone
from pitboss_hearts.state import QUEEN_POINTS, HeartsStateBase

CARD_COLUMN: Final = NAME_WIDTH + 18
WIDTH: Final = 60
PASS_WORDS: Final = {0: "nothing is passed", 1: "passed to the left", -1: "passed to the right", 2: "passed across"}


def points_taken(state: HeartsStateBase) -> list[int]:
    """Return by seat the points of the cards that it has taken in this deal, before anybody has shot the moon."""
    cards, zones = state.cards, state.table.zones
    piles = [zones[pile] for pile in state.taken]
    return [len(cards.hearts.intersection(pile)) + QUEEN_POINTS * (cards.queen in pile) for pile in piles]


def count_scores(state: HeartsStateBase) -> PublicCounts:
    """Return the number of the deal and which way cards are passed; of each seat its score, and its points so far."""
    seats = [
        [PublicCount("score", total), PublicCount("taken", taken)]
        for total, taken in zip(state.totals, points_taken(state), strict=True)
    ]
    return PublicCounts([PublicCount("deal", state.deal_no), PublicCount(PASS_WORDS[state.pass_distance()])], seats)


def render_table(state: HeartsStateBase, seat: int | None, names: Sequence[str]) -> Iterator[str]:
    """Yield what `seat` may know of the table; None sees every card."""
    taken = points_taken(state)
    yield f"  deal {state.deal_no}, {PASS_WORDS[state.pass_distance()]}"
    if state.tricks:
        last = state.tricks[-1]
        yield f"  last     {', '.join(f'{owner} {card}' for owner, card in last.cards)}: {last.winner} took it"
    played = zip(state.trick_seats, state.faces(state.trick), strict=False)
    yield f"  trick    {', '.join(f'{owner} {card}' for owner, card in played)}".rstrip()
    yield f"{'':{NAME_WIDTH + 4}}{'score':>6}{'taken':>6}"
    for owner in range(state.seats):
        is_on_turn = state.turn is not None and state.turn.seat == owner
        lines = render_zone(state.table, state.hands[owner], seat, WIDTH - CARD_COLUMN)
        head = f"{player_heading(is_on_turn, owner, names[owner])}{state.totals[owner]:>6}{taken[owner]:>6}"
        yield from render_beside(head, lines, CARD_COLUMN)
